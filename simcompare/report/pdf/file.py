"""The objects of a PDF file, written one after the other (ISO 32000-1, chapter 7)."""

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from datetime import datetime

_HEADER = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"


def literal(text: str) -> bytes:
    """Return a text string as UTF-16 in hexadecimal digits, which no character can break out of."""
    return b"<FEFF" + text.encode("utf-16-be", "replace").hex().upper().encode() + b">"


def date(moment: datetime) -> bytes:
    """Return a date; one without a time zone is taken as it stands."""
    zone = moment.strftime("%z")
    shift = f"{zone[:3]}'{zone[3:5]}'" if zone else ""
    return f"(D:{moment:%Y%m%d%H%M%S}{shift})".encode()


def real(value: float) -> str:
    """Return a number of at most two decimals, the shortest way."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def reference(number: int) -> bytes:
    """Return what stands for an object elsewhere in the file."""
    return b"%d 0 R" % number


def dictionary(entries: Mapping[str, bytes]) -> bytes:
    """Return a dictionary; its values are written already."""
    return b"<<" + b"".join(b"/%s %s\n" % (key.encode(), value) for key, value in entries.items()) + b">>"


def array(values: Sequence[bytes]) -> bytes:
    """Return an array; its values are written already."""
    return b"[" + b" ".join(values) + b"]"


class PdfFile:
    """Objects numbered from 1, as they are asked for. The same calls give the same bytes."""

    def __init__(self) -> None:
        self._bodies: list[bytes | None] = []

    def reserve(self) -> int:
        """Return the number of an object that `put` fills later."""
        self._bodies.append(None)
        return len(self._bodies)

    def put(self, number: int, body: bytes) -> None:
        """Fill a reserved object."""
        self._bodies[number - 1] = body

    def add(self, body: bytes) -> int:
        """Add an object and return its number."""
        self._bodies.append(body)
        return len(self._bodies)

    def add_stream(self, data: bytes, entries: Mapping[str, bytes] | None = None) -> int:
        """Add data, deflated, and return its number."""
        return self.add_packed(zlib.compress(data, 6), entries or {})

    def add_packed(self, data: bytes, entries: Mapping[str, bytes]) -> int:
        """Add data that is deflated already, and return its number."""
        head = dictionary({"Length": b"%d" % len(data), "Filter": b"/FlateDecode", **entries})
        return self.add(head + b"\nstream\n" + data + b"\nendstream")

    def finished(self, root: int, info: int) -> bytes:
        """Return the file; its identity is the digest of what it holds."""
        parts, places, size = [_HEADER], [], len(_HEADER)
        for number, body in enumerate(self._bodies, start=1):
            if body is None:
                raise ValueError(f"object {number} was reserved and not filled")
            places.append(size)
            parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, body))
            size += len(parts[-1])
        identity = hashlib.sha256(b"".join(parts)).hexdigest()[:32].encode()
        rows = b"".join(b"%010d 00000 n \n" % place for place in places)
        trailer = dictionary(
            {
                "Size": b"%d" % (len(places) + 1),
                "Root": reference(root),
                "Info": reference(info),
                "ID": array([b"<" + identity + b">"] * 2),
            }
        )
        table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
        parts += [table, rows, b"trailer\n", trailer, b"\nstartxref\n%d\n%%%%EOF\n" % size]
        return b"".join(parts)
