"""Update the catalogues of the interface languages from the texts in the code."""

import tempfile
from pathlib import Path

from tools.base import ROOT, VENV, Command, SetupError, call, venv_program

CATALOGUES = ROOT / "resources" / "i18n"
MAPPING = ROOT / "packaging" / "tools" / "texts.cfg"
"""What reads the texts of which files."""
_ONE_FORM = "nplurals=1"


def catalogue_commands(template: Path, catalogue: Path) -> list[Command]:
    """Babel commands that extract the texts and merge them into the catalogue of a language, or begin it.

    Without source locations, dates and fuzzy matches, so that only changed texts change the file.
    """
    keywords = ["--no-default-keywords", "-k", "_", "-k", "N_", "-k", "ngettext:1,2"]
    extract = ["extract", *keywords, "--no-location", "--omit-header", "--sort-output", "--no-wrap"]
    update = ["update", "--no-fuzzy-matching", "--ignore-obsolete", "--ignore-pot-creation-date", "--no-wrap"]
    renew = update if catalogue.exists() else ["init", "--no-wrap"]
    return [
        [*extract, "-F", MAPPING, "-o", template, "simcompare", "resources/templates"],
        [*renew, "-i", template, "-o", catalogue, "-l", _language_of(catalogue)],
    ]


def _language_of(catalogue: Path) -> str:
    """Code of the language: the catalogue is LANGUAGE/LC_MESSAGES/simcompare.po."""
    return catalogue.parents[1].name


def without_second_plurals(catalogue: str) -> str:
    """Remove the second plural form that Babel adds to new texts if the language has one, as Chinese."""
    if _ONE_FORM not in catalogue:
        return catalogue
    return catalogue.replace('msgstr[1] ""\n', "")


def without_placeholders(catalogue: str) -> str:
    """Remove the header lines with Babel's placeholders for names and addresses."""
    lines = catalogue.splitlines(keepends=True)
    return "".join(line for line in lines if "EMAIL@ADDRESS" not in line)


def _babel(step: Command) -> None:
    pybabel: Command = [venv_program(VENV, "pybabel"), *step]
    if call(pybabel) != 0:
        raise SetupError("Babel failed; see its message above.")


def renew_catalogues(new_language: str | None = None) -> None:
    """Update all catalogues from the texts in the code, and compile them; begin that of a new language."""
    languages = {folder.parent.name for folder in CATALOGUES.glob("*/LC_MESSAGES")}
    languages |= {new_language} if new_language else set()
    for language in sorted(languages):
        _renew(CATALOGUES / language / "LC_MESSAGES" / "simcompare.po")


def _renew(catalogue: Path) -> None:
    catalogue.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for step in catalogue_commands(Path(folder) / "simcompare.pot", catalogue):
            _babel(step)
    text = catalogue.read_text(encoding="utf-8")
    catalogue.write_text(without_placeholders(without_second_plurals(text)), encoding="utf-8", newline="\n")
    compiled = catalogue.with_suffix(".mo")
    _babel(["compile", "--statistics", "-i", catalogue, "-o", compiled, "-l", _language_of(catalogue)])
