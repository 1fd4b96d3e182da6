"""Tests that paths named in packaging scripts and workflows exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
_NAMED = re.compile(r"(?<![\w./-])(?:packaging|resources|docs|tests|simcompare|\.github)/[\w./-]*[\w]")
# of a language that somebody adds, and a page without its suffix
_EXAMPLES = {"docs/index", "resources/i18n/fr/LC_MESSAGES/simcompare.po", "resources/manual/LANGUAGE"}
_SUFFIXES = {".py", ".sh", ".spec", ".toml", ".yml", ".iss", ".md"}


def _scripts() -> list[Path]:
    packaging = [path for path in (ROOT / "packaging").rglob("*") if path.suffix in _SUFFIXES]
    return [*packaging, *WORKFLOWS, ROOT / ".ci" / "run"]


@pytest.mark.parametrize("script", _scripts(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_that_the_files_named_in_a_script_exist(script: Path):
    named = set(_NAMED.findall(script.read_text(encoding="utf-8"))) - _EXAMPLES
    missing = {name for name in named if not any((base / name).exists() for base in (ROOT, script.parent))}
    assert missing == set()
