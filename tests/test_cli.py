"""The command lines: counts, lists, speeds, and errors that say what exists."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from blokus_env.cli import app
from blokus_env.variants import VARIANTS
from scripts import verify
from scripts.benchmark import __main__ as benchmark

runner = CliRunner()


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["duo", "0"], 1),
        (["duo", "1"], 828),
        (["duo", "2"], 342_792),
        (["duo", "2", "--start", "fixed"], 171_396),
        (["classic", "1"], 232),
        (["classic", "2"], 40_368),
        (["classic", "2", "--start", "fixed"], 58 * 58),
    ],
)
def test_perft_prints_the_count(arguments: list[str], count: int) -> None:
    result = runner.invoke(app, ["perft", *arguments])
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{count}\n"


def test_divide_prints_each_first_action_and_then_the_sum() -> None:
    result = runner.invoke(app, ["perft", "duo", "2", "--start", "fixed", "--divide"])
    *lines, total = result.stdout.splitlines()
    counts = {text: int(count) for text, count in (line.split() for line in lines)}
    assert len(counts) == 414 and set(counts.values()) == {414}
    assert "f9,e10,f10,g10,f11" in counts
    assert int(total) == sum(counts.values()) == 171_396


def test_variants_lists_every_ruleset() -> None:
    result = runner.invoke(app, ["variants"])
    header, *rows = result.stdout.splitlines()
    assert header.split() == ["name", "board", "colors", "players", "pieces", "actions", "options"]
    assert [row.split()[0] for row in rows] == list(VARIANTS)
    assert "13,729" in rows[0] and "start=either|fixed" in rows[0]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["perft", "duoo", "1"], "unknown variant 'duoo': choose one of 'duo', 'to_go', 'junior', 'classic'"),
        (["perft", "duo", "1", "--start", "corner"], "choose one of 'either', 'fixed'"),
        (["perft", "duo", "0", "--divide"], "depth of at least 1"),
        (["perft", "duo", "-1"], "-1"),
        (["perft", "duo", "many"], "valid integer"),
    ],
)
def test_wrong_arguments_end_with_one_message_and_code_2(arguments: list[str], expected: str) -> None:
    result = runner.invoke(app, arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert expected in result.stderr
    assert "Traceback" not in result.stderr


def test_module_and_version() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "blokus_env", "--version"], capture_output=True, text=True, check=True
    )
    assert result.stdout.startswith("blokus-env ")


@pytest.mark.slow
def test_benchmark_writes_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark.main(["--quick", "--only", "*/duo", "--json", str(tmp_path / "new" / "rows.json")])
    rows = json.loads((tmp_path / "new" / "rows.json").read_text())
    assert {"random_games/duo", "batched_dense_obs/duo", "state/duo", "aec/duo"} <= {row["name"] for row in rows}
    assert all(row["best"] >= row["median"] > 0 and row["unit"] in ("games/s", "steps/s", "calls/s") for row in rows)
    assert "random_games/duo" in capsys.readouterr().out


def test_benchmark_names_what_exists(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        benchmark.main(["--only", "nothing"])
    assert "random_games/duo" in capsys.readouterr().err


@pytest.mark.slow
def test_verify_agrees_with_the_facts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify.main([str(Path(__file__).parent / "data")]) == 0
    assert "perft 3/3" in capsys.readouterr().out
    with gzip.open(tmp_path / "duo.jsonl.gz", "wt") as file:
        file.write('{"type": "meta", "colors": ["b", "w"]}\n{"type": "first", "color": "b", "moves": ["e10"]}\n')
    assert verify.main([str(tmp_path)]) == 1
    assert "duo: first actions differs, duo.jsonl.gz line 2: expected {'e10'}" in capsys.readouterr().out
