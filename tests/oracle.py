"""Reads the facts of tests/data."""

import gzip
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
VARIANTS = ("duo", "junior", "classic", "classic_2", "classic_3", "trigon", "trigon_2", "trigon_3")
PLACEMENTS = ("duo", "junior", "classic", "trigon", "trigon_3")  # one of each board
CALLISTO = ("callisto", "callisto_2", "callisto_2_4", "callisto_3")
SISTERS = (*CALLISTO, "nexos", "nexos_2", "gembloq", "gembloq_2", "gembloq_2_4", "gembloq_3")
SISTER_PLACEMENTS = ("callisto", "callisto_2", "callisto_3", "nexos", "gembloq", "gembloq_2", "gembloq_3")
START = {name: "any_start" if name.startswith("trigon") else "fixed" for name in VARIANTS + SISTERS}
START |= dict.fromkeys(CALLISTO, "anywhere")
COLORS = {**dict.fromkeys(VARIANTS + SISTERS, "1234"), **dict.fromkeys(("trigon_3", "callisto_3", "gembloq_3"), "123")}
COLORS |= dict.fromkeys(("duo", "junior", "callisto_2", "gembloq_2"), "bw")
LEVEL_GAMES = {"duo": 210, "junior": 21, "classic": 42, "classic_2": 14, "trigon": 14}
LEVEL_GAMES |= {"callisto": 7, "nexos": 7, "gembloq_2": 7}


@cache
def records(variant: str, kind: str) -> list[dict[str, Any]]:
    """The records of a kind: meta, first, perft, pos, game; solo, engine_game."""
    extra = "_extra" if kind in ("solo", "engine_game") else ""
    with gzip.open(DATA / f"{variant}{extra}.jsonl.gz", "rt") as lines:
        return [record for record in map(json.loads, lines) if record["type"] == kind]


@cache
def placements(variant: str) -> dict[str, list[str]]:
    """The moves of every piece on the empty board."""
    with gzip.open(DATA / f"placements_{variant}.json.gz", "rt") as file:
        result: dict[str, list[str]] = json.load(file)["placements"]
    return result


def solo_perft(variant: str) -> dict[str, Any] | None:
    """Counts of sequences of one color alone."""
    lines = map(json.loads, (DATA / "solo_perft.jsonl").read_text().splitlines())
    return next((record for record in lines if record["variant"] == variant), None)


def level_file(variant: str) -> Path:
    """The game records of a variant."""
    (path,) = DATA.glob(f"{variant}_level?.blksgf")
    return path


def level_games(variant: str) -> list[list[tuple[int, str]]]:
    """Games of the SGF collection, each a list of (color index, move)."""
    games = level_file(variant).read_text().split("(;GM")[1:]
    moves = [re.findall(r";([BW1-4])\[([a-z0-9,]+)\]", game) for game in games]
    return [[(COLORS[variant].index(color.lower()), move) for color, move in game] for game in moves]
