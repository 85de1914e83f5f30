"""Any game as a Gymnasium environment: one learner against given opponents."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from .errors import ILLEGAL_REWARD, IllegalActionError, OnIllegal, action_id, check_on_illegal, warn_lost
from .opponents import Opponents, as_entries, as_policy, policy_name
from .protocol import SEED_LIMIT, Game, Observation, Policy, Position
from .rewards import Reward, make_reward
from .seats import SeatRule, check_seat
from .window import RENDER_FPS, RENDER_MODES, Window, check_render_mode

MAX_LOST_GAMES = 1000
"""So often in a row a game may end before the learner's first decision."""


class SinglePlayerEnv(gymnasium.Env[Any, Any]):
    """A `Game` for one learner; a step lasts from its decision to its next one, or to the end of the game.

    * `opponents`: a name of a built-in policy, a `Policy`, or a list: one for all other seats, or one for each of them
      in the order of play after the learner's seat.
    * `seat`: the learner's player, ``"random"``, or ``"rotate"``: on by one with each game, beginning after
      ``reset(seed=s)`` with seat s mod P, so that games with seeds in a row also take all seats in turn.
    * `reward` is a name of `rewards.REWARD_NAMES` or weights of these; a dense reward counts from 0 before the game.
    * `on_illegal`: ``"lose"`` terminates with reward -1 and a warning; ``"raise"`` raises `IllegalActionError` and
      changes nothing; ``"random"`` plays a legal action drawn with the environment's generator.
    * ``info``: ``action_mask`` int8[A]; ``seat``; ``skipped``, a tuple of the players whose turns were consumed without
      a move in this step; ``illegal_action`` and ``random_action`` after an illegal one; at the end ``outcome`` with
      places and scores, tuples by player.
    * `action_masks` gives the mask as bool[A] for sb3-contrib. With `mask_in_obs` the observation also has it:
      ``{"observation": …, "action_mask": int8[A]}``, or the parts of a dict observation beside ``"action_mask"``.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012

    def __init__(
        self,
        game: Game,
        opponents: Opponents = "random",
        seat: SeatRule = "rotate",
        reward: str | Mapping[str, float] | Reward = "win",
        on_illegal: OnIllegal = "lose",
        mask_in_obs: bool = False,
        render_mode: str | None = None,
    ) -> None:
        check_on_illegal(on_illegal)
        check_render_mode(render_mode)
        check_seat(seat, game.num_players)
        self.game = game
        self.opponents = _one_for_each_seat(game, opponents)
        self.seat_rule = seat
        self.reward = make_reward(reward)
        self.on_illegal = on_illegal
        self.mask_in_obs = mask_in_obs
        self.render_mode = render_mode
        self.observation_space = _space(game, mask_in_obs)
        self.action_space = spaces.Discrete(game.num_actions)
        self.seat = 0
        self._first_seat = 0
        self._games_begun = 0
        self._is_over = True
        self._skipped: tuple[int, ...] = ()
        self._potential = 0.0
        self._window: Window | None = None
        self._position: Position

    @property
    def position(self) -> Position:
        """The running game, for reading."""
        return self._position

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game and play it up to the learner's first decision; returns (observation, info).

        With `seed` everything that is random starts anew, also opponents and seats; `options` are ignored.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._first_seat = seed % self.game.num_players
            self._games_begun = 0
        for _ in range(MAX_LOST_GAMES):
            self._begin()
            if not self._position.is_over:
                self._show()
                return self._observation(), self._info()
        raise RuntimeError(f"{MAX_LOST_GAMES} games in a row ended before the learner's first decision: check seat")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play `action`, then all others' turns; returns (observation, reward, terminated, False, info)."""
        if self._is_over:
            raise gymnasium.error.ResetNeeded("step() without a running game: call reset() first")
        action = action_id(action)
        self._skipped = ()
        try:
            notes = self._push(action)
        except IllegalActionError:
            if self.on_illegal == "raise":
                raise
            return self._lose(action)
        self._play_opponents()
        self._is_over = self._position.is_over
        reward = self._pay()
        self._show()
        return self._observation(), reward, self._is_over, False, self._info() | notes

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learner's mask bool[A], a fresh array; all False when the game is over."""
        return self._mask().view(np.bool_)

    def legal_actions(self) -> NDArray[np.int32]:
        """Return the learner's legal action ids int32[k], ascending; empty when the game is over."""
        return np.empty(0, dtype=np.int32) if self._is_over else self._position.legal_actions()

    def render(self) -> Any:
        """Draw what the learner sees as the render mode says: text, uint8[height, width, 3], or a window (None)."""
        if self.render_mode is None:
            raise ValueError(
                f"render() needs render_mode=… when the environment is made; one of {', '.join(RENDER_MODES)}"
            )
        if self.render_mode != "human":
            return self._position.render(self.render_mode, self.seat)
        if self._window is None:
            self._window = Window(f"{self.game.name}_v{self.game.version}", RENDER_FPS)
        picture = self._position.render("rgb_array", self.seat)
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

    def _begin(self) -> None:
        players = self.game.num_players
        if self.seat_rule == "rotate":
            self.seat = (self._first_seat + self._games_begun) % players
        elif self.seat_rule == "random":
            self.seat = int(self.np_random.integers(players))
        else:
            self.seat = int(self.seat_rule)
        self._games_begun += 1
        self._position = self.game.new(int(self.np_random.integers(SEED_LIMIT)))
        self._skipped = ()
        self._potential = 0.0
        self._play_opponents()
        self._is_over = self._position.is_over

    def _push(self, action: int) -> dict[str, int]:
        """Play the learner's action; returns what info has to say about it."""
        notes: dict[str, int] = {}
        if self.on_illegal == "random" and not self._position.is_legal(action):
            legal = int(self.np_random.choice(self._position.legal_actions()))
            notes = {"illegal_action": action, "random_action": legal}
            action = legal
        self._position.push(action)
        self._skipped += self._position.skipped
        return notes

    def _play_opponents(self) -> None:
        position = self._position
        while not position.is_over and position.player != self.seat:
            player = position.player
            policy = self.opponents[(player - self.seat - 1) % self.game.num_players]
            action = policy.act(position.view(player), self.np_random)
            try:
                position.push(action_id(action))
            except IllegalActionError as error:
                self._is_over = True
                who = f"the opponent {policy_name(policy)} (player {player})"
                raise IllegalActionError(f"{who}: {error}; call reset()") from error
            self._skipped += position.skipped

    def _pay(self) -> float:
        """Return the learner's reward of the step just made."""
        reward, is_over, teams = 0.0, self._position.is_over, self.game.teams
        if not (is_over or self.reward.is_dense):
            return reward
        scores = self._position.player_scores()
        potential = float(self.reward.potential(scores, teams)[self.seat])
        reward = potential - self._potential
        self._potential = potential
        if is_over:
            reward += float(self.reward.final(scores, self._position.places(), teams)[self.seat])
        return reward

    def _lose(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        warn_lost(f"the learner (player {self.seat})", action)
        self._is_over = True
        return self._observation(), ILLEGAL_REWARD, True, False, self._info() | {"illegal_action": action}

    def _mask(self) -> NDArray[np.int8]:
        mask = np.zeros(self.game.num_actions, dtype=np.int8)
        if not self._is_over:
            self._position.write_mask(mask)
        return mask

    def _observation(self) -> Any:
        observation: Observation = self._position.observe(self.seat)
        if not self.mask_in_obs:
            return observation
        parts = observation if isinstance(observation, dict) else {"observation": observation}
        return {**parts, "action_mask": self._mask()}

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._mask(), "seat": self.seat, "skipped": self._skipped}
        if self._position.is_over:
            places, scores = self._position.places().tolist(), self._position.player_scores().tolist()
            info["outcome"] = {"places": tuple(places), "scores": tuple(scores)}
        return info

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _one_for_each_seat(game: Game, opponents: Opponents) -> list[Policy]:
    """Return P - 1 policies, in the order of play after the learner."""
    policies = [as_policy(game, entry) for entry in as_entries(opponents)]
    others = game.num_players - 1
    if len(policies) == 1:
        return policies * others
    if len(policies) != others:
        raise ValueError(f"opponents has {len(policies)} entries; give 1, or {others} (one for each other seat)")
    return policies


def _space(game: Game, mask_in_obs: bool) -> spaces.Space[Any]:
    space = copy.deepcopy(game.observation_space)
    if not mask_in_obs:
        return space
    mask = spaces.Box(0, 1, (game.num_actions,), np.int8)
    parts = dict(space.spaces) if isinstance(space, spaces.Dict) else {"observation": space}
    return spaces.Dict({**parts, "action_mask": mask})
