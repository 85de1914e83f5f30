"""The adapters know no game and load only what they need."""

import ast
import subprocess
import sys
from pathlib import Path

import blokus_env.adapters

FOLDER = Path(blokus_env.adapters.__file__).parent


def imported_modules(file: Path) -> list[str]:
    """Every module that the file imports from its own package, with leading dots."""
    found = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            found.append("." * node.level + (node.module or ""))
    return found


def test_adapters_import_nothing_of_the_game():
    files = sorted(FOLDER.glob("*.py"))
    assert len(files) > 5
    for file in files:
        for module in imported_modules(file):
            assert not module.startswith(".."), f"{file.name} imports {module}"
            assert module.split(".")[0] not in ("blokus_env", "blockers_env"), f"{file.name} imports {module}"


def test_adapters_name_no_game():
    for file in FOLDER.glob("*.py"):
        text = file.read_text().lower()
        for word in ("blokus", "blockers", "orientation", "polyomino"):
            assert word not in text, f"{file.name} speaks of {word}"


def test_protocol_loads_no_library():
    code = (
        "import sys, blokus_env.adapters.protocol, blokus_env.adapters.rewards;"
        "print([m for m in ('pettingzoo', 'stable_baselines3', 'torch', 'pygame') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_single_does_not_load_pettingzoo_nor_torch():
    code = "import sys, blokus_env.adapters.single; print('pettingzoo' in sys.modules, 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False False"
