"""A training run from its configuration: game, environment, model, learning, results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from agents.base import Agent, is_agent, looks_like_path, make_agent
from agents.games import make_game, merged
from agents.learning.budget import Budget, FallingRate, Spent
from agents.learning.buffers import IdDictRolloutBuffer
from agents.learning.callbacks import CONFIG, MODEL, PROGRESS, BudgetCallback, EvaluationCallback, last_progress
from agents.learning.config import TrainConfig
from agents.learning.layout import BoardLayout
from agents.learning.policies import PlacementPolicy
from agents.learning.profile import ProfileCallback
from blokus_env.adapters.protocol import Game
from blokus_env.adapters.sb3 import SelfPlayVecEnv

SELF = "self"
EXAMINERS = ("random", "largest", "greedy", "heuristic")  # by default those that the game has


@dataclass
class Run:
    """A run in its folder, ready to learn."""

    folder: Path
    config: TrainConfig
    game: Game
    env: SelfPlayVecEnv
    model: MaskablePPO
    budget: Budget

    def learn(self, show: bool = True, profile: bool = False) -> dict[str, dict[str, Any]]:
        """Learn until the budget is spent or the user interrupts; save; return the final results.

        A second interrupt, during the last evaluation, stops that.
        """
        clock = BudgetCallback(self.budget, show)
        exam = EvaluationCallback(self.folder, self.game, self.config, self.budget)
        watch = ProfileCallback() if profile else None
        callbacks: list[BaseCallback] = [*([watch] if watch else []), clock, exam]
        try:
            self.model.learn(2**62, callbacks, log_interval=10, reset_num_timesteps=self.model.num_timesteps == 0)
        except KeyboardInterrupt:
            print("\ninterrupted: saving what was learned", flush=True)
        finally:
            clock.close()
        if watch:
            print(watch.table(self.budget.spent.minutes * 60))
        return exam.evaluate(self.config.final_games)


def start(config: TrainConfig, folder: Path, device: str = "auto", tensorboard: bool = True) -> Run:
    """A new run in an empty folder."""
    if (folder / MODEL).exists() or (folder / PROGRESS).exists():
        raise ValueError(f"{folder} holds a run already: go on with --resume {folder}, or choose another --out")
    game, env = make_env(config)
    budget = Budget(config.unit, config.amount)
    model = make_model(config, game, env, budget, device)
    folder.mkdir(parents=True, exist_ok=True)
    return _run(folder, config, game, env, model, budget, tensorboard)


def resume(config: TrainConfig, folder: Path, device: str = "auto", tensorboard: bool = True) -> Run:
    """Go on with the run in `folder`, from its newest model, up to the budget in `config`."""
    if not (folder / MODEL).is_file():
        raise ValueError(f"there is no run to resume in {folder}: {folder / MODEL} is missing")
    game, env = make_env(config)
    row = last_progress(folder)
    spent = Spent(row.get("minutes", 0.0), row.get("cpu_minutes", 0.0), row.get("timesteps", 0))
    budget = Budget(config.unit, config.amount, spent)
    if budget.is_spent:
        used = getattr(spent, config.unit)
        raise ValueError(f"the budget of {config.amount:g} {config.unit} is spent ({used:g}): give a larger one")
    rate = _rate(config, budget)
    model = MaskablePPO.load(
        folder / MODEL,
        env,
        device,
        custom_objects={"learning_rate": rate, "lr_schedule": rate, **_ppo_settings(config)},
    )
    model.set_random_seed(config.seed + model.num_timesteps)  # not the same draws once more
    return _run(folder, config, game, env, model, budget, tensorboard)


def make_env(config: TrainConfig) -> tuple[Game, SelfPlayVecEnv]:
    """The game, and many of it to learn from; names the opponents of evaluations in `config` if it leaves them open."""
    game = make_game(config.env, **merged(config.start, config.scoring, config.options))
    opponents: list[Any] = [name if name == SELF else opponent(name, game) for name in config.opponents]
    weights = list(config.opponents.values())
    if config.eval_opponents is None:
        config.eval_opponents = [name for name in EXAMINERS if is_agent(name, game)]
    for name in config.eval_opponents:
        make_agent(name, game)  # an unknown one is refused before anything is learned
    env = SelfPlayVecEnv(
        game, config.num_envs, opponents, weights, reward=config.reward, mask_format="ids", seed=config.seed
    )
    return game, env


def opponent(spec: str, game: Game) -> Agent:
    """An opponent to train with; saved models draw from their policy, so that games differ."""
    sampled = looks_like_path(spec) and ":" not in spec
    return make_agent(f"{spec}:sampled" if sampled else spec, game)


def make_model(
    config: TrainConfig, game: Game, env: SelfPlayVecEnv, budget: Budget, device: str = "auto"
) -> MaskablePPO:
    """MaskablePPO with the placement policy and lists of legal ids."""
    return MaskablePPO(
        PlacementPolicy,
        env,
        learning_rate=_rate(config, budget),
        rollout_buffer_class=IdDictRolloutBuffer,
        policy_kwargs={
            "layout": BoardLayout.of(game),
            "channels": config.channels,
            "blocks": config.blocks,
        },
        seed=config.seed,
        device=device,
        **_ppo_settings(config),
    )


def _ppo_settings(config: TrainConfig) -> dict[str, Any]:
    return {
        "n_steps": config.n_steps,
        "batch_size": config.batch_size,
        "n_epochs": config.epochs,
        "gamma": config.gamma,
        "gae_lambda": config.gae_lambda,
        "ent_coef": config.ent_coef,
        "vf_coef": config.vf_coef,
        "clip_range": config.clip_range,
        "max_grad_norm": config.max_grad_norm,
    }


def _rate(config: TrainConfig, budget: Budget) -> Callable[[float], float]:
    return FallingRate(budget, config.learning_rate, config.learning_rate * config.final_rate)


def _run(
    folder: Path,
    config: TrainConfig,
    game: Game,
    env: SelfPlayVecEnv,
    model: MaskablePPO,
    budget: Budget,
    tensorboard: bool,
) -> Run:
    config.save(folder / CONFIG)
    assert isinstance(model.rollout_buffer, IdDictRolloutBuffer)
    model.rollout_buffer.watch(env)
    formats = ["tensorboard"] if tensorboard else []
    model.set_logger(configure(str(folder / "tensorboard") if formats else None, formats))
    return Run(folder, config, game, env, model, budget)
