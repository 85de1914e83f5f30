"""The puzzles as Gymnasium environments."""

from __future__ import annotations

import copy
from typing import Any, Literal, get_args

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from blokus_env.adapters.errors import (
    ILLEGAL_REWARD,
    IllegalActionError,
    OnIllegal,
    action_id,
    check_on_illegal,
    warn_lost,
)
from blokus_env.adapters.window import RENDER_FPS, RENDER_MODES, Window, check_render_mode
from blokus_env.puzzles.observation import observation_space
from blokus_env.puzzles.packing_state import PackingState
from blokus_env.puzzles.solo_state import SoloState, solo_game
from blokus_env.puzzles.variants import Puzzle, puzzle

DeadEnds = Literal["ignore", "report", "stop"]
"""What the environment does about positions that are proved to be unsolvable."""


class PuzzleEnv(gymnasium.Env[Any, Any]):
    """A solo puzzle: each step places a piece; the episode ends when no piece can be placed any more.

    * `name`: "solo", "tetromino", "pentomino" or a `Puzzle`; `no_edge_contact`: P4 (not in "solo").
    * `start`: the start rule of "solo", "any_corner" or "fixed".
    * `observation`: "planes" or "compact"; see `puzzles.observation`, for "solo" that of Classic's ruleset.
    * Reward: a step pays (1 - `completion`) · squares of the piece / squares of all pieces; the step that solves the
      puzzle pays `completion` (0 … 1) besides. So an episode's sum is (1 - `completion`) · share placed, and 1 exactly
      when solved.
    * `dead_ends`: "ignore"; "report": ``info["dead_end"]`` says whether it is proved that the puzzle can't be solved
      any more; "stop": the episode ends there besides (terminated; the reward of the step is as ever). False promises
      nothing: the proof is sound, but finds only plain cases.
    * `on_illegal`: ``"lose"`` terminates with reward -1 and a warning; ``"raise"`` raises `IllegalActionError` and
      changes nothing; ``"random"`` plays a legal action drawn with the environment's generator.
    * ``info``: ``action_mask`` int8[A]; ``illegal_action`` and ``random_action`` after an illegal one; at the end
      ``outcome``: `solved`, `share`, `squares`, `pieces`, and in "solo" `singles_last`, the colors that finished with
      the single square.
    * `action_masks` gives the mask as bool[A] for sb3-contrib. With `mask_in_obs` the observation also has it:
      ``{"observation": …, "action_mask": int8[A]}``, or the parts of a compact observation beside ``"action_mask"``.

    There is no chance in a puzzle: a seed only matters to `on_illegal="random"`.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(
        self,
        name: str | Puzzle = "pentomino",
        no_edge_contact: bool | None = None,
        start: str | None = None,
        observation: str = "planes",
        completion: float = 0.5,
        dead_ends: DeadEnds = "ignore",
        on_illegal: OnIllegal = "lose",
        mask_in_obs: bool = False,
        render_mode: str | None = None,
    ) -> None:
        check_on_illegal(on_illegal)
        check_render_mode(render_mode)
        if dead_ends not in get_args(DeadEnds):
            raise ValueError(f"dead_ends={dead_ends!r} is unknown; choose one of {', '.join(get_args(DeadEnds))}")
        if not 0 <= completion <= 1:
            raise ValueError(f"completion={completion!r}: expected a number from 0 to 1")
        self.puzzle = puzzle(name, no_edge_contact)
        if start is not None and not self.puzzle.in_turn:
            raise ValueError(f"start={start!r} does not apply to {self.puzzle.name!r}: a piece goes anywhere")
        self.start = start
        self.observation = observation
        self.completion = float(completion)
        self.dead_ends = dead_ends
        self.on_illegal = on_illegal
        self.mask_in_obs = mask_in_obs
        self.render_mode = render_mode
        self._position = self._new()
        self.action_space = spaces.Discrete(self._position.num_actions)
        self.observation_space = self._space()
        self._is_over = True
        self._dead_end = False
        self._window: Window | None = None

    @property
    def position(self) -> PackingState | SoloState:
        """The running puzzle, for reading."""
        return self._position

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Clear the board; returns (observation, info). `options` are ignored."""
        super().reset(seed=seed)
        self._position = self._new()
        self._is_over = self._dead_end = False
        self._show()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Place a piece; returns (observation, reward, terminated, False, info)."""
        if self._is_over:
            raise gymnasium.error.ResetNeeded("step() without a running puzzle: call reset() first")
        action = action_id(action)
        before = self._position.squares_placed
        try:
            notes = self._push(action)
        except IllegalActionError:
            if self.on_illegal == "raise":
                raise
            return self._lose(action)
        if self.dead_ends != "ignore":
            self._dead_end = self._position.dead_end() is not None
        self._is_over = self._position.is_over or (self._dead_end and self.dead_ends == "stop")
        share = (self._position.squares_placed - before) / self.puzzle.num_squares
        reward = (1 - self.completion) * share + self.completion * self._position.is_solved
        self._show()
        return self._observation(), reward, self._is_over, False, self._info() | notes

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask bool[A], a fresh array; all False when the episode is over."""
        return self._mask().view(np.bool_)

    def legal_actions(self) -> NDArray[np.int32]:
        """Return the legal action ids int32[k], ascending; empty when the episode is over."""
        return np.empty(0, dtype=np.int32) if self._is_over else self._position.legal_actions()

    def render(self) -> Any:
        """Draw the board as the render mode says: text, uint8[height, width, 3], or a window (None)."""
        if self.render_mode is None:
            raise ValueError(
                f"render() needs render_mode=… when the environment is made; one of {', '.join(RENDER_MODES)}"
            )
        if self.render_mode != "human":
            return self._position.render(self.render_mode)
        if self._window is None:
            self._window = Window(self.puzzle.title, RENDER_FPS)
        picture = self._position.render("rgb_array")
        assert isinstance(picture, np.ndarray)
        self._window.show(picture)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_window": None}

    def _new(self) -> PackingState | SoloState:
        if self.puzzle.in_turn:
            return SoloState(self.start, observation=self.observation)
        return PackingState(self.puzzle, observation=self.observation)

    def _space(self) -> spaces.Space[Any]:
        space: spaces.Space[Any]
        if self.puzzle.in_turn:
            space = solo_game(self.start, None, self.observation).observation_space
        else:
            space = observation_space(self.puzzle, self.observation)
        if not self.mask_in_obs:
            return copy.deepcopy(space)
        mask = spaces.Box(0, 1, (self._position.num_actions,), np.int8)
        parts: dict[str, spaces.Space[Any]] = {"observation": space}
        if isinstance(space, spaces.Dict):
            parts = dict(space.spaces)
        return spaces.Dict({**parts, "action_mask": mask})

    def _push(self, action: int) -> dict[str, int]:
        """Play the action; returns what info has to say about it."""
        notes: dict[str, int] = {}
        if self.on_illegal == "random" and not self._position.is_legal(action):
            legal = int(self.np_random.choice(self._position.legal_actions()))
            notes = {"illegal_action": action, "random_action": legal}
            action = legal
        self._position.push(action)
        return notes

    def _lose(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        warn_lost("the player", action)
        self._is_over = True
        return self._observation(), ILLEGAL_REWARD, True, False, self._info() | {"illegal_action": action}

    def _mask(self) -> NDArray[np.int8]:
        mask = np.zeros(self._position.num_actions, dtype=np.int8)
        if not self._is_over:
            self._position.write_mask(mask)
        return mask

    def _observation(self) -> Any:
        observation = self._position.observe()
        if not self.mask_in_obs:
            return observation
        parts = observation if isinstance(observation, dict) else {"observation": observation}
        return {**parts, "action_mask": self._mask()}

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._mask()}
        if self.dead_ends != "ignore":
            info["dead_end"] = self._dead_end
        if self._is_over:
            info["outcome"] = self._outcome()
        return info

    def _outcome(self) -> dict[str, Any]:
        position = self._position
        squares = position.squares_placed
        outcome: dict[str, Any] = {
            "solved": position.is_solved,
            "share": squares / self.puzzle.num_squares,
            "squares": squares,
            "pieces": position.ply,
        }
        if isinstance(position, SoloState):
            outcome["singles_last"] = position.singles_last
        return outcome

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
