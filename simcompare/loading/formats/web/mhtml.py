"""Reader of web archives (.mht, .mhtml): a page and its resources in one MIME multipart file."""

import email
import html as entities
from collections.abc import Iterator, Sequence
from email.message import Message
from email.policy import compat32

from simcompare.loading.extraction import Extraction, ReadingOptions, Source
from simcompare.loading.formats.plain.encodings import Decoded, decode
from simcompare.loading.formats.web.html_page import extraction_of, read_page
from simcompare.model.errors import DamagedFileError, FileTooLargeError
from simcompare.support.i18n import N_

_MOST_TEXT_BYTES = 10_000_000
_MOST_PARTS = 10_000
_PAGE_TYPES = ("text/html", "application/xhtml+xml")


def read_mhtml(source: Source, options: ReadingOptions) -> Extraction:
    """Read the main page of an archive, then the pages of its frames.

    Frames around an article are advertisements and count as navigation. Raises DamagedFileError,
    FileTooLargeError, or TextNotInFileError if no part contains text.
    """
    parts = _parts(source)
    pages = _texts(parts, _PAGE_TYPES) or _texts(parts, ("text/plain",))
    if not pages:
        raise DamagedFileError(source.path, cause=N_("no page is in the archive"))
    if sum(len(_bytes(part)) for part in pages) > _MOST_TEXT_BYTES:
        raise FileTooLargeError(source.path, cause=N_("more than 10 MB of text"))
    decoded = [_decoded(part) for part in pages]
    main, *frames = (_markup(part, text) for part, text in zip(pages, decoded, strict=True))
    sheets = [_decoded(part).text for part in _texts(parts, ("text/css",))]
    page = read_page(source.path, main, whole=options.whole_page, sheets=sheets, frames=frames)
    return extraction_of(source, page, decoded, reader="mhtml")


def _parts(source: Source) -> list[Message]:
    """Return the parts that are not multipart themselves, the start part of the archive first."""
    try:
        root = email.message_from_bytes(source.data.lstrip(), policy=compat32)
        parts = list(_leaves(root))
    except RecursionError as error:
        raise DamagedFileError(source.path, cause=N_("its parts are nested too deeply")) from error
    start = root.get_param("start")
    if isinstance(start, str):
        parts.sort(key=lambda part: (part.get("Content-ID") or "").strip() != start.strip())
    return parts


def _leaves(root: Message) -> Iterator[Message]:
    waiting = [root]
    for _count in range(_MOST_PARTS):
        if not waiting:
            return
        part = waiting.pop()
        payload = part.get_payload()
        if isinstance(payload, list):
            waiting += [inner for inner in reversed(payload) if isinstance(inner, Message)]
        else:
            yield part


def _texts(parts: Sequence[Message], types: Sequence[str]) -> list[Message]:
    return [part for part in parts if part.get_content_type() in types]


def _bytes(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _decoded(part: Message) -> Decoded:
    return decode(_bytes(part), markup=True, charset=part.get_content_charset())


def _markup(part: Message, decoded: Decoded) -> str:
    if part.get_content_type() in _PAGE_TYPES:
        return decoded.text
    return f"<pre>{entities.escape(decoded.text)}</pre>"
