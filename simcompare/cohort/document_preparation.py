"""List and read submitted files, and prepare their texts for comparison in worker processes."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading import load_document
from simcompare.loading.archive_members import list_files
from simcompare.loading.extraction import DEFAULT_OPTIONS, PastedText, ReadingOptions, visible_length
from simcompare.loading.load import load_pasted
from simcompare.model.document import Document
from simcompare.model.errors import FileError, NotAnEssayError
from simcompare.model.settings import UserWords
from simcompare.support.i18n import N_

PRELOADED, PRELOADED_READERS = "simcompare.cohort.preloaded", "simcompare.cohort.preloaded_readers"
"""The modules that a worker pool preloads where its workers read or compare texts, and for a few files."""

_NICENESS = 5
"""Above the workers that score pairs, below the window."""
_IN_BOTH_LANGUAGES = PastedText("雾锁石桥。\nFog hides the stone bridge.")

# An error page says in its title what it is, or is one sentence; a short essay may name an error too.
_FEWEST_CHARACTERS, _LONGEST_ERROR_PAGE, _LONGEST_NOTICE = 10, 60, 20
_ERROR_PAGE = re.compile(
    r"\b(?:40[0134]|50[0234])\b|not found|forbidden|access denied|(?:log|sign) in|password"
    r"|登录|登陆|密码|无权|出错|不存在|已失效|已过期",
    re.IGNORECASE,
)
_NO_TEXT_SUFFIX = re.compile(
    r"\.(?:py|ipynb|java|c|cpp|h|cs|js|ts|go|rs|php|rb|sh|sql|json|ya?ml|ini|toml|cfg|conf|css|log)", re.I
)
# A comma before a blank separates words, not cells; a line with the end of a sentence is no row.
_SEPARATORS, _SENTENCE_END = re.compile(r"[\t;|]|,(?!\s)"), re.compile(r"[。!?！？…]|\.\s*$")
_LONGEST_CELL = 20
_FIGURE = re.compile(r"\s*[-+]?\d+(?:[.,]\d+)?\s*[%分]?\s*")


class ClassListFoundError(FileError):
    template = N_("{name} is a class list, not an essay.")


@dataclass(frozen=True, slots=True)
class SubmittedFiles:
    """Files of folders and archives: documents, class lists, and what is not read.

    documents: in order, members of archives as "class.zip/folder/essay.docx". refused: a sentence for each
    archive or member that is not read. noted: a sentence for each class list and session among the files.
    """

    documents: tuple[Path, ...]
    rosters: tuple[Path, ...] = ()
    refused: tuple[FileError, ...] = ()
    noted: tuple[FileError, ...] = ()


def submitted_files(paths: Iterable[Path]) -> SubmittedFiles:
    """List the files in folders, zip archives and single paths; class lists are recognised by content."""
    from simcompare.pseudonyms.roster import is_roster  # noqa: PLC0415 - `compare` starts without it

    listed = list_files(paths)
    rosters = tuple(filter(is_roster, listed.files))
    documents = tuple(path for path in listed.files if path not in rosters)
    noted = (*map(ClassListFoundError, rosters), *listed.sessions)
    return SubmittedFiles(documents, rosters, listed.refused, noted)


def preload_readers() -> None:
    """Load all that reading any text needs: modules, word lists and word frequencies."""
    prepare_document(load_pasted(Path("text"), _IN_BOTH_LANGUAGES), "improved")


def lower_process_priority() -> None:
    """Lower the priority of a worker below that of the window; called when the worker starts."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)


def prepare_read_document(
    _path: Path, document: Document, recipe: str, own: UserWords | None, meaning: bool, kept: bytes = b""
) -> PreparedDocument:
    """Prepare a document whose file was read before.

    Raises NoUnitsError, UnknownRecipeError.
    """
    return prepare_document(document, recipe, own, meaning=meaning, kept=kept)


def read_prepared_document(
    path: Path, recipe: str, options: ReadingOptions = DEFAULT_OPTIONS
) -> PreparedDocument:
    """Load a file and prepare it.

    Raises FileError if the file cannot be read, NoUnitsError, UnknownRecipeError.
    """
    return prepare_document(load_document(path, options), recipe, options.user_words, meaning=options.meaning)


def read_submitted_document(
    path: Path, recipe: str, options: ReadingOptions = DEFAULT_OPTIONS
) -> PreparedDocument:
    """Load and prepare a file as `read_prepared_document`, but for class lists.

    Raises ClassListFoundError for these, NotAnEssayError.
    """
    from simcompare.pseudonyms.roster import is_roster  # noqa: PLC0415 - see above

    if is_roster(path):
        raise ClassListFoundError(path)
    read = read_prepared_document(path, recipe, options)
    if (error := not_an_essay(read)) is not None:
        raise error
    return read


def not_an_essay(read: PreparedDocument) -> NotAnEssayError | None:
    """Return why a text that was handed in cannot be an essay, or None."""
    text, path = read.document.text, read.document.path
    units, is_page = read.prepared.unit_count, read.document.receipt.format == "html"
    told = f"{read.document.title} {text if units < _LONGEST_NOTICE else ''}"
    if is_page and units < _LONGEST_ERROR_PAGE and _ERROR_PAGE.search(told):
        return NotAnEssayError(path, cause=N_("web page with an error or a login instead of the text"))
    if _NO_TEXT_SUFFIX.fullmatch(path.suffix):
        return NotAnEssayError(path, cause=N_("program, settings or data, as its suffix says"))
    if visible_length(text) < _FEWEST_CHARACTERS:
        return NotAnEssayError(path, cause=N_("its text has fewer than 10 characters"))
    lines = [line for line in text.splitlines() if _SENTENCE_END.search(line) is None]
    rows = [cells for cells in map(_SEPARATORS.split, lines) if _has_figures(cells)]
    characters = sum(len(" ".join(cells)) for cells in rows)
    is_table = len(rows) > 1 and len(set(map(len, rows))) == 1 and characters * 2 >= len(text)
    if is_table and any(all(map(_FIGURE.fullmatch, column)) for column in zip(*rows, strict=True)):
        return NotAnEssayError(path, cause=N_("table of figures, not a class list"))
    return None


def _has_figures(cells: Sequence[str]) -> bool:
    return any(map(_FIGURE.fullmatch, cells)) and max(map(len, cells)) <= _LONGEST_CELL


def read_prepared_pasted_text(
    path: Path, pasted: PastedText, recipe: str, options: ReadingOptions
) -> PreparedDocument:
    """Load a pasted text, with `path` as its name, and prepare it.

    Raises FileError if it cannot be read, NoUnitsError, UnknownRecipeError.
    """
    return prepare_document(
        load_pasted(path, pasted, options), recipe, options.user_words, meaning=options.meaning
    )
