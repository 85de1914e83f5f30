"""Copies the facts that the tests need from a folder of oracle data to tests/data (see the README there).

python scripts/make_test_data.py ORACLE_FOLDER GAMES_FOLDER
"""

import shutil
import sys
from pathlib import Path

VARIANTS = ("duo", "classic")
TARGET = Path(__file__).parents[1] / "tests" / "data"


def main(oracle: Path, games: Path) -> None:
    """Copies whole files, and of solo_perft.jsonl the lines of VARIANTS."""
    TARGET.mkdir(exist_ok=True)
    for variant in VARIANTS:
        for name in (f"{variant}.jsonl.gz", f"{variant}_extra.jsonl.gz", f"placements_{variant}.json.gz"):
            shutil.copyfile(oracle / name, TARGET / name)
        shutil.copyfile(games / f"{variant}_level5.blksgf", TARGET / f"{variant}_level5.blksgf")
    lines = (oracle / "solo_perft.jsonl").read_text().splitlines(keepends=True)
    wanted = tuple(f'{{"variant":"{variant}",' for variant in VARIANTS)
    (TARGET / "solo_perft.jsonl").write_text("".join(line for line in lines if line.startswith(wanted)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
