"""Word files with the ids of editing sessions (w:rsid), as Word and WPS write them."""

import re
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tests.helpers.essay_files import write_docx

_RSIDS = re.compile(rb"<w:rsids>.*</w:rsids>", re.DOTALL)


def _with_value(value: str) -> Callable[[re.Match[bytes]], bytes]:
    return lambda found: b"%s%s<" % (found[1], value.encode())


def write_edited_docx(
    path: Path,
    title: str,
    paragraphs: Sequence[str],
    ids: Iterable[str] = (),
    *,
    text_ids: Iterable[str] = (),
    **properties: str,
) -> Path:
    """Write a Word file edited in the sessions `ids`, which are listed in its settings instead of others.

    text_ids: in attributes of its paragraphs; properties: elements of app.xml and core.xml by their names.
    """
    write_docx(path, title, paragraphs)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    listed = "".join(f'<w:rsid w:val="{each}"/>' for each in ids).encode()
    settings = members["word/settings.xml"]
    members["word/settings.xml"] = _RSIDS.sub(b"<w:rsids>%s</w:rsids>" % listed, settings)
    text = members["word/document.xml"]
    text = re.sub(rb' w:rsid\w+="\w+"', b"", text)  # those of the template
    for each in text_ids:
        text = re.sub(rb"<w:p>", b'<w:p w:rsidR="%s">' % each.encode(), text, count=1)
    members["word/document.xml"] = text
    for name, value in properties.items():
        for part in ("docProps/app.xml", "docProps/core.xml"):
            element = re.compile(rf"(<(?:\w+:)?{name}(?: [^>]*)?>)[^<]*<".encode())
            members[part] = element.sub(_with_value(value), members[part])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path
