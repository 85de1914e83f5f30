"""Copies the facts that the tests need from a folder of oracle data to tests/data (see the README there).

python scripts/make_test_data.py ORACLE_FOLDER GAMES_FOLDER
"""

import gzip
import json
import shutil
import sys
from pathlib import Path

# Of the positions, games and game lists one in so many is kept; everything else is kept whole.
STEPS = {
    **{"duo": 1, "classic": 1, "junior": 3, "classic_2": 4, "classic_3": 4, "trigon": 4, "trigon_2": 8, "trigon_3": 6},
    **{"callisto": 8, "callisto_2": 6, "callisto_2_4": 12, "callisto_3": 12, "nexos": 8, "nexos_2": 12},
    **{"gembloq": 8, "gembloq_2": 6, "gembloq_2_4": 12, "gembloq_3": 12},
}
BOARDS_OF_OTHERS = ("classic_2", "classic_3", "trigon_2", "callisto_2_4", "nexos_2", "gembloq_2_4")
PLACEMENTS = tuple(variant for variant in STEPS if variant not in BOARDS_OF_OTHERS)
RECORDS = {
    **{"duo_level5": 1, "classic_level5": 1, "classic_2_level5": 2, "junior_level4": 2, "trigon_level4": 1},
    **{"callisto_level4": 2, "nexos_level4": 2, "gembloq_2_level4": 2},
}
SAMPLED = ("pos", "game", "engine_game")
TARGET = Path(__file__).parents[1] / "tests" / "data"


def main(oracle: Path, games: Path) -> None:
    """Write everything."""
    TARGET.mkdir(exist_ok=True)
    for variant, step in STEPS.items():
        for name in (f"{variant}.jsonl.gz", f"{variant}_extra.jsonl.gz"):
            sample(oracle / name, step)
    for variant in PLACEMENTS:
        shutil.copyfile(oracle / f"placements_{variant}.json.gz", TARGET / f"placements_{variant}.json.gz")
    for name, step in RECORDS.items():
        lines = (games / f"{name}.blksgf").read_text().splitlines(keepends=True)  # a game a line
        (TARGET / f"{name}.blksgf").write_text("".join(lines[::step]))
    lines = (oracle / "solo_perft.jsonl").read_text().splitlines(keepends=True)
    wanted = tuple(f'{{"variant":"{variant}",' for variant in STEPS)
    (TARGET / "solo_perft.jsonl").write_text("".join(line for line in lines if line.startswith(wanted)))


def sample(source: Path, step: int) -> None:
    """Copy a file of records; with a step above 1, every so many positions and games of it."""
    if step == 1:
        shutil.copyfile(source, TARGET / source.name)
        return
    seen = dict.fromkeys(SAMPLED, 0)
    kept = []
    for line in gzip.decompress(source.read_bytes()).decode().splitlines(keepends=True):
        kind = json.loads(line)["type"]
        if kind not in SAMPLED or seen[kind] % step == 0:
            kept.append(line)
        if kind in SAMPLED:
            seen[kind] += 1
    (TARGET / source.name).write_bytes(gzip.compress("".join(kept).encode(), mtime=0))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
