"""The core as a library: the examples of docs/library-api.md, a script without a guard, cheap imports."""

import contextlib
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import simcompare
from simcompare.support.resources import resource_path
from tests.helpers.patience import PATIENCE_S

ROOT = Path(__file__).parents[1]
EXAMPLE = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)
# no guard: a worker process would run the script again
SCRIPT = """
import sys
import simcompare
heavy = {"numpy", "lxml", "rapidfuzz", "PySide6", "simcompare.loading"}
assert not heavy & sys.modules.keys(), heavy & sys.modules.keys()
from simcompare import compare
pair = compare("left.docx", "right.html")
import multiprocessing
assert multiprocessing.active_children() == []
assert "PySide6" not in sys.modules
print(len(pair.passages))
"""


@pytest.fixture
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(resource_path("samples", "家乡的石桥.docx"), tmp_path / "left.docx")
    shutil.copy(resource_path("samples", "心中的桥.html"), tmp_path / "right.html")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("page", "least"), [("library-api.md", 5), ("tour.md", 3)])
def test_that_the_examples_of_the_documentation_print_what_it_says(
    samples: Path, page: str, least: int
) -> None:
    examples = EXAMPLE.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))
    assert len(examples) >= least
    names: dict[str, object] = {}
    for code, expected in examples:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, names)
        assert printed.getvalue() == expected, code


def test_that_a_script_without_a_guard_starts_no_process_and_imports_late(samples: Path) -> None:
    script = samples / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    result = subprocess.run(
        [sys.executable, str(script)], capture_output=True, timeout=PATIENCE_S, check=False, text=True
    )
    assert (result.stdout, result.stderr) == ("3\n", "")


def test_that_explanations_are_in_the_current_language(samples: Path) -> None:
    simcompare.set_language("zh")
    pair = simcompare.compare("left.docx", "right.html")
    assert "改写" in pair.explanation
    assert re.search("[\u4e00-\u9fff]", pair.passages[0].summary)


def test_that_a_prompt_is_read_from_its_file(samples: Path) -> None:
    both = "The old bridge has carried the children to school for two hundred years, in rain and in snow."
    own = "My aunt sells melons there.", "We never dared to fish from it."
    texts = [simcompare.load_text(f"{both}\n{sentence}", "essay") for sentence in own]
    (samples / "prompt.txt").write_text(both, encoding="utf-8")
    with_prompt = simcompare.compare(*texts, simcompare.ComparisonSettings(prompt="prompt.txt"))
    assert with_prompt.share.left_in_right.after_exclusions == 0
    assert simcompare.compare(*texts).share.left_in_right.after_exclusions > 0.5


def test_that_every_public_name_is_there_and_no_other() -> None:
    assert all(getattr(simcompare, name) is not None for name in simcompare.__all__)
    with pytest.raises(AttributeError, match="no attribute 'compared'"):
        simcompare.compared  # noqa: B018


def test_that_the_package_says_that_it_has_types() -> None:
    assert (Path(simcompare.__file__).parent / "py.typed").exists()
