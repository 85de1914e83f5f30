"""Any game as a Gymnasium vector environment: many games in one object, stepped together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .errors import ILLEGAL_REWARD, OnIllegal, action_ids, check_on_illegal, warn_lost
from .opponents import Opponents
from .protocol import GAME_OVER, Game, Observation
from .rewards import Reward
from .seats import SeatRule
from .slots import Games, MaskFormat, Slots, check_mask_format

Step = tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """N games for one learner; the vector form of `SinglePlayerEnv`, whose options mean the same here.

    * `opponents`, `weights`, `seat`: see `Slots`. The learner may also play all seats (``"self"``): the reward of a
      step is then that of the player who decided, ``infos["mover"]``.
    * `autoreset_mode`: ``"NextStep"`` (the default; the step after a game's end ignores the action and begins a game),
      ``"SameStep"`` (the observation is that of the next game; ``infos["final_obs"]``, object[N], and
      ``infos["final_info"]`` have the last one's) or ``"Disabled"`` (call
      ``reset(options={"reset_mask": bool[N]})``); also as `AutoresetMode`.
    * `mask_format`: how ``infos["action_mask"]`` comes: ``"dense"`` int8[N, A], ``"ids"`` int32[N, most legal actions],
      ascending and padded with -1, or ``"packed"`` uint8[N, ceil(A / 8)], bit order little. A slot whose game is over
      has action 0 alone, so that samplers work; it is not played.
    * `on_illegal` is ``"lose"``, ``"raise"`` (nothing is played in any slot) or ``"random"``.
    * `infos`, each an array with N rows: ``action_mask``, ``player`` (who decides next, -1 where over), ``mover``,
      ``seat``; after an end ``outcome`` (object[N]: places, scores, seat, opponent) with ``_outcome`` bool[N].

    `num_threads` share the work on many games; results do not depend on it.

    Every array returned belongs to the caller: nothing is written to it later. ``step`` takes int[N].
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Opponents = "random",
        weights: Sequence[float] | None = None,
        seat: SeatRule = "rotate",
        reward: str | Mapping[str, float] | Reward = "win",
        on_illegal: OnIllegal = "lose",
        mask_format: MaskFormat = "dense",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        num_threads: int = 1,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs} is too small: expected at least 1")
        check_on_illegal(on_illegal)
        check_mask_format(mask_format)
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.game = game
        self.num_envs = num_envs
        self.on_illegal = on_illegal
        self.mask_format: MaskFormat = mask_format
        self.single_observation_space = game.observation_space
        self.single_action_space = spaces.Discrete(game.num_actions)
        self.observation_space = batch_space(game.observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._slots = Slots(game, num_envs, opponents, weights, seat, reward, num_threads=num_threads)
        self._is_over = np.ones(num_envs, dtype=np.bool_)  # slots without a running game

    @property
    def player(self) -> NDArray[np.int8]:
        """The players who decide next, int8[N]; -1 where the game is over."""
        return np.where(self._is_over, GAME_OVER, self._slots.batch.player).astype(np.int8)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start new games; returns (observations, infos).

        With `seed` all chance starts anew: of games, opponents and seats. All slots share one generator, so a sequence
        of seeds is not possible. ``options={"reset_mask": bool[N]}`` starts games in these slots alone.
        """
        games = self._slots.all if options is None or "reset_mask" not in options else self._chosen(options)
        if seed is not None:
            if not isinstance(seed, (int, np.integer)):
                raise ValueError(f"seed={seed!r}: all slots share one generator, so give one int")
            super().reset(seed=int(seed))
            self._slots.seed(int(seed))
        elif self._np_random is None:
            self._slots.seed(None)
            super().reset(seed=int(np.random.SeedSequence().generate_state(1)[0]))
        self._slots.begin(games)
        self._slots.forget_step()
        self._is_over[games] = False
        return self._observe(), self._infos()

    def step(self, actions: Any) -> Step:
        """Play one action in each slot, then all others' turns."""
        running = ~self._is_over
        if not running.all() and self.autoreset_mode is not AutoresetMode.NEXT_STEP:
            slots = np.flatnonzero(self._is_over)
            raise ResetNeeded(f"no game is running in slots {slots[:5].tolist()}: call reset() first")
        if self._np_random is None:
            raise ResetNeeded("step() before the first reset()")
        chosen = action_ids(actions, self.num_envs, "actions")
        notes, lost = self._play(np.flatnonzero(running), chosen)
        fresh = np.flatnonzero(~running)
        self._slots.begin(fresh)
        self._is_over[fresh] = False
        terminations = running & self._is_over
        rewards = np.zeros(self.num_envs)
        rewards[running] = self._slots.reward_by_player[running, self._slots.mover[running]]
        rewards[lost] = ILLEGAL_REWARD
        infos = self._ended(terminations, lost, notes)
        return self._observe(), rewards, terminations, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> NDArray[Any]:
        """Return the masks of all slots, fresh, as `mask_format` says; bool[N, A] for ``"dense"``."""
        masks = self._masks()
        return masks.view(np.bool_) if self.mask_format == "dense" else masks

    def _chosen(self, options: dict[str, Any]) -> Games:
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"options['reset_mask'] must be a bool array of shape ({self.num_envs},), not {mask!r}")
        if not mask.any():
            raise ValueError("options['reset_mask'] chooses no slot: at least one entry must be True")
        return np.flatnonzero(mask)

    def _play(self, games: Games, actions: NDArray[np.int32]) -> tuple[dict[str, NDArray[np.int32]], Games]:
        """Play in `games`; returns what infos have to say about illegal actions, and the slots that lost by them."""
        slots, notes = self._slots, {}
        lost: Games = np.zeros(0, np.int64)
        if self.on_illegal == "raise":
            slots.check_legal(games, actions[games])
        illegal = games[~slots.batch.is_legal(games, actions[games])]
        if len(illegal):
            notes["illegal_action"] = self._note(illegal, actions[illegal])
            if self.on_illegal == "random":
                actions[illegal] = self._random_actions(illegal)
                notes["random_action"] = self._note(illegal, actions[illegal])
            else:
                lost = illegal
                for slot in lost[:1]:
                    warn_lost(f"the learner in slot {slot} and {len(lost) - 1} more", int(actions[slot]))
        played = np.setdiff1d(games, lost)
        slots.play(played, actions[played])
        self._is_over[games] = slots.batch.player[games] == GAME_OVER
        self._is_over[lost] = True
        return notes, lost

    def _random_actions(self, games: Games) -> NDArray[np.int32]:
        ids, count = self._slots.batch.legal_ids(games), self._slots.batch.num_legal[games]
        picked: NDArray[np.int32] = ids[np.arange(len(games)), self.np_random.integers(count)]
        return picked

    def _note(self, games: Games, values: NDArray[np.int32]) -> NDArray[np.int32]:
        note = np.full(self.num_envs, -1, np.int32)
        note[games] = values
        return note

    def _ended(
        self, terminations: NDArray[np.bool_], lost: Games, notes: dict[str, NDArray[np.int32]]
    ) -> dict[str, Any]:
        """The infos of a step; in the mode SAME_STEP also begins the next games."""
        slots, ended = self._slots, np.flatnonzero(terminations)
        last = {**self._outcome(np.setdiff1d(ended, lost)), **notes}
        if self.autoreset_mode is not AutoresetMode.SAME_STEP or not len(ended):
            return {**self._infos(), **last}
        has_ended = {"_final_obs": terminations.copy(), "_final_info": terminations.copy()}
        final = {"final_obs": self._final_observations(ended), "final_info": {"seat": slots.seat.copy(), **last}}
        slots.begin(ended)
        self._is_over[ended] = False
        return {**self._infos(), **final, **has_ended}

    def _outcome(self, finished: Games) -> dict[str, Any]:
        if not len(finished):
            return {}
        outcome, has_outcome = np.full(self.num_envs, None, dtype=object), np.zeros(self.num_envs, np.bool_)
        outcome[finished] = self._slots.outcomes(finished)
        has_outcome[finished] = True
        return {"outcome": outcome, "_outcome": has_outcome}

    def _final_observations(self, ended: Games) -> NDArray[np.object_]:
        """Object[N], as Gymnasium's own vector environments give them: an observation, or None."""
        stacked = self._slots.final_observation(ended)
        observations = np.full(self.num_envs, None, dtype=object)
        for row, slot in enumerate(ended.tolist()):
            parts = {key: part[row] for key, part in stacked.items()} if isinstance(stacked, dict) else stacked[row]
            observations[slot] = parts
        return observations

    def _infos(self) -> dict[str, Any]:
        slots = self._slots
        seats = slots.seat.copy()
        return {"action_mask": self._masks(), "player": self.player, "mover": slots.mover.copy(), "seat": seats}

    def _observe(self) -> Observation:
        """Of the players who decide next; where the game is over, of those who decided last."""
        batch, mover = self._slots.batch, self._slots.mover
        players = np.where(self.player == GAME_OVER, mover, batch.player)
        return batch.observe(self._slots.all, np.maximum(players, 0).astype(np.int64))

    def _masks(self) -> NDArray[Any]:
        masks = self._slots.masks(self._slots.all, self.mask_format)
        if self._is_over.any():
            if not masks.shape[1]:
                masks = np.full((self.num_envs, 1), -1, masks.dtype)
            masks[self._is_over] = -1 if self.mask_format == "ids" else 0
            masks[self._is_over, 0] = 0 if self.mask_format == "ids" else 1
        return masks


def _autoreset_mode(mode: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(repr(member.value) for member in AutoresetMode)
        raise ValueError(f"autoreset_mode={mode!r} is unknown; choose one of {names}") from None
