"""Any game as a PettingZoo environment: players act one after another."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
)

from .errors import ILLEGAL_REWARD, IllegalActionError, OnIllegal, action_id, check_on_illegal, warn_lost
from .protocol import SEED_LIMIT, Game, Observation, Position
from .rewards import Reward, make_reward
from .window import RENDER_FPS, RENDER_MODES, Window, check_render_mode


class GameAECEnv(AECEnv):  # type: ignore[misc]  # PettingZoo is untyped
    """A `Game` for agents ``player_0`` … ``player_{P-1}``, without order enforcing (see `wrap`).

    * Observations are ``{"observation": …, "action_mask": int8[A]}``; the mask is zeros for players not to move.
    * ``infos[agent]["action_mask"]`` is the same mask. `legal_actions` gives the ids, much shorter.
    * ``infos[agent]["skipped"]`` is a tuple of the agents whose turns were consumed without a move, in order, since the
      last decision of `agent`.
    * The game ends for all at once; nobody is terminated before.
    * `reward` is a name of `rewards.REWARD_NAMES` or weights of these. A dense reward changes all agents' rewards at
      every step, so that ``last()`` gives the change since the agent's last own decision.
    * `on_illegal`: ``"lose"`` ends the game with a warning: -1 for the offender and 0 for the others in that step, and
      ``infos[offender]["illegal_action"]``; ``"raise"`` raises `IllegalActionError` and changes nothing; ``"random"``
      plays a legal action drawn with the environment's generator and puts it into ``infos[offender]`` as
      ``"random_action"``, beside ``"illegal_action"``, until the offender's next decision.
    """

    def __init__(
        self,
        game: Game,
        reward: str | Mapping[str, float] | Reward = "win",
        on_illegal: OnIllegal = "lose",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_on_illegal(on_illegal)
        check_render_mode(render_mode)
        self.game = game
        self._num_actions = game.num_actions
        self.reward = make_reward(reward)
        self.on_illegal = on_illegal
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,  # players act in turn
            "render_fps": RENDER_FPS,
        }
        self.possible_agents = [f"player_{player}" for player in range(game.num_players)]
        self.agents: list[str] = []
        self.state_space = game.state_space
        self.observation_spaces = {agent: _with_mask(game) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        self._player_of = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._window: Window | None = None
        self._rng: np.random.Generator | None = None
        self._position: Position
        self._infos: dict[str, dict[str, Any]] | None = None
        self._legal: NDArray[np.int32] | None = None

    @property
    def position(self) -> Position:
        """The running game, for reading."""
        return self._position

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """The info of each agent still in the environment; made when first asked for after a step."""
        if self._infos is None:
            self._infos = {agent: self._info(agent) for agent in self.agents}
        return self._infos

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of ``{"observation", "action_mask"}``, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of action ids, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. With `seed` everything that is random starts anew; `options` are ignored."""
        if seed is not None or self._rng is None:
            self._rng = np.random.default_rng(seed)
        self._position = self.game.new(int(self._rng.integers(SEED_LIMIT)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.possible_agents[self._position.player]
        self._skip_agent_selection = None
        self._potential = np.zeros(self.game.num_players)
        self._skipped: dict[str, tuple[str, ...]] = dict.fromkeys(self.agents, ())
        self._notes: dict[str, dict[str, int]] = {}
        self._paid = False  # whether the latest step gave rewards; most steps of a sparse reward give none
        self._forget()
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Play `action` for ``agent_selection``; None for an agent whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move, so step() needs an action id, not None")
        action = action_id(action)
        try:
            self._push(agent, action)
        except IllegalActionError:
            if self.on_illegal == "raise":
                raise
            self._push_illegal(agent, action)
        if self._paid:
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return ``{"observation": …, "action_mask": int8[A]}`` of `agent`, fresh arrays."""
        observation: Observation = self._position.observe(self._player_of[agent])
        return {"observation": observation, "action_mask": self._new_mask(agent)}

    def legal_actions(self, agent: str) -> NDArray[np.int32]:
        """Return the legal action ids int32[k] of `agent`, ascending, read-only; empty when not to move."""
        if not self._is_to_move(agent):
            return np.empty(0, dtype=np.int32)
        if self._legal is None:
            self._legal = self._position.legal_actions().view()
            self._legal.flags.writeable = False
        return self._legal

    def state(self) -> NDArray[np.uint8]:
        """Return everything, hidden parts too, in ``state_space``; a fresh array."""
        return self._position.full_state()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Draw the whole game as the render mode says: text, uint8[height, width, 3], or a window (None)."""
        if self.render_mode is None:
            raise ValueError(
                f"render() needs render_mode=… when the environment is made; one of {', '.join(RENDER_MODES)}"
            )
        if self.render_mode != "human":
            return self._position.render(self.render_mode)
        if self._window is None:
            self._window = Window(self.metadata["name"], RENDER_FPS)
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

    def _push(self, agent: str, action: int) -> None:
        position = self._position
        position.push(action)
        self._begin_step(agent)
        if position.skipped:
            names = tuple(self.possible_agents[player] for player in position.skipped)
            self._skipped = {key: before + names for key, before in self._skipped.items()}
        if position.is_over or self.reward.is_dense:
            self._pay()
        if position.is_over:
            self._end()
        else:
            self.agent_selection = self.possible_agents[position.player]

    def _push_illegal(self, agent: str, action: int) -> None:
        if self.on_illegal == "random":
            assert self._rng is not None
            legal = int(self._rng.choice(self.legal_actions(agent)))
            self._push(agent, legal)
            self._notes[agent] = {"illegal_action": action, "random_action": legal}
        else:
            warn_lost(agent, action)
            self._begin_step(agent)
            self._notes[agent] = {"illegal_action": action}
            self.rewards[agent] = ILLEGAL_REWARD
            self._paid = True
            self._end()

    def _begin_step(self, agent: str) -> None:
        """Forget what was true before the decision of `agent`."""
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        self._skipped[agent] = ()
        self._notes.pop(agent, None)
        self._forget()

    def _pay(self) -> None:
        """Set the rewards of the step just made."""
        scores = self._position.player_scores()
        potential = self.reward.potential(scores, self.game.teams)
        rewards = potential - self._potential
        self._potential = potential
        if self._position.is_over:
            rewards += self.reward.final(scores, self._position.places(), self.game.teams)
        self.rewards = dict(zip(self.possible_agents, rewards.tolist(), strict=True))
        self._paid = True

    def _end(self) -> None:
        """End the game for all agents; each still gets its last observation and reward."""
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _forget(self) -> None:
        """Drop what is kept for one ply only."""
        self._infos = None
        self._legal = None

    def _is_to_move(self, agent: str) -> bool:
        return self._position.player == self._player_of[agent] and not self.terminations.get(agent, True)

    def _new_mask(self, agent: str) -> NDArray[np.int8]:
        """A fresh mask int8[A], zeros for an agent who is not to move."""
        if not self._is_to_move(agent):
            return np.zeros(self._num_actions, dtype=np.int8)
        mask = np.empty(self._num_actions, dtype=np.int8)
        self._position.write_mask(mask)
        return mask

    def _info(self, agent: str) -> dict[str, Any]:
        return {"action_mask": self._new_mask(agent), "skipped": self._skipped[agent], **self._notes.get(agent, {})}


def wrap(env: GameAECEnv) -> AECEnv:
    """Return `env` with PettingZoo's checks: calls in a wrong order, and ids outside of the action space.

    Ids inside of the space that are not legal pass through to ``on_illegal``; PettingZoo's own wrapper for them would
    ask for the mask twice and set truncations beside terminations.
    """
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env))


def _with_mask(game: Game) -> spaces.Dict:
    """A new space for observation and mask (each agent has its own, so that each can be seeded)."""
    mask = spaces.Box(0, 1, (game.num_actions,), np.int8)
    return spaces.Dict({"observation": copy.deepcopy(game.observation_space), "action_mask": mask})
