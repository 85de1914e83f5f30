"""Many games for Stable-Baselines3: one learner against itself and against others, in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn

from .errors import action_ids
from .opponents import SELF, Opponents
from .protocol import GAME_OVER, Game
from .rewards import Reward
from .seats import SeatRule
from .slots import MaskFormat, Slots, check_mask_format


class SelfPlayVecEnv(VecEnv):
    """N slots, each with one game after another, waiting for the learner's next action.

    `opponents`, `weights` and `seat` are those of `Slots`: with ``"self"`` the learner plays all seats. Opponents'
    turns are played in batches inside of `step_wait`, also the first ones of a new game.

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

    `num_threads` share the work on many games; results do not depend on it.

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
        num_threads: int = 1,
    ) -> None:
        check_mask_format(mask_format)
        self.render_mode = None
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs} is too small: expected at least 1")
        super().__init__(num_envs, game.observation_space, spaces.Discrete(game.num_actions))
        self.game = game
        self.mask_format: MaskFormat = mask_format
        self.check = check
        self._slots = Slots(game, num_envs, opponents, weights, seat, reward, seed, num_threads)
        self.reward = self._slots.reward
        self.is_zero_sum = self.reward.is_zero_sum and len(set(game.teams)) == 2
        self.sign = np.zeros(num_envs, dtype=np.int8)
        self._actions: NDArray[np.int32] | None = None
        self.seed(seed)

    def set_opponents(self, opponents: Opponents, weights: Sequence[float] | None = None) -> None:
        """Draw from `opponents` by `weights` from now on; games that are running keep theirs."""
        self._slots.pool.set(opponents, weights)

    def reset(self) -> VecEnvObs:
        """Start new games in all slots; after `seed` with all chance anew. Returns observations [N, …]."""
        if self._seeds[0] is not None:
            self._slots.seed(self._seeds[0])
            self._reset_seeds()
        self._actions = None
        self._slots.begin(self._slots.all)
        self._slots.forget_step()
        self.sign = np.zeros(self.num_envs, dtype=np.int8)
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self._observe()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take the learner's actions int[N], one for each slot."""
        ids = action_ids(actions, self.num_envs, "actions")
        if self.check:
            self._slots.check_legal(self._slots.all, ids)
        self._actions = ids

    def step_wait(self) -> VecEnvStepReturn:
        """Play them, then all others' turns.

        Returns observations [N, …] of the players who decide next, rewards float32[N] of the players who decided, dones
        bool[N] and infos. Finished games are followed by new ones at once.
        """
        if self._actions is None:
            raise RuntimeError("step_wait() without actions: call reset() once, then step() or step_async()")
        slots = self._slots
        ended = slots.play(slots.all, self._actions)
        self._actions = None
        dones = slots.batch.player == GAME_OVER
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if len(ended):
            self._describe(ended, infos)
        self.sign = self._sign(dones)
        slots.begin(ended)
        rewards = slots.reward_by_player[slots.all, slots.mover]
        return self._observe(), rewards, dones, infos

    @property
    def mover(self) -> NDArray[np.int8]:
        """The players who made the latest decisions, int8[N]."""
        return self._slots.mover

    @property
    def reward_by_player(self) -> NDArray[np.float32]:
        """What each player got in the latest step, float32[N, P]."""
        return self._slots.reward_by_player

    @property
    def player(self) -> NDArray[np.int8]:
        """The players who decide next, int8[N]."""
        return self._slots.batch.player.copy()

    @property
    def num_legal(self) -> NDArray[np.int32]:
        """How many actions are legal in each slot, int32[N]."""
        return self._slots.batch.num_legal.copy()

    def action_masks(self, indices: VecEnvIndices = None) -> NDArray[Any]:
        """Return masks of the slots in `indices` (None: all), as ``mask_format`` says; see the class."""
        masks = self._slots.masks(self._games(indices), self.mask_format)
        return masks.view(np.bool_) if self.mask_format == "dense" else masks

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

    def _sign(self, dones: NDArray[np.bool_]) -> NDArray[np.int8]:
        teams, slots = self._slots.teams, self._slots
        same_team = teams[slots.batch.player] == teams[slots.mover]
        return np.where(dones, 0, np.where(same_team, 1, -1)).astype(np.int8)

    def _describe(self, ended: NDArray[np.int64], infos: list[dict[str, Any]]) -> None:
        """Write what the infos of finished games have to say."""
        last = self._slots.final_observation(ended)
        for row, (slot, outcome) in enumerate(zip(ended.tolist(), self._slots.outcomes(ended), strict=True)):
            observation = {key: part[row] for key, part in last.items()} if isinstance(last, dict) else last[row]
            infos[slot] = {"terminal_observation": observation, "outcome": outcome}

    def _observe(self) -> VecEnvObs:
        return self._slots.batch.observe(self._slots.all)

    def _games(self, indices: VecEnvIndices) -> NDArray[np.int64]:
        games = np.array(list(self._get_indices(indices)), dtype=np.int64)  # also before __init__ has ended
        if len(games) and not (games.min() >= 0 and games.max() < self.num_envs):
            raise IndexError(f"indices={indices!r} name a game that does not exist: expected 0 … {self.num_envs - 1}")
        return games
