"""Where a run's time goes: the environment, acting, learning."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback


class ProfileCallback(BaseCallback):
    """Times the calls to the environment and to the policy (whose methods it wraps in place), and the updates.

    It must come before callbacks that take time when a rollout starts.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seconds = {"environment": 0.0, "acting": 0.0, "learning": 0.0}
        self.rollout_ended: float | None = None

    def _on_training_start(self) -> None:
        env, policy = self.training_env, self.model.policy
        for owner, method, label in (
            (env, "step_async", "environment"),
            (env, "step_wait", "environment"),
            (env, "env_method", "environment"),
            (policy, "forward", "acting"),
            (policy, "predict_values", "acting"),
        ):
            setattr(owner, method, self._timed(getattr(owner, method), label))

    def _on_step(self) -> bool:
        return True

    def _on_rollout_start(self) -> None:
        if self.rollout_ended is not None:
            self.seconds["learning"] += time.perf_counter() - self.rollout_ended

    def _on_rollout_end(self) -> None:
        self.rollout_ended = time.perf_counter()

    def _timed(self, function: Callable[..., Any], label: str) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds[label] += time.perf_counter() - started

        return timed

    def table(self, total: float) -> str:
        """Seconds and shares of a run that took `total` seconds."""
        rest = {"other": max(0.0, total - sum(self.seconds.values()))}
        rows = [f"{name:<12}{value:>9.1f} s{value / total:>8.1%}" for name, value in (self.seconds | rest).items()]
        return "\n".join(["where the time went (wall, without evaluations)", *rows])
