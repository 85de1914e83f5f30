"""Game files: what is read is what is written, illegal moves are found, malformed text says where."""

from pathlib import Path

import numpy as np
import pytest

from blokus_env.records import GameRecord, Move, RecordError, format_games, parse_games, read_games, write_games
from blokus_env.sgf import parse
from blokus_env.state import State

VARIATIONS = """(;GM[Blokus Duo]CA[UTF-8]PB[Anna]PW[Ben]DT[2026-02-03]RE[B+5]
;B[e9,d10,e10,f10,e11]C[note]
(;W[i4,h5,i5,j5,i6]TE[1];B[g6,h6,g7,g8,g9])
(;W[j5,i6,j6,k6,j7]BM[1]))
"""


def random_game(variant: str, seed: int, plies: int = 999, **options: str) -> State:
    state = State(variant, **options)
    rng = np.random.default_rng(seed)
    while not state.is_over and state.ply < plies:
        state.push(int(rng.choice(state.legal_actions())))
    return state


def test_reads_the_main_line_with_comments_and_properties() -> None:
    (game,) = parse_games(VARIATIONS)
    assert game.variant == "duo"
    assert game.moves == (
        Move(0, "e9,d10,e10,f10,e11"),
        Move(1, "i4,h5,i5,j5,i6"),
        Move(0, "g6,h6,g7,g8,g9"),
    )
    assert game.comments == {1: "note"}
    assert game.properties == {"PB": ("Anna",), "PW": ("Ben",), "DT": ("2026-02-03",), "RE": ("B+5",)}
    assert game.num_variations == 1
    state = game.replay()
    assert state.ply == 3 and state.color_names[state.color] == "orange"


def test_the_whole_tree_is_there_for_those_who_want_it() -> None:
    (root,) = parse(VARIATIONS)
    first = root.children[0]
    assert [child.properties for child in first.children] == [
        {"W": ["i4,h5,i5,j5,i6"], "TE": ["1"]},
        {"W": ["j5,i6,j6,k6,j7"], "BM": ["1"]},
    ]


@pytest.mark.parametrize("variant", ["duo", "to_go", "classic"])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_written_is_what_is_read(variant: str, seed: int, tmp_path: Path) -> None:
    state = random_game(variant, seed)
    record = GameRecord.from_state(state, comments={0: "start", 2: "a ] and a \\ and\na line"}, DT="2026-02-03")
    write_games(tmp_path / "games.blksgf", [record, record])
    games = read_games(tmp_path / "games.blksgf")
    assert games == [record, record]
    assert games[0].replay() == state
    assert games[1].where.endswith("games.blksgf, game 2 (line 3)")  # a comment has a line break


def test_options_survive_and_can_be_overruled() -> None:
    state = random_game("duo", 5, start="fixed", scoring="basic")
    (game,) = parse_games(format_games([GameRecord.from_state(state)]))
    assert (game.start, game.scoring) == ("fixed", "basic")
    replayed = game.replay()
    assert (replayed.start, replayed.scoring) == ("fixed", "basic")
    assert game.replay(start="either", scoring="advanced").start == "either"


def test_players_and_result_are_written_as_other_programs_expect() -> None:
    state = random_game("duo", 1)
    text = format_games([GameRecord.from_state(state, players=("Anna", "Ben"))])
    assert text.startswith("(;GM[Blokus Duo]CA[UTF-8]RU[duo start=either scoring=advanced]PB[Anna]PW[Ben]RE[")
    first, second = state.scores()
    expected = f"B+{first - second:g}" if first > second else f"W+{second - first:g}" if second > first else "0"
    assert f"RE[{expected}]" in text
    four = format_games([GameRecord.from_state(random_game("classic", 1), players=("A", "B", "C", "D"))])
    assert "P1[A]P2[B]P3[C]P4[D]" in four and ";1[" in four


def test_states_are_the_positions_before_each_move_and_the_last() -> None:
    (game,) = parse_games(VARIATIONS)
    states = list(game.states())
    assert [state.ply for state in states] == [0, 1, 2, 3]
    assert states[-1] == game.replay()


def test_setup_is_played_in_an_order_that_the_rules_allow() -> None:
    text = "(;GM[Blokus Duo]AB[g6,h6,g7,g8,g9][e9,d10,e10,f10,e11]AW[i4,h5,i5,j5,i6]PL[W])"
    for source in (text, format_games(parse_games(text))):
        (game,) = parse_games(source)
        state = game.replay()
        assert state.ply == 3 and state.color_names[state.color] == "orange"
        assert (state.board() >= 0).sum() == 15


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[Blokus Duo]AB[a1])", "setup position cannot be reached.*purple is to move"),
        ("(;GM[Blokus Duo]AW[j5])", "setup position cannot be reached.*purple is to move"),
        ("(;GM[Blokus Duo]AB[e10]PL[B])", r"PL\[B\] does not fit: orange is to move"),
        ("(;GM[Blokus Duo];B[e10];AE[e10])", "setup property AE before move 2"),
        ("(;GM[Blokus Duo];B[e10];B[d9])", r"move 2 \(B\[d9\]\): not this color's turn: orange is to move"),
        ("(;GM[Blokus Duo];B[a1])", r"move 1 \(B\[a1\]\).*B4"),
        ("(;GM[Blokus Duo];B[e10];W[z99])", r"move 2 \(W\[z99\]\).*off the board"),
        ("(;GM[Blokus Duo];B[e10];W[j5,l5])", r"move 2.*not the shape of any piece"),
        ("(;GM[Nexos];1[e2])", r"move 1 \(1\[e2\]\).*B4"),
        ("(;GM[Blokus Duo]RU[duo start=nowhere])", "nowhere"),
    ],
)
def test_replay_names_the_move_that_breaks_a_rule(text: str, message: str) -> None:
    (game,) = parse_games(text, "games.blksgf")
    with pytest.raises(RecordError, match=message) as caught:
        game.replay()
    assert str(caught.value).startswith("games.blksgf, game 1 (line 1)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "games.blksgf: no game in it"),
        ("hello", r"line 1, column 1: expected a node or a property, found 'hello'"),
        ("(;GM[Blokus Duo]\n;B[e10", r"line 2, column 3: the value of property B has no closing bracket"),
        ("(;GM[Blokus Duo];B[e10]", r"the text ends inside a game: 1 × '\)' missing"),
        ("(;GM[Blokus Duo]))", r"column 18: '\)' without '\('"),
        ("()", "column 2: expected ';' after '('".replace("(", r"\(").replace("')", "'")),
        (";GM[Blokus Duo]", "a node outside of a game"),
        ("(GM[Blokus Duo])", "expected a node or a property, found 'GM"),
        ("(;GM[Blokus Duo];B[e10]B[e9])", "property B appears twice"),
        ("(;GM[Go];B[aa])", "GM is 'Go', expected one of Blokus Duo, "),
        ("(;FF[4])", "GM is ''"),
        ("(;GM[Blokus Duo];B[e10]W[j5])", "move 1: B and W in one node"),
        ("(;GM[Blokus Duo];B[])", "'' is not a list of cells"),
        ("(;GM[Blokus Duo];B[e10,10e])", "'e10,10e' is not a list of cells"),
        ("(;GM[Blokus Duo];B[e10,e10])", "names a cell twice"),
        ("(;GM[Blokus];B[e10])", "property B .* does not belong to Blokus"),
        ("(;GM[Blokus Duo];3[e10])", "property 3 .* does not belong to Blokus Duo"),
    ],
)
def test_malformed_text_has_one_clear_error(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        parse_games(text, "games.blksgf")
    assert str(caught.value).startswith("games.blksgf")


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "latin.blksgf"
    path.write_bytes("(;GM[Blokus Duo]PB[Jürgen])".encode("latin-1"))
    with pytest.raises(RecordError, match="byte 20: not UTF-8"):
        read_games(path)
    path.write_bytes(b"\xef\xbb\xbf" + "(;GM[Blokus Duo]PB[Jürgen])".encode())
    assert read_games(path)[0].properties["PB"] == ("Jürgen",)


def test_tolerates_what_other_programs_write() -> None:
    old = "(;GM[Blokus]BLUE[A20][a19]\n; YELLOW [T20]\n;3[t1]C[a]C1[b];4[a1])"
    (game,) = parse_games(old)
    assert game.moves == (Move(0, "a19,a20"), Move(1, "t20"), Move(2, "t1"), Move(3, "a1"))
    assert game.replay(start="fixed").ply == 4


def test_deep_and_wide_trees_do_not_exhaust_the_stack() -> None:
    deep = "(;GM[Blokus Duo]" + "(;C[x]" * 20_000 + ")" * 20_001
    assert parse_games(deep)[0].num_variations == 0


def test_rulesets_without_a_name_in_files_are_refused() -> None:
    with pytest.raises(RecordError, match="no name for the ruleset 'tiny5'"):
        format_games([GameRecord("tiny5")])


@pytest.mark.parametrize(("variant", "number"), [("duo", 210), ("classic", 42)])
def test_games_of_another_program_are_legal_to_their_ends(variant: str, number: int) -> None:
    games = read_games(Path(__file__).parent / "data" / f"{variant}_level5.blksgf")
    assert len(games) == number
    assert parse_games(format_games(games)) == games
    for game in games[:: number // 21]:
        assert game.variant == variant
        assert game.replay(start="fixed").is_over
        assert game.replay().is_over
