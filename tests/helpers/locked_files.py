"""Write password-protected files."""

import hashlib
import io
from pathlib import Path

from msoffcrypto.format.ooxml import OOXMLFile

_PAD = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
_FILE_ID = bytes(range(16))
_PERMISSIONS = -4
_CONTENT_OBJECT = 4


def lock_docx(path: Path, password: str) -> Path:
    """Encrypt a Word file in place, as Word does."""
    locked = io.BytesIO()
    OOXMLFile(io.BytesIO(path.read_bytes())).encrypt(password, locked)
    path.write_bytes(locked.getvalue())
    return path


def write_locked_pdf(path: Path, text: str, password: str) -> Path:
    """Write a page of Helvetica, encrypted with 40 bits (PDF 1.4, 7.6.3: standard security, revision 2)."""
    padded = (password.encode("latin-1") + _PAD)[:32]
    owner = _rc4(hashlib.md5(padded, usedforsecurity=False).digest()[:5], padded)
    permissions = _PERMISSIONS.to_bytes(4, "little", signed=True)
    key = hashlib.md5(padded + owner + permissions + _FILE_ID, usedforsecurity=False).digest()[:5]
    content_key = key + _CONTENT_OBJECT.to_bytes(3, "little") + b"\0\0"
    content_key = hashlib.md5(content_key, usedforsecurity=False).digest()[:10]
    content = _rc4(content_key, f"BT /F 12 Tf 72 720 Td ({text}) Tj ET".encode("latin-1"))
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F 5 0 R >> >> >>",
        b"<< /Length %d >> stream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Filter /Standard /V 1 /R 2 /Length 40 /P %d /O <%s> /U <%s> >>"
        % (_PERMISSIONS, owner.hex().encode(), _rc4(key, _PAD).hex().encode()),
    ]
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(bodies, start=1):
        places.append(len(data))
        data += b"%d 0 obj %s endobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    file_id = _FILE_ID.hex().encode()
    trailer = b"<< /Size %d /Root 1 0 R /Encrypt 6 0 R /ID [<%s> <%s>] >>" % (
        len(bodies) + 1,
        file_id,
        file_id,
    )
    end = b"xref\n0 %d\n0000000000 65535 f \n%strailer %s\nstartxref\n%d\n%%%%EOF\n"
    path.write_bytes(data + end % (len(bodies) + 1, table, trailer, len(data)))
    return path


def _rc4(key: bytes, data: bytes) -> bytes:
    box, j = list(range(256)), 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    i = j = 0
    out = bytearray()
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)
