"""Many games side by side, each waiting for one learner's next decision: what the vector environments share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from .errors import IllegalActionError, action_ids
from .opponents import SELF, OpponentPool, Opponents, policy_name
from .protocol import GAME_OVER, SEED_LIMIT, Game, Observation
from .rewards import Reward, make_reward
from .seats import SeatRule, check_seat

Games: TypeAlias = NDArray[np.int64]
MaskFormat: TypeAlias = Literal["dense", "ids", "packed"]
MAX_LOST_GAMES = 1000
"""So often in a row a game may end before the learner's first decision."""


class Slots:
    """N slots, each with one game after another.

    At each new game a slot draws an entry of `opponents` by `weights`: ``"self"`` (the learner plays all seats), the
    name of a built-in policy, or a `Policy`, which plays all seats but those of the learner's team. The learner's seat
    goes by `seat`: a player, ``"random"``, or ``"rotate"`` (slot i starts with seat i mod P and goes on by one with
    each game). Opponents' turns are played in batches.

    After `play`: ``mover`` int8[N], the players who made the latest decisions, and ``reward_by_player`` float32[N, P],
    what each player got since the decision before (0 in slots that were not played).
    """

    def __init__(
        self,
        game: Game,
        num_slots: int,
        opponents: Opponents,
        weights: Sequence[float] | None = None,
        seat: SeatRule = "rotate",
        reward: str | Mapping[str, float] | Reward = "win",
        seed: int = 0,
        num_threads: int = 1,
    ) -> None:
        check_seat(seat, game.num_players)
        self.game = game
        self.seat_rule = seat
        self.reward = make_reward(reward)
        self.all: Games = np.arange(num_slots, dtype=np.int64)
        self.batch = game.batch(num_slots, seed)
        if num_threads != 1:
            if not hasattr(self.batch, "num_threads"):
                raise ValueError(f"num_threads={num_threads}: the batches of {game.name} know one thread only")
            self.batch.num_threads = num_threads
        self.pool = OpponentPool(game, opponents, weights, num_slots)
        self.teams = np.array(game.teams)
        self.seat = np.zeros(num_slots, dtype=np.int64)
        self._learns = np.ones((num_slots, game.num_players), dtype=bool)  # seats that the learner plays
        self._potential = np.zeros((num_slots, game.num_players))
        self._games_begun = np.zeros(num_slots, dtype=np.int64)
        self._rng = np.random.default_rng(seed)
        self.forget_step()

    def seed(self, seed: int | None) -> None:
        """Restart all chance: games, opponents, seats. Takes effect with the games that begin next."""
        self._rng = np.random.default_rng(seed)
        self.batch.seed(int(self._rng.integers(SEED_LIMIT)))
        self._games_begun[:] = 0

    def forget_step(self) -> None:
        """There is no latest decision."""
        slots = len(self.all)
        self.mover = np.full(slots, GAME_OVER, dtype=np.int8)
        self.reward_by_player = np.zeros((slots, self.game.num_players), dtype=np.float32)

    def begin(self, games: Games) -> None:
        """Start new games up to the learner's first decision; a game without any is played and dropped."""
        for _ in range(MAX_LOST_GAMES):
            if not len(games):
                return
            self.batch.reset(games)
            self._draw(games)
            self._potential[games] = 0.0
            self._play_opponents(games)
            games = games[self.batch.player[games] == GAME_OVER]
        raise RuntimeError(f"{MAX_LOST_GAMES} games in a row ended before the learner's first decision: check seat")

    def play(self, games: Games, actions: NDArray[np.int32]) -> Games:
        """Play the learner's legal actions int32[k] and then all others' turns; returns which of `games` have ended."""
        self.mover = self.batch.player.copy()
        self.batch.step(games, actions)
        self._play_opponents(games)
        ended: Games = games[self.batch.player[games] == GAME_OVER]
        self._pay(games, ended)
        return ended

    def masks(self, games: Games, mask_format: MaskFormat) -> NDArray[Any]:
        """Masks of the players to move: "dense" int8[k, A], "ids" int32[k, most legal], "packed" uint8[k, A / 8]."""
        if mask_format == "ids":
            return self.batch.legal_ids(games)
        if mask_format == "packed":
            return self.batch.packed_masks(games)
        return self.batch.dense_masks(games)

    def final_observation(self, ended: Games) -> Observation:
        """What those who decided last see of games that are over, stacked."""
        return self.batch.observe(ended, self.mover[ended].astype(np.int64))

    def outcomes(self, ended: Games) -> list[dict[str, Any]]:
        """Places and scores (tuples by player), the learner's seat (None in self-play) and the opponent's name."""
        places, scores = self.batch.places(ended).tolist(), self.batch.player_scores(ended).tolist()
        outcomes = []
        for row, slot in enumerate(ended.tolist()):
            opponent = self.pool.name(slot)
            seat = None if opponent == SELF else int(self.seat[slot])
            places_and_scores = {"places": tuple(places[row]), "scores": tuple(scores[row])}
            outcomes.append({**places_and_scores, "seat": seat, "opponent": opponent})
        return outcomes

    def check_legal(self, games: Games, actions: NDArray[np.int32], whose: str = "actions") -> None:
        """Raise `IllegalActionError`, which names the slots, unless all actions int32[k] are legal."""
        legal = self.batch.is_legal(games, actions)
        if legal.all():
            return
        bad = np.flatnonzero(~legal)
        shown = ", ".join(f"{games[row]} (action {actions[row]})" for row in bad[:5])
        more = f" and {len(bad) - 5} more" if len(bad) > 5 else ""
        raise IllegalActionError(
            f"illegal {whose} in slots {shown}{more}; choose by the masks. None of them was played."
        )

    def _draw(self, games: Games) -> None:
        """Draw the opponent and the learner's seat of each new game."""
        self.pool.draw(games, self._rng)
        players = self.game.num_players
        if self.seat_rule == "rotate":
            self.seat[games] = (games + self._games_begun[games]) % players
        elif self.seat_rule == "random":
            self.seat[games] = self._rng.integers(players, size=len(games))
        else:
            self.seat[games] = self.seat_rule
        own_team = self.teams[self.seat[games], None] == self.teams
        self._learns[games] = own_team | self.pool.is_self(games)[:, None]
        self._games_begun[games] += 1

    def _play_opponents(self, games: Games) -> None:
        """Play on in `games` until each waits for the learner or has ended."""
        while True:
            player = self.batch.player[games]
            games = games[(player != GAME_OVER) & ~self._learns[games, player]]
            if not len(games):
                return
            for policy, group in self.pool.groups(games):
                whose = f"actions of the opponent {policy_name(policy)}"
                actions = action_ids(policy.act_batch(self.batch, group, self._rng), len(group), whose)
                self.check_legal(group, actions, whose)
                self.batch.step(group, actions)

    def _pay(self, games: Games, ended: Games) -> None:
        """Fill `reward_by_player` for the step just made."""
        reward, teams = self.reward, self.game.teams
        rewards = np.zeros_like(self._potential)
        if reward.is_dense:
            potential = reward.potential(self.batch.player_scores(games), teams)
            rewards[games] += potential - self._potential[games]
            self._potential[games] = potential
        if len(ended):
            rewards[ended] += reward.final(self.batch.player_scores(ended), self.batch.places(ended), teams)
        self.reward_by_player = rewards.astype(np.float32)


def check_mask_format(mask_format: str) -> None:
    """Raise ``ValueError`` for an unknown one."""
    if mask_format not in get_args(MaskFormat):
        raise ValueError(f"mask_format={mask_format!r} is unknown; choose one of {', '.join(get_args(MaskFormat))}")
