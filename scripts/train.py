"""Train a policy by self-play with MaskablePPO: `python -m scripts.train --env duo`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from scripts.evaluate import named_value

CONFIGS = Path(__file__).parent / "configs"
FIXED = ("env", "start", "scoring", "options", "channels", "blocks", "num_envs")  # a run's, from its first step on
EXAMPLES = """examples:
  python -m scripts.train --env duo --minutes 10
  python -m scripts.train --env duo --cpu-minutes 15 --seed 1 --out runs/duo-1
  python -m scripts.train --resume runs/duo --minutes 30
  python -m scripts.train --env blockers --option num_players=2 --minutes 20
  python -m scripts.train --env duo --opponents self=1 greedy=1 runs/old/model.zip=2 --out runs/new

The run's folder holds model.zip, config.json, progress.jsonl, checkpoints/ and tensorboard/.
Ctrl-C stops early, keeps what was learned and prints the final table.
"""


def make_parser() -> argparse.ArgumentParser:
    """The command line. Settings that are not given keep the value of the configuration."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.train",
        description="Train a policy by self-play with MaskablePPO.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        argument_default=argparse.SUPPRESS,
    )
    run = parser.add_argument_group("run")
    run.add_argument("--env", help="ruleset, such as duo or classic (duo)")
    run.add_argument("--start", help="start rule (the ruleset's default)")
    run.add_argument("--scoring", help="scoring (the ruleset's default)")
    run.add_argument(
        "--option",
        action="append",
        type=named_value,
        dest="options",
        metavar="NAME=VALUE",
        help="another option of the ruleset, such as num_players=2; may be given several times",
    )
    run.add_argument("--config", type=Path, metavar="FILE", help="settings as JSON (scripts/configs/ENV.json)")
    run.add_argument("--out", type=Path, metavar="DIR", help="folder of the run (runs/ENV)")
    run.add_argument(
        "--resume", type=Path, metavar="DIR", help="go on with the run in DIR, up to its budget or a new one"
    )
    run.add_argument("--seed", type=int, help="of everything random (0)")
    run.add_argument("--device", help="auto, cpu or cuda (auto)")
    run.add_argument("--threads", type=int, metavar="N", help="PyTorch's threads (1: best for so small a network)")

    budget = parser.add_argument_group("budget (evaluations are not counted)").add_mutually_exclusive_group()
    budget.add_argument("--minutes", type=float, help="minutes of learning (10)")
    budget.add_argument("--cpu-minutes", type=float, help="the same in CPU time")
    budget.add_argument("--timesteps", type=int, help="decisions of the learner")

    learning = parser.add_argument_group("learning")
    learning.add_argument(
        "--opponents",
        nargs="+",
        metavar="NAME[=WEIGHT]",
        help="self, random, largest, greedy or models (self=0.5 greedy=0.5)",
    )
    learning.add_argument(
        "--reward", nargs="+", metavar="NAME=WEIGHT", help="win, dense_margin, … (win=0.3 dense_margin=0.0333)"
    )
    learning.add_argument("--num-envs", type=int, metavar="N", help="games side by side (128)")
    learning.add_argument("--n-steps", type=int, metavar="N", help="decisions of each game between updates (16)")
    learning.add_argument("--batch-size", type=int, metavar="N", help="decisions in a minibatch (128)")
    learning.add_argument("--epochs", type=int, metavar="N", help="passes over the decisions (1)")
    learning.add_argument(
        "--learning-rate", type=float, metavar="X", help="at first; falls to a fiftieth over the budget (0.002)"
    )
    learning.add_argument("--ent-coef", type=float, metavar="X", help="weight of the entropy (0.003)")
    learning.add_argument("--channels", type=int, metavar="N", help="width of the network (32)")
    learning.add_argument("--blocks", type=int, metavar="N", help="residual convolutions of the network (3)")

    exam = parser.add_argument_group("evaluation")
    exam.add_argument(
        "--eval-opponents",
        nargs="*",
        metavar="NAME",
        help="(those of random, largest, greedy and heuristic that the game has)",
    )
    exam.add_argument("--evaluations", type=int, metavar="N", help="how many over the budget (5)")
    exam.add_argument("--eval-games", type=int, metavar="N", help="games against each in one of them (100)")
    exam.add_argument("--final-games", type=int, metavar="N", help="and in the last one (400)")
    exam.add_argument("--opening-plies", type=int, metavar="N", help="random plies that each game starts with (2)")
    exam.add_argument("--no-progress", action="store_true", help="no progress bar")
    exam.add_argument("--profile", action="store_true", help="show where the time went")
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = make_parser()
    given = vars(parser.parse_args(argv))
    options = {"device": "auto", "threads": 1, "profile": False, "no_progress": False}
    options |= {name: given.pop(name) for name in list(options) if name in given}
    try:
        run = prepare(given, options)
    except (ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: error: {error}\n")
    try:
        results = run.learn(show=not options["no_progress"] and sys.stderr.isatty(), profile=options["profile"])
    except KeyboardInterrupt:
        print(f"\ninterrupted again: no final table; the model is saved in {run.folder}")
        return 130
    report(run, results)
    return 0


def prepare(given: dict[str, Any], options: dict[str, Any]) -> Any:
    """The run that the command line asks for."""
    import torch as th

    from agents.learning import trainer

    th.set_num_threads(options["threads"])
    device, tensorboard = options["device"], has_tensorboard()
    if device not in ("auto", "cpu") and not (device.partition(":")[0] == "cuda" and th.cuda.is_available()):
        raise ValueError(f"device {device!r} is not available here: choose auto or cpu")
    folder, out = given.pop("resume", None), given.pop("out", None)
    if folder is None:
        config = configuration(given)
        return trainer.start(config, out or Path("runs") / config.env, device, tensorboard)
    if out is not None or "config" in given:
        raise ValueError("--resume goes on in the same folder with its settings: leave out --out and --config")
    return trainer.resume(resumed_configuration(folder, given), folder, device, tensorboard)


def configuration(given: dict[str, Any]) -> Any:
    """Settings from the file (named, or the ruleset's own if there is one) and from the command line."""
    from agents.learning.config import TrainConfig

    path = given.pop("config", None)
    own = CONFIGS / f"{given.get('env', 'duo')}.json"
    if path is None and own.is_file():
        path = own
    changes = settings(given)
    return TrainConfig.load(path, **changes) if path else TrainConfig.make(changes)


def resumed_configuration(folder: Path, given: dict[str, Any]) -> Any:
    """Settings of the run in `folder`, with changes that it can bear."""
    from agents.learning.config import TrainConfig

    path = folder / "config.json"
    if not path.is_file():
        raise ValueError(f"there is no run to resume in {folder}: {path} is missing")
    saved = json.loads(path.read_text())
    changes = settings(given)
    for name in FIXED:
        if name in changes and changes[name] != saved[name]:
            raise ValueError(f"{name} of a run cannot change: it is {saved[name]} in {folder}")
    return TrainConfig.load(path, **changes)


def settings(given: dict[str, Any]) -> dict[str, Any]:
    """Settings by name from what the command line gave."""
    values = dict(given)
    for unit in ("minutes", "cpu_minutes", "timesteps"):
        if unit in values:
            values["unit"], values["amount"] = unit, values.pop(unit)
    if "options" in values:
        values["options"] = dict(values["options"])
    for name, default in (("opponents", 1.0), ("reward", None)):
        if name in values:
            values[name] = weights(name, values[name], default)
    return values


def weights(option: str, words: list[str], default: float | None) -> dict[str, float]:
    """Names with weights from words such as "greedy=0.5"."""
    result = {}
    for word in words:
        name, _, number = word.rpartition("=") if "=" in word else (word, "", default)
        try:
            result[name] = float(number)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            raise ValueError(f'--{option}: "{word}" is not of the form NAME=WEIGHT') from None
    return result


def has_tensorboard() -> bool:
    """Whether logs for TensorBoard can be written."""
    try:
        import tensorboard  # noqa: F401
    except ImportError:
        return False
    return True


def report(run: Any, results: dict[str, Any]) -> None:
    """Print the final table, and how to use the model."""
    from agents.learning.callbacks import MODEL
    from agents.learning.evaluation import as_table

    spent = run.budget.spent
    print(
        f"\n{run.game.name}: {run.model.num_timesteps:,} decisions in {spent.minutes:.1f} minutes "
        f"({spent.cpu_minutes:.1f} CPU minutes)\n"
    )
    print(as_table(results, list(run.config.opponents)))
    path = run.folder / MODEL
    print(f"\nmodel: {path}\nload:  from agents.policy import PolicyAgent; agent = PolicyAgent({str(path)!r})")


if __name__ == "__main__":
    sys.exit(main())
