"""The configuration of a training run: saved beside it, and read again to resume it."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from agents.learning.budget import UNITS


@dataclass
class TrainConfig:
    """Everything that determines a run. The defaults are the recipe for Duo."""

    env: str = "duo"
    start: str | None = None  # start rule; None: the game's default
    scoring: str | None = None
    options: dict[str, Any] = field(default_factory=dict)  # others of the game, such as {"num_players": 2}
    seed: int = 0
    unit: str = "minutes"  # of the budget: minutes, cpu_minutes or timesteps
    amount: float = 10.0
    num_envs: int = 128
    opponents: dict[str, float] = field(default_factory=lambda: {"self": 0.5, "greedy": 0.5})  # with weights
    reward: dict[str, float] = field(default_factory=lambda: {"win": 0.3, "dense_margin": 1 / 30})
    # PPO
    n_steps: int = 16
    batch_size: int = 128
    epochs: int = 1
    learning_rate: float = 2e-3
    final_rate: float = 0.02  # share of the learning rate that is left at the end
    ent_coef: float = 0.003
    clip_range: float = 0.2
    gamma: float = 1.0
    gae_lambda: float = 0.95
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    # network
    channels: int = 32
    blocks: int = 3
    # evaluation
    eval_opponents: list[str] | None = None  # None: random, largest, greedy and heuristic, as far as the game has them
    evaluations: int = 5  # during training, the first one before it
    eval_games: int = 100
    final_games: int = 400
    opening_plies: int = 2

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise ValueError(f"unit {self.unit!r} is not one of {', '.join(UNITS)}")
        positive = ("amount", "num_envs", "n_steps", "batch_size", "epochs", "learning_rate", "channels", "eval_games")
        for name in (*positive, "final_games"):
            if not 0 < getattr(self, name) < math.inf:
                raise ValueError(f"{name} must be more than 0; got {getattr(self, name)}")
        for name in ("blocks", "evaluations", "opening_plies"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} must be at least 0; got {getattr(self, name)}")
        if not self.opponents or min(self.opponents.values()) < 0 or sum(self.opponents.values()) <= 0:
            raise ValueError(f"opponents need weights of at least 0, not all 0; got {self.opponents}")

    @classmethod
    def load(cls, path: Path, **changes: Any) -> TrainConfig:
        """From a JSON file, with changes. Raises ValueError for unknown names."""
        return cls.make({**json.loads(path.read_text()), **changes}, str(path))

    @classmethod
    def make(cls, values: dict[str, Any], source: str = "configuration") -> TrainConfig:
        """From names and values. Raises ValueError for unknown names."""
        unknown = sorted(set(values) - {each.name for each in fields(cls)})
        if unknown:
            raise ValueError(f"{source}: unknown settings {', '.join(unknown)}")
        return cls(**values)

    def save(self, path: Path) -> None:
        """Write a JSON file."""
        path.write_text(json.dumps(asdict(self), indent=2) + "\n")
