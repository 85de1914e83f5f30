"""The scripts from their command lines: train, resume, interrupt, evaluate, plot."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch as th

from agents.learning.callbacks import BudgetCallback
from agents.policy import PolicyAgent
from scripts import evaluate, plot_learning, train

SMALL = ["--num-envs", "4", "--n-steps", "4", "--batch-size", "8", "--channels", "8", "--blocks", "1"]
EXAM = ["--eval-games", "2", "--final-games", "4", "--evaluations", "2"]
QUICK = [*SMALL, *EXAM, "--device", "cpu", "--no-progress"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "duo"
    assert train.main([*QUICK, "--timesteps", "64", "--seed", "3", "--out", str(folder)]) == 0
    return folder


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]


def test_a_run_leaves_model_configuration_and_log(run: Path) -> None:
    config = json.loads((run / "config.json").read_text())
    assert (config["env"], config["seed"], config["unit"], config["amount"]) == ("duo", 3, "timesteps", 64)
    log = rows(run)
    assert [row["timesteps"] for row in log] == [0, 32, 64]
    assert set(log[-1]["wins"]) == {"random", "largest", "greedy"}
    assert log[-1]["wins"]["greedy"]["argmax"]["games"] == 4
    assert len(list((run / "checkpoints").glob("*.zip"))) == 3
    assert list((run / "tensorboard").glob("events*"))
    assert PolicyAgent(run / "model.zip").policy.layout.game == "duo"


def test_the_same_seed_learns_the_same(run: Path, tmp_path: Path) -> None:
    assert train.main([*QUICK, "--timesteps", "64", "--seed", "3", "--out", str(tmp_path / "run")]) == 0
    checkpoint = Path("checkpoints") / "0000000064.zip"
    one, other = (PolicyAgent(folder / checkpoint).policy.parameters() for folder in (run, tmp_path / "run"))
    assert all(th.equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


def test_the_final_table_names_opponents_and_how_to_load(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    opponents = ["--opponents", "self", "greedy=2", "--reward", "win=1", "--profile"]
    assert train.main([*QUICK, *opponents, "--cpu-minutes", "0.001", "--out", str(folder)]) == 0
    printed = capsys.readouterr().out
    assert "random (never met)" in printed and "greedy (never met)" not in printed
    assert f"PolicyAgent('{folder}/model.zip')" in printed
    assert "environment" in printed and "acting" in printed
    config = json.loads((folder / "config.json").read_text())
    assert config["opponents"] == {"self": 1.0, "greedy": 2.0} and config["reward"] == {"win": 1.0}


def test_resume_goes_on_to_a_larger_budget(run: Path) -> None:
    before = rows(run)[-1]["timesteps"]
    assert train.main([*EXAM, "--no-progress", "--resume", str(run), "--timesteps", str(before + 32)]) == 0
    assert rows(run)[-1]["timesteps"] == before + 32
    assert json.loads((run / "config.json").read_text())["seed"] == 3


def test_interrupt_keeps_what_was_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    original = BudgetCallback._on_step

    def interrupted(self: BudgetCallback) -> bool:
        if self.num_timesteps >= 40:
            raise KeyboardInterrupt
        return original(self)

    monkeypatch.setattr(BudgetCallback, "_on_step", interrupted)
    folder = tmp_path / "run"
    assert train.main([*QUICK, "--timesteps", "1000", "--out", str(folder)]) == 0
    assert "greedy" in capsys.readouterr().out
    assert rows(folder)[-1]["timesteps"] == 40
    assert PolicyAgent(folder / "model.zip").policy.layout.game == "duo"


def test_models_are_opponents_too(run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    opponents = ["--opponents", f"{run}/model.zip=1", "--timesteps", "16"]
    assert train.main([*QUICK, *opponents, "--out", str(folder)]) == 0


def test_more_than_two_teams_learn_per_player(tmp_path: Path) -> None:
    options = ["--env", "classic", "--timesteps", "32", "--eval-opponents", "random"]
    assert train.main([*QUICK, *options, "--out", str(tmp_path / "run")]) == 0


@pytest.mark.parametrize("options", [["num_players=3"], ["num_players=2", "two_colors=true", "scoring=official"]])
def test_blockers_learns_and_is_evaluated(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Evaluated against the opponents that the game has; the model then plays in matches of the same options."""
    folder, words = tmp_path / "run", [word for option in options for word in ("--option", option)]
    quick = ["--env", "blockers", *words, "--num-envs", "8", "--n-steps", "8", "--batch-size", "16", "--channels", "8"]
    exam = ["--evaluations", "1", "--eval-games", "2", "--final-games", "2", "--timesteps", "64", "--no-progress"]
    assert train.main([*quick, *exam, "--out", str(folder)]) == 0
    assert set(rows(folder)[-1]["wins"]) == {"random", "greedy", "heuristic"}
    match = ["--env", "blockers", *words, "--agents", str(folder), "heuristic", "--games", "3"]
    assert evaluate.main(match) == 0
    assert "never met" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        evaluate.main(["--env", "blockers", "--agents", str(folder), "heuristic"])
    assert "was trained for" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--option", "num_players=6"], "num_players=6 is not possible"),
        (["--option", "num_player=2"], "blockers has no option 'num_player': choose among num_players, two_colors"),
        (["--option", "name=x"], "blockers has no option 'name'"),
        (["--option", "scoring=rainbow"], "scoring='rainbow' is not possible: choose one of 'sheet'"),
        (["--option", "scoring=sheet", "--scoring", "uptown"], "scoring is given twice"),
        (["--option", "two_colors=true"], "two_colors=True is a game of two"),
        (["--option", "two_colors"], "no NAME=VALUE"),
        (["--start", "fixed"], "blockers has no option 'start'"),
    ],
)
def test_options_of_blockers_are_refused_by_both_commands(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command, more in (
        (train.main, ["--out", str(tmp_path / "run"), "--timesteps", "8"]),
        (evaluate.main, ["--agents", "greedy", "random"]),
    ):
        with pytest.raises(SystemExit) as stop:
            command(["--env", "blockers", *arguments, *more])
        printed = capsys.readouterr().err
        assert stop.value.code == 2 and message in printed and "Traceback" not in printed
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--env", "dou"], "dou"),
        (["--minutes", "0"], "amount must be more than 0"),
        (["--minutes", "1", "--timesteps", "5"], "not allowed with"),
        (["--opponents", "greedy=x"], "NAME=WEIGHT"),
        (["--opponents", "gready"], "neither a saved model nor a policy"),
        (["--reward", "win"], "NAME=WEIGHT"),
        (["--reward", "luck=1"], "luck"),
        (["--device", "abacus"], "abacus"),
        (["--resume", "nowhere"], "no run to resume"),
        (["--eval-opponents", "gready"], "neither a saved model nor a policy"),
        (["--config", "nowhere.json"], "nowhere.json"),
    ],
)
def test_train_gives_one_clear_error(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        train.main([*arguments, *([] if "--resume" in arguments else ["--out", str(tmp_path / "run")])])
    printed = capsys.readouterr().err
    assert stop.value.code == 2 and message in printed and "Traceback" not in printed
    assert not (tmp_path / "run").exists()


def test_a_run_is_not_overwritten(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, message in (
        (["--out", str(run)], "holds a run already"),
        (["--resume", str(run), "--channels", "64"], "channels of a run cannot change"),
        (["--resume", str(run)], "is spent"),
    ):
        with pytest.raises(SystemExit):
            train.main(arguments)
        assert message in capsys.readouterr().err


def test_evaluate(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "result.json"
    assert evaluate.main(["--agents", str(run), "greedy", "--games", "7", "--json", str(file)]) == 0
    printed, result = capsys.readouterr().out, json.loads(file.read_text())
    assert result["num_games"] == 8 and result["openings"] == 4
    assert [agent["name"] for agent in result["agents"]] == [f"{run}/model.zip", "greedy"]
    assert set(result["agents"][0]["win_rate"]) == {"mean", "low", "high"}
    assert "8 games, 4 openings" in printed and "greedy" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agents", "gready", "random"], "neither a saved model nor a policy"),
        (["--agents", "greedy", "random", "random"], "2 players"),
        (["--agents", "greedy", "random", "--games", "0"], "at least one game"),
        (["--env", "dou", "--agents", "greedy"], "dou"),
    ],
)
def test_evaluate_gives_one_clear_error(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        evaluate.main(arguments)
    assert stop.value.code == 2 and message in capsys.readouterr().err


def test_plot(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "curve.png"
    assert plot_learning.main([str(run), str(run), "--mode", "both", "--x", "timesteps", "--out", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(SystemExit):
        plot_learning.main([str(tmp_path)])
    assert "holds no run" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong", [{"amount": float("nan")}, {"amount": float("inf")}, {"blocks": -1}, {"opening_plies": -1}]
)
def test_numbers_that_make_no_run_are_refused(wrong: dict[str, float]) -> None:
    from agents.learning.config import TrainConfig

    with pytest.raises(ValueError, match=next(iter(wrong))):
        TrainConfig(**wrong)
