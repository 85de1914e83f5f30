"""Several threads: the same results, also in forked children and from several callers at once."""

import multiprocessing
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from blokus_env import Batch
from blokus_env.adapters.threads import LEAST, Threads
from blokus_env.adapters.toy import ToyGame
from blokus_env.adapters.vector import GameVectorEnv
from blokus_env.batch import random_word_state
from blokus_env.variants import tiny_variant

GAMES = 3 * LEAST + 5


def played(num_threads: int, steps: int = 6) -> list[np.ndarray]:
    """Everything that a batch says after each of some random steps."""
    batch, rng, seen = Batch(tiny_variant(), GAMES, num_threads=num_threads), random_word_state(1), []
    for _ in range(steps):
        games = np.flatnonzero(batch.player >= 0)
        seen += [batch.legal_ids(games), batch.dense_masks(games), batch.packed_masks(games), batch.boards(games)]
        seen += batch.observe(games).values()
        batch.step(games, batch.random_actions(games, rng))
        batch.reset(games[::7])
    return seen


def test_every_row_once() -> None:
    for number in (1, 2, 3, 8):
        for count in (0, 1, LEAST, 2 * LEAST, GAMES):
            rows = np.zeros(count, int)
            parts = set()

            def work(part: int, chosen: slice, rows=rows, parts=parts) -> None:
                rows[chosen] += 1
                parts.add(part)

            Threads(number).run(work, count)
            assert (rows == 1).all() and parts <= set(range(number))
            assert len(parts) == max(1, min(number, count // LEAST))
    with pytest.raises(ValueError, match="num_threads=0"):
        Threads(0)


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    for one, three in zip(played(1), played(3), strict=True):
        assert np.array_equal(one, three)


def test_errors_of_a_part_are_raised() -> None:
    def work(part: int, rows: slice) -> None:
        if part == 1:
            raise RuntimeError("part 1")

    with pytest.raises(RuntimeError, match="part 1"):
        Threads(2).run(work, GAMES)


def child(queue: multiprocessing.Queue) -> None:
    queue.put([array.sum() for array in played(2)])


def test_a_forked_child_and_several_callers() -> None:
    expected = [array.sum() for array in played(2)]  # the parent has threads now
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=child, args=(queue,))
    process.start()
    assert queue.get(timeout=100) == expected
    process.join()
    with ThreadPoolExecutor(3) as pool:
        for sums in pool.map(lambda _: [array.sum() for array in played(2)], range(6)):
            assert sums == expected


def test_environments_take_threads() -> None:
    assert pickle.loads(pickle.dumps(Threads(3))).number == 3
    with pytest.raises(ValueError, match="num_threads=2"):
        GameVectorEnv(ToyGame((0, 1)), 2, num_threads=2)
