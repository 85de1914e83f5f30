"""Many games for Stable-Baselines3: one learner against itself and against others, in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, cast, get_args

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn

from .errors import IllegalActionError
from .opponents import SELF, OpponentPool, Opponents
from .protocol import GAME_OVER, SEED_LIMIT, Game
from .rewards import Reward, make_reward
from .seats import SeatRule, check_seat

MaskFormat: TypeAlias = Literal["dense", "ids", "packed"]
MAX_LOST_GAMES = 1000
"""So often in a row a game may end before the learner's first decision."""


class SelfPlayVecEnv(VecEnv):
    """N slots, each with one game after another, waiting for the learner's next action.

    At each new game a slot draws an entry of `opponents` by `weights`: ``"self"`` (the learner plays all seats), the
    name of a built-in policy, or a `Policy`, which plays all seats but those of the learner's team. The learner's seat
    goes by `seat`: a player, ``"random"``, or ``"rotate"`` (slot i starts with seat i mod P and goes on by one with
    each game). Opponents' turns are played in batches inside of `step_wait`, also the first ones of a new game.

    A *step* of a slot lasts from a decision of the learner to its next one (or to the end of the game). After a step:

    * ``mover`` int8[N]: the player who made the decision; ``player`` int8[N]: the player who makes the next one.
    * ``reward_by_player`` float32[N, P]: what each player got in this step. Over a game it sums to each player's
      reward: a dense reward to its final value (the change of a game's first step counts from 0), others are paid in
      the last step. The reward returned is that of ``mover``.
    * ``sign`` int8[N]: +1 if the next decision of the slot is made by a player of the mover's team, -1 if by another
      team, 0 if the game has ended. With two teams and a zero-sum reward (``is_zero_sum``) advantages are
      ``delta = r + gamma sign V' - V`` and ``A = delta + gamma lambda sign A'``: what follows is worth to the mover the
      negative of what it is worth to the other team. For more teams use ``reward_by_player``.

    A stock learner (without ``sign``) is right in slots against others; with ``"self"`` it needs the signs, and the
    returns that ``VecMonitor`` reports mix all sides.

    ``infos[i]`` of a finished game has ``"terminal_observation"`` (of the mover) and ``"outcome"``: places and scores
    (tuples by player), the learner's seat (None with ``"self"``) and the opponent's name.

    ``env_method("action_masks")`` gives the masks of all slots as `mask_format` says: ``"dense"`` bool[N, A], as stock
    sb3-contrib wants it, ``"ids"`` int32[N, most legal actions] padded with -1, ``"packed"`` uint8[N, ceil(A / 8)].

    Illegal actions raise `IllegalActionError` and change nothing; ``check=False`` leaves the test out.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Opponents = (SELF,),
        weights: Sequence[float] | None = None,
        seat: SeatRule = "rotate",
        reward: str | Mapping[str, float] | Reward = "dense_margin",
        mask_format: MaskFormat = "dense",
        seed: int = 0,
        check: bool = True,
    ) -> None:
        if mask_format not in get_args(MaskFormat):
            raise ValueError(f"mask_format={mask_format!r} is unknown; choose one of {', '.join(get_args(MaskFormat))}")
        check_seat(seat, game.num_players)
        self.render_mode = None
        super().__init__(num_envs, game.observation_space, spaces.Discrete(game.num_actions))
        self.game = game
        self.seat = seat
        self.reward = make_reward(reward)
        self.mask_format = mask_format
        self.check = check
        self.is_zero_sum = self.reward.is_zero_sum and len(set(game.teams)) == 2
        self._teams = np.array(game.teams)
        self._all = np.arange(num_envs, dtype=np.int64)
        self._batch = game.batch(num_envs, seed)
        self._pool = OpponentPool(game, opponents, weights, num_envs)
        self._actions: NDArray[np.int32] | None = None
        self._make_slots()
        self.seed(seed)

    def set_opponents(self, opponents: Opponents, weights: Sequence[float] | None = None) -> None:
        """Draw from `opponents` by `weights` from now on; games that are running keep theirs."""
        self._pool.set(opponents, weights)

    def reset(self) -> VecEnvObs:
        """Start new games in all slots; after `seed` with all chance anew. Returns observations [N, …]."""
        if self._seeds[0] is not None:
            self._rng = np.random.default_rng(self._seeds[0])
            self._batch.seed(int(self._rng.integers(SEED_LIMIT)))
            self._games_begun[:] = 0
            self._reset_seeds()
        self._actions = None
        self._begin(self._all)
        self._forget_step()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self._observe()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the learner's actions int[N], one for each slot."""
        actions = np.asarray(actions).reshape(self.num_envs)
        if self.check:
            self._check_legal(actions)
        self._actions = actions.astype(np.int32)

    def step_wait(self) -> VecEnvStepReturn:
        """Play them, then all others' turns.

        Returns observations [N, …] of the players who decide next, rewards float32[N] of the players who decided, dones
        bool[N] and infos. Finished games are followed by new ones at once.
        """
        if self._actions is None:
            raise RuntimeError("step_wait() without actions: call reset() once, then step() or step_async()")
        self.mover = self._batch.player.copy()
        self._batch.step(self._all, self._actions)
        self._actions = None
        self._play_opponents(self._all)
        dones = self._batch.player == GAME_OVER
        ended = np.flatnonzero(dones)
        self._pay(ended)
        infos = self._infos(ended)
        self.sign = self._sign(dones)
        self._begin(ended)
        rewards = self.reward_by_player[self._all, self.mover]
        return self._observe(), rewards, dones, infos

    @property
    def player(self) -> NDArray[np.int8]:
        """The players who decide next, int8[N]."""
        return self._batch.player.copy()

    @property
    def num_legal(self) -> NDArray[np.int32]:
        """How many actions are legal in each slot, int32[N]."""
        return self._batch.num_legal.copy()

    def action_masks(self, indices: VecEnvIndices = None) -> NDArray[Any]:
        """Return masks of the slots in `indices` (None: all), as ``mask_format`` says; see the class."""
        games = self._games(indices)
        if self.mask_format == "ids":
            return self._batch.legal_ids(games)
        if self.mask_format == "packed":
            return self._batch.packed_masks(games)
        return self._batch.dense_masks(games).view(np.bool_)

    def close(self) -> None:
        """Nothing to release."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return the attribute once for each slot; all slots share it."""
        return [getattr(self, attr_name)] * len(self._games(indices))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set the attribute for all slots. Raises ``ValueError`` for `indices`: the slots are one object."""
        if indices is not None:
            raise ValueError(f"set_attr({attr_name!r}) cannot be limited to some slots; leave indices=None")
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call ``"action_masks"`` (rows are the slots). Raises ``AttributeError`` for others."""
        if method_name != "action_masks":
            raise AttributeError(f"env_method({method_name!r}) is unknown; the slots only have action_masks")
        return cast("list[Any]", self.action_masks(indices))  # an array, whose rows np.stack takes without a loop

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """Return False for each slot: there are no wrapped environments inside."""
        return [False] * len(self._games(indices))

    def get_images(self) -> Sequence[NDArray[Any] | None]:
        """Return None for each slot: batches are not drawn."""
        return [None] * self.num_envs

    def _make_slots(self) -> None:
        slots, players = self.num_envs, self.game.num_players
        self._forget_step()
        self._potential = np.zeros((slots, players))
        self._seat = np.zeros(slots, dtype=np.int64)
        self._learns = np.ones((slots, players), dtype=bool)  # seats that the learner plays
        self._games_begun = np.zeros(slots, dtype=np.int64)

    def _forget_step(self) -> None:
        self.mover = np.full(self.num_envs, GAME_OVER, dtype=np.int8)
        self.sign = np.zeros(self.num_envs, dtype=np.int8)
        self.reward_by_player = np.zeros((self.num_envs, self.game.num_players), dtype=np.float32)

    def _begin(self, games: NDArray[np.int64]) -> None:
        """Start new games up to the learner's first decision; a game without any is played and dropped."""
        for _ in range(MAX_LOST_GAMES):
            if not len(games):
                return
            self._batch.reset(games)
            self._draw(games)
            self._potential[games] = 0.0
            self._play_opponents(games)
            games = games[self._batch.player[games] == GAME_OVER]
        raise RuntimeError(f"{MAX_LOST_GAMES} games in a row ended before the learner's first decision: check seat")

    def _draw(self, games: NDArray[np.int64]) -> None:
        """Draw the opponent and the learner's seat of each new game."""
        self._pool.draw(games, self._rng)
        players = self.game.num_players
        if self.seat == "rotate":
            self._seat[games] = (games + self._games_begun[games]) % players
        elif self.seat == "random":
            self._seat[games] = self._rng.integers(players, size=len(games))
        else:
            self._seat[games] = self.seat
        own_team = self._teams[self._seat[games], None] == self._teams
        self._learns[games] = own_team | self._pool.is_self(games)[:, None]
        self._games_begun[games] += 1

    def _play_opponents(self, games: NDArray[np.int64]) -> None:
        """Play on in `games` until each waits for the learner or has ended."""
        while True:
            player = self._batch.player[games]
            games = games[(player != GAME_OVER) & ~self._learns[games, player]]
            if not len(games):
                return
            for policy, group in self._pool.groups(games):
                self._batch.step(group, policy.act_batch(self._batch, group, self._rng))

    def _pay(self, ended: NDArray[np.int64]) -> None:
        """Fill ``reward_by_player`` for the step just made."""
        reward, teams = self.reward, self.game.teams
        rewards = np.zeros_like(self._potential)
        if reward.is_dense:
            potential = reward.potential(self._batch.player_scores(self._all), teams)
            rewards += potential - self._potential
            self._potential = potential
        if len(ended):
            rewards[ended] += reward.final(self._batch.player_scores(ended), self._batch.places(ended), teams)
        self.reward_by_player = rewards.astype(np.float32)

    def _sign(self, dones: NDArray[np.bool_]) -> NDArray[np.int8]:
        same_team = self._teams[self._batch.player] == self._teams[self.mover]
        return np.where(dones, 0, np.where(same_team, 1, -1)).astype(np.int8)

    def _infos(self, ended: NDArray[np.int64]) -> list[dict[str, Any]]:
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if not len(ended):
            return infos
        last = self._batch.observe(ended, self.mover[ended].astype(np.int64))
        places, scores = self._batch.places(ended).tolist(), self._batch.player_scores(ended).tolist()
        for row, slot in enumerate(ended.tolist()):
            opponent = self._pool.name(slot)
            seat = None if opponent == SELF else int(self._seat[slot])
            outcome = {"places": tuple(places[row]), "scores": tuple(scores[row]), "seat": seat, "opponent": opponent}
            observation = {key: part[row] for key, part in last.items()} if isinstance(last, dict) else last[row]
            infos[slot] = {"terminal_observation": observation, "outcome": outcome}
        return infos

    def _observe(self) -> VecEnvObs:
        return self._batch.observe(self._all)

    def _check_legal(self, actions: NDArray[Any]) -> None:
        legal = self._batch.is_legal(self._all, actions.astype(np.int32))
        if not legal.all():
            slots = np.flatnonzero(~legal)
            shown = ", ".join(f"{slot} (action {actions[slot]})" for slot in slots[:5])
            more = f" and {len(slots) - 5} more" if len(slots) > 5 else ""
            raise IllegalActionError(
                f"illegal actions in slots {shown}{more}; choose by env_method('action_masks'). Nothing was played."
            )

    def _games(self, indices: VecEnvIndices) -> NDArray[np.int64]:
        return np.array(list(self._get_indices(indices)), dtype=np.int64)  # also before __init__ has ended
