"""Ways to corrupt a file, for fuzz_readers: by its bytes, and by the parts inside an archive."""

import hashlib
import io
import json
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from random import Random
from typing import Any

NUMBERS = (b"0", b"-1", b"1e308", b"65536", b"2147483647", b"4294967296", b"99999999999999999999", b"NaN")
WORDS = (b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\x01\0", b"\xff")
_NUMBER = re.compile(rb"\d+")
# Tokens of the formats: a tag or an end tag, a control word, a name, a brace.
_TOKEN = re.compile(rb"</?[\w:!?.-]+[^<>]{0,200}>|\\[a-z*'{}]+-?\d*|/[A-Za-z]+|[{}\[\]()]|&#?\w+;|<<|>>")
_OPENING = re.compile(rb"<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?(?<!/)>")
_PNG = b"\x89PNG\r\n\x1a\n"
_MOST_REPEATED = 20_000
_LARGEST_BYTES = 20_000_000


def broken(seeds: Sequence[bytes], random: Random) -> bytes:
    """Return one of the files, corrupted in one or several ways."""
    # prefer a small one, so that more cases fit into the time
    data = min(random.choice(seeds), random.choice(seeds), key=len)
    if data.startswith(b"PK\x03\x04") and random.random() < 0.8:
        return _repacked(data, random.choice(seeds), random)
    changed = _changed(data, random.choice(seeds), random)
    return _checked_again(changed) if changed.startswith(_PNG) and random.random() < 0.7 else changed


def with_other_values(data: bytes, random: Random) -> bytes:
    """Return an archive or a database that is valid, but some of its values are others; checksums fit."""
    if not data.startswith(b"PK"):
        return _other_cells(data, random)
    parts = _parts(data)
    for _time in range(random.choice((1, 1, 2, 4))):
        name = random.choice([*parts])
        before = hashlib.sha256(parts[name]).hexdigest().encode()
        if name.endswith((".json", ".jsonl")):
            lines = parts[name].splitlines() if name.endswith("l") else [parts[name]]
            place = random.randrange(len(lines))
            with suppress(ValueError):  # it was moved here from another part
                lines[place] = json.dumps(_other_value(json.loads(lines[place]), random)).encode()
            parts[name] = b"\n".join(lines)
        else:
            parts[name] = random.choice((_flip, _word))(parts[name], b"", random)
        if "manifest.json" in parts:
            after = hashlib.sha256(parts[name]).hexdigest().encode()
            parts["manifest.json"] = parts["manifest.json"].replace(before, after)
    return _packed(parts, random)


def _other_value(value: Any, random: Random) -> Any:
    """Return a value of JSON, in which one value is another one, is missing or is there twice."""
    if isinstance(value, dict | list) and value and random.random() < 0.95:
        keys = [*value] if isinstance(value, dict) else range(len(value))
        key = random.choice(keys)
        if random.random() < 0.9:
            value[key] = _other_value(value[key], random)
        elif isinstance(value, dict) or random.random() < 0.5:
            del value[key]
        else:
            value.append(value[key])
        return value
    if isinstance(value, bool) or random.random() < 0.1:
        return random.choice((None, True, False, 0, "", [], {}, "\ud800", [[]]))
    if isinstance(value, int | float):
        near = (value + 1, value - 1, -value, value * 2, value / 2, int(value) // 2)
        return random.choice((*near, *near, 0, 1, 2**31, 2**63, 1e308, float("nan")))
    text = str(value)
    others = (
        "",
        text * 2,
        text[1:],
        text[:-1] + "\0",
        text[::-1],
        "../" + text,
        "x" * 70_000,
        "\u202e" + text,
    )
    return random.choice(others)


def _other_cells(data: bytes, random: Random) -> bytes:
    # a database in memory has no write-ahead log, so its header must not name one
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(data[:18] + b"\1\1" + data[20:])
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for _time in range(random.choice((1, 1, 2, 4))):
            table = random.choice(tables)
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            column, rows = random.choice(columns), random.choice("=<>")
            cells = connection.execute(f"SELECT {column} FROM {table}").fetchall()
            if cells:
                [old] = random.choice(cells)
                new = _flip(old, b"", random) if isinstance(old, bytes) else _other_value(old, random)
                new = str(new) if isinstance(new, dict | list) else new
                with suppress(
                    sqlite3.Error, OverflowError, UnicodeError
                ):  # a constraint or a type refuses it
                    update = f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {column} {rows} ?"
                    connection.execute(update, (new, old))
        connection.commit()
        return connection.serialize()


def _changed(data: bytes, other: bytes, random: Random) -> bytes:
    for _time in range(random.choice((1, 1, 1, 2, 3, 8))):
        data = random.choice(_CHANGES)(data, other, random)[:_LARGEST_BYTES]
    return data


def _checked_again(data: bytes) -> bytes:
    """Return a PNG with valid checksums, so that readers process more than the first corrupted chunk."""
    chunks, start = [_PNG], len(_PNG)
    while start + 12 <= len(data):
        length = min(int.from_bytes(data[start : start + 4]), len(data) - start - 12)
        content = data[start + 4 : start + 8 + length]
        chunks += [length.to_bytes(4), content, zlib.crc32(content).to_bytes(4)]
        start += 12 + length
    return b"".join(chunks)


def _repacked(data: bytes, other: bytes, random: Random) -> bytes:
    """Return the archive with some parts changed, exchanged, doubled or removed."""
    try:
        parts, others = _parts(data), _parts(other)
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, RuntimeError):
        return _changed(data, other, random)
    # the most important parts are the large ones and those with markup
    names = sorted(parts, key=lambda name: (name.endswith((".xml", ".html", ".xhtml", ".rels")), len(name)))
    for _time in range(random.choice((1, 1, 2, 4))):
        if not parts:
            break
        name = random.choice([name for name in names[len(names) // 3 :] if name in parts] or list(parts))
        way = random.random()
        if way < 0.8:
            parts[name] = _changed(parts[name], random.choice(list((others or parts).values())), random)
        elif way < 0.87:
            del parts[name]
        elif way < 0.94:
            parts[name] = random.choice(list((others or parts).values()))
        else:
            parts[random.choice(names)] = parts[name]
    return _packed(parts, random)


def _parts(data: bytes) -> dict[str, bytes]:
    if not data.startswith(b"PK"):
        return {}
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {info.filename: package.read(info) for info in package.infolist()}


def _packed(parts: dict[str, bytes], random: Random) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            method = zipfile.ZIP_STORED if name == "mimetype" or random.random() < 0.2 else None
            package.writestr(name, content, method)
    return buffer.getvalue()


def _place(data: bytes, random: Random) -> int:
    return random.randrange(len(data) + 1)


def _range(data: bytes, random: Random) -> tuple[int, int]:
    """Return a random range, mostly short."""
    start = _place(data, random)
    return start, min(len(data), start + int(2 ** random.uniform(0, 14)))


def _flip(data: bytes, _other: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _time in range(random.choice((1, 4, 32)) if data else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def _noise(data: bytes, _other: bytes, random: Random) -> bytes:
    start, end = _range(data, random)
    return data[:start] + random.randbytes(end - start) + data[end:]


def _word(data: bytes, _other: bytes, random: Random) -> bytes:
    start, word = _place(data, random), random.choice(WORDS)
    return data[:start] + word + data[start + len(word) :]


def _cut_out(data: bytes, _other: bytes, random: Random) -> bytes:
    start, end = _range(data, random)
    return data[:start] + data[end:]


def _cut_short(data: bytes, _other: bytes, random: Random) -> bytes:
    return data[: _place(data, random)]


def _double(data: bytes, _other: bytes, random: Random) -> bytes:
    start, end = _range(data, random)
    return data[:end] + data[start:end] * random.choice((1, 3, 50)) + data[end:]


def _move(data: bytes, _other: bytes, random: Random) -> bytes:
    start, end = _range(data, random)
    rest, place = data[:start] + data[end:], _place(data, random)
    return rest[:place] + data[start:end] + rest[place:]


def _splice(data: bytes, other: bytes, random: Random) -> bytes:
    start, end = _range(other, random)
    place = _place(data, random)
    if random.random() < 0.3:
        return data[:place] + other[start:]
    return data[:place] + other[start:end] + data[place:]


def _number(data: bytes, _other: bytes, random: Random) -> bytes:
    found = _one_of(_NUMBER, data, random)
    return data if found is None else data[: found.start()] + random.choice(NUMBERS) + data[found.end() :]


def _token(data: bytes, other: bytes, random: Random) -> bytes:
    """Insert a tag or control word somewhere else, once or so often that the nesting is very deep."""
    found = _one_of(_TOKEN, other if random.random() < 0.5 else data, random)
    times = random.choice((1, 1, 1, 2, 200, _MOST_REPEATED))
    place = _one_of(_TOKEN, data, random)
    start = _place(data, random) if place is None else place.start()
    return data if found is None else data[:start] + found.group() * times + data[start:]


def _lose_token(data: bytes, _other: bytes, random: Random) -> bytes:
    found = _one_of(_TOKEN, data, random)
    return data if found is None else data[: found.start()] + data[found.end() :]


def _element(data: bytes, _other: bytes, random: Random) -> bytes:
    """Double, remove, move or nest a whole element, so that markup stays well-formed."""
    opening = _one_of(_OPENING, data, random)
    closing = b"" if opening is None else b"</" + opening[1] + b">"
    end = -1 if opening is None else data.find(closing, opening.end())
    if opening is None or end < 0:
        return data
    before, inside, after = data[: opening.start()], data[opening.end() : end], data[end + len(closing) :]
    whole = opening.group() + inside + closing
    way = random.randrange(4)
    if way == 0:
        return before + whole * random.choice((2, 2, 3, 1000)) + after
    if way == 1:
        return before + after
    if way == 2:
        times = random.choice((2, 100, 1000, _MOST_REPEATED))
        return before + opening.group() * times + inside + closing * times + after
    place = _one_of(_OPENING, before + after, random)
    start = 0 if place is None else place.start()
    return (before + after)[:start] + whole + (before + after)[start:]


def _one_of(pattern: re.Pattern[bytes], data: bytes, random: Random) -> re.Match[bytes] | None:
    """Return the first match after a random position."""
    return pattern.search(data, _place(data, random)) or pattern.search(data)


_CHANGES: tuple[Callable[[bytes, bytes, Random], bytes], ...] = (
    _flip,
    _noise,
    _word,
    _cut_out,
    _cut_short,
    _double,
    _move,
    _splice,
    _number,
    _number,
    _token,
    _token,
    _lose_token,
    _element,
    _element,
    _element,
)
