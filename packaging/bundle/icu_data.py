"""Tables of ICU, which Qt needs on Linux, without those of languages that the program does not have."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path

from tools.base import SetupError

_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Za-z0-9]+)*\.res")
_KEPT = re.compile(r"(?:(?:en|zh)(?:_.*)?|res_index)\.res")
_PAGE = 0x1000
_SIZES = 32
_OFFSETS = {"program": ("<Q", 8), "section": ("<Q", 24)}
"""Format and place of the offset in a header of a program or a section (ELF with 64 bits)."""


def reduce_icu_data(bundle: Path) -> None:
    """Leave out names, units, time zones and orders of other languages, transliteration and word breaks."""
    for path in bundle.rglob("libicudata.so.*"):
        path.write_bytes(reduced(path.read_bytes()))


def reduced(library: bytes) -> bytes:
    """Return the library with a smaller archive; what follows the archive moves by whole pages."""
    start = library.find(b"CmnD") - 12
    headers = list(_headers(library))
    end = min((at for _place, _kind, at in headers if at > start), default=0)
    if start < 0 or not start < end:
        raise SetupError("the tables of ICU are not where they are expected; look at bundle/icu_data.py.")
    archive = _reduced_archive(library[start:end])
    moved = (end - start - len(archive)) // _PAGE * _PAGE
    made = bytearray(library[:start] + archive.ljust(end - start - moved, b"\0") + library[end:])
    for place, kind, at in _headers(library):
        header = place - moved if place > start else place
        form, inside = _OFFSETS[kind]
        if at > start:
            struct.pack_into(form, made, header + inside, at - moved)
        # sizes are at the same place in both kinds of headers; a program header has that in memory, too
        if kind == "section" and at == start:
            struct.pack_into("<Q", made, header + _SIZES, end - start - moved)
        elif kind == "program" and at == 0:
            sizes = struct.unpack_from("<QQ", made, header + _SIZES)
            if sizes[0] > start:
                struct.pack_into("<QQ", made, header + _SIZES, *(size - moved for size in sizes))
    (sections,) = struct.unpack_from("<Q", library, 40)
    struct.pack_into("<Q", made, 40, sections - moved)
    return bytes(made)


def _headers(library: bytes) -> Iterator[tuple[int, str, int]]:
    """Yield place, kind and offset of what the headers of programs and sections describe."""
    (programs, sections) = struct.unpack_from("<QQ", library, 32)
    size, count, section_size, section_count = struct.unpack_from("<HHHH", library, 54)
    for kind, first, each, number in (
        ("program", programs, size, count),
        ("section", sections, section_size, section_count),
    ):
        form, inside = _OFFSETS[kind]
        for place in range(first, first + each * number, each):
            yield place, kind, *struct.unpack_from(form, library, place + inside)


def _reduced_archive(archive: bytes) -> bytes:
    """Return an archive of ICU (header, number of items, places, names, contents) with fewer items."""
    (base,) = struct.unpack_from("<H", archive)
    (count,) = struct.unpack_from("<I", archive, base)
    places = [struct.unpack_from("<II", archive, base + 4 + 8 * number) for number in range(count)]
    ends = [*(content for _name, content in places[1:]), len(archive) - base]
    items = []
    for (name_at, content_at), end in zip(places, ends, strict=True):
        name = archive[base + name_at : archive.index(b"\0", base + name_at)]
        if _is_needed(name.decode().partition("/")[2]):
            items.append((name + b"\0", archive[base + content_at : base + end]))
    toc, names, contents = struct.pack("<I", len(items)), b"", b""
    names_at = len(toc) + 8 * len(items)
    contents_at = names_at + sum(len(name) for name, _content in items)
    contents_at += -(base + contents_at) % 16
    for name, content in items:
        toc += struct.pack("<II", names_at + len(names), contents_at + len(contents))
        names += name
        contents += content.ljust(len(content) + -len(content) % 16, b"\0")
    return archive[:base] + (toc + names).ljust(contents_at, b"\0") + contents


def _is_needed(name: str) -> bool:
    """Return whether an item is needed, as "coll/zh.res"; all converters are."""
    folder, _slash, file = name.rpartition("/")
    if folder == "translit" or file.endswith(".dict"):
        return False
    return not _LANGUAGE.fullmatch(file) or _KEPT.fullmatch(file) is not None
