"""What happens besides learning: the budget, the progress bar, evaluations and checkpoints."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback
from tqdm import tqdm

from agents.learning.budget import Budget
from agents.learning.config import TrainConfig
from agents.learning.evaluation import as_rows, evaluate
from blokus_env.adapters.protocol import Game

MODEL, PROGRESS, CONFIG, CHECKPOINTS = "model.zip", "progress.jsonl", "config.json", "checkpoints"


class BudgetCallback(BaseCallback):
    """Stops when the budget is spent, and shows how much is."""

    def __init__(self, budget: Budget, show: bool = True):
        super().__init__()
        self.budget = budget
        self.bar = tqdm(
            total=budget.amount,
            unit=" " + budget.unit.replace("cpu_", "CPU "),
            disable=not show,
            bar_format="{l_bar}{bar}| {n:.1f}/{total:.4g}{unit} [{elapsed}{postfix}]",
        )

    def _on_training_start(self) -> None:
        self.budget.start()

    def _on_step(self) -> bool:
        self.budget.update(self.num_timesteps)
        return not self.budget.is_spent

    def _on_rollout_end(self) -> None:
        self.bar.n = min(self.budget.amount, self.budget.fraction * self.budget.amount)
        speed = self.num_timesteps / max(1e-9, self.budget.spent.minutes * 60)
        self.bar.set_postfix_str(f"{self.num_timesteps:,} steps, {speed:,.0f}/s")

    def close(self) -> None:
        """Stop the clock and the bar, also after an interrupt."""
        if self.budget.running:
            self.budget.stop()
            self.budget.update(self.model.num_timesteps)
        self.bar.close()


class EvaluationCallback(BaseCallback):
    """Evaluates a number of times over the budget; each time the model is saved and a line written to the log.

    Files in `folder`: `model.zip` (the newest), `checkpoints/…zip` and `progress.jsonl`.
    """

    def __init__(self, folder: Path, game: Game, config: TrainConfig, budget: Budget):
        super().__init__()
        self.folder, self.game, self.config, self.budget = folder, game, config, budget
        self.marks = [mark / config.evaluations for mark in range(config.evaluations)]
        self.marks = [mark for mark in self.marks if mark >= budget.fraction]
        self.seconds = 0.0  # spent here

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.marks and self.budget.fraction >= self.marks[0]:
            while self.marks and self.budget.fraction >= self.marks[0]:
                self.marks.pop(0)
            self.evaluate(self.config.eval_games)

    def evaluate(self, num_games: int) -> dict[str, dict[str, Any]]:
        """Play, save, and write the log; returns results by opponent and mode."""
        started = time.perf_counter()
        if self.budget.running:
            with self.budget.paused():
                results = self._evaluate(num_games)
        else:
            results = self._evaluate(num_games)
        self.seconds += time.perf_counter() - started
        return results

    def _evaluate(self, num_games: int) -> dict[str, dict[str, Any]]:
        save_model(self.model, self.folder)
        config = self.config
        policy: Any = self.model.policy
        seed = config.seed + 1_000_000 + self.model.num_timesteps
        results = evaluate(policy, self.game, config.eval_opponents or [], num_games, config.opening_plies, seed)
        for opponent, modes in results.items():
            for mode, result in modes.items():
                self.logger.record(f"wins/{opponent}_{mode}", result.win_rate.mean)
        self._log(as_rows(results))
        return results

    def _log(self, evaluations: dict[str, Any]) -> None:
        spent = self.budget.spent
        learning = {
            name.removeprefix("train/"): round(float(value), 5)
            for name, value in self.logger.name_to_value.items()
            if name.startswith("train/")
        }
        row = {
            "cpu_minutes": round(spent.cpu_minutes, 4),
            "minutes": round(spent.minutes, 4),
            "timesteps": self.model.num_timesteps,
            "wins": evaluations,
            "learning": learning,
        }
        with (self.folder / PROGRESS).open("a") as log:
            log.write(json.dumps(row) + "\n")


def save_model(model: Any, folder: Path) -> Path:
    """Save the model and a checkpoint of it; a crash leaves the last model whole."""
    checkpoint = folder / CHECKPOINTS / f"{model.num_timesteps:010d}.zip"
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    model.save(checkpoint)
    fresh = folder / f".{MODEL}"
    fresh.write_bytes(checkpoint.read_bytes())
    fresh.replace(folder / MODEL)
    return folder / MODEL


def last_progress(folder: Path) -> dict[str, Any]:
    """The newest line of the log, or nothing."""
    path = folder / PROGRESS
    lines = path.read_text().splitlines() if path.exists() else []
    newest: dict[str, Any] = json.loads(lines[-1]) if lines else {}
    return newest
