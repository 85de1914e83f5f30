"""Compiled code in the cache is the right one, whichever processes put it there."""

import os
import subprocess
import sys

import pytest

PLAY = """
import sys
from blokus_env import State
for name in sys.argv[1:]:
    state = State(name)
    state.push(int(state.legal_actions()[0]))
    print(name, len(state.legal_actions()))
"""


@pytest.mark.slow
def test_variants_compiled_by_separate_processes_work_in_one(tmp_path):
    def play(*names):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
        return subprocess.run([sys.executable, "-c", PLAY, *names], env=environment, capture_output=True, text=True)

    alone = [play(name) for name in ("duo", "classic")]
    both = play("duo", "classic")
    assert both.returncode == 0, both.stderr
    assert both.stdout == "".join(run.stdout for run in alone)
