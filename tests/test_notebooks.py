"""What people read first must run: notebooks and the examples of the README."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXTS = sorted((ROOT / "notebooks").glob("*.py"))


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_text_and_notebook_say_the_same(text: Path) -> None:
    jupytext = pytest.importorskip("jupytext")
    source = [(cell.cell_type, cell.source) for cell in jupytext.read(text).cells]
    notebook = json.loads(text.with_suffix(".ipynb").read_text(encoding="utf-8"))
    assert [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]] == source


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_notebook_runs(text: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jupytext = pytest.importorskip("jupytext")
    nbclient = pytest.importorskip("nbclient")
    monkeypatch.setenv("NOTEBOOK_MINUTES", "0.03")
    notebook = jupytext.read(text)
    resources = {"metadata": {"path": str(text.parent)}}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    pictures = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/svg+xml" in output.get("data", {})
    ]
    assert len(pictures) == 3


@pytest.mark.slow
def test_examples_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    torch.set_num_threads(1)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(examples) >= 5
    names: dict[str, object] = {}
    for example in examples:
        exec(compile(re.sub(r"learn\([\d_]+\)", "learn(1)", example), "README.md", "exec"), names)
    assert (tmp_path / "games.blksgf").exists() and (tmp_path / "duo.zip").exists()
