"""A text file as it stands, for scorers that count its characters."""

import hashlib
import re
from pathlib import Path

from simcompare.document import Anchor, Block, BlockKind, Document, Span
from simcompare.errors import DamagedFileError, EmptyFileError
from simcompare.i18n import N_
from simcompare.loading.files import bytes_of
from simcompare.loading.structure import marked_references
from simcompare.receipt import ExtractionReceipt

# lines up to a blank one: texts of this kind are often broken at a fixed width
_PARAGRAPH = re.compile(r"[^\r\n]+(?:\r?\n[^\r\n]+)*")


def load_verbatim(path: Path) -> Document:
    """Read a UTF-8 text without changing a character: offsets are those of the decoded file.

    Raises DamagedFileError where it is not UTF-8, and what `bytes_of` raises.
    """
    data = bytes_of(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DamagedFileError(path, cause=N_("it is not UTF-8 text")) from error
    spans = [Span(*match.span()) for match in _PARAGRAPH.finditer(text)]
    if not spans:
        raise EmptyFileError(path)
    kinds = marked_references([BlockKind.PARAGRAPH] * len(spans), [span.of(text) for span in spans])
    return Document(
        path=path,
        title=path.stem,
        text=text,
        blocks=tuple(
            Block(kind, span, Anchor(number))
            for number, (kind, span) in enumerate(zip(kinds, spans, strict=True), start=1)
        ),
        receipt=ExtractionReceipt(
            reader="verbatim",
            format="text",
            characters_kept=len(text),
            paragraphs=len(spans),
            encoding="utf-8",
        ),
        sha256=hashlib.sha256(data).hexdigest(),
        size_bytes=len(data),
    )
