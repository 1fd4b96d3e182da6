"""Unpack all parts of a file and search them for names."""

import io
import re
import zipfile
from functools import cache
from urllib.parse import quote, unquote_to_bytes

import pikepdf
import pypdfium2

SPELLINGS = (
    *(
        "张三",
        "张 三",
        "張三",
        "20231234",
        "２０２３１２３４",
        "2023 1234",
        "李小明",
        "李 小 明",
        "小明",
        "20231235",
    ),
    *("John Smith", "Smith, John", "J. Smith", "Smith", "SMITH", "john.smith", "Mary-Ann O'Neil", "O’Neil"),
    *(
        "O'Neil",
        "Mary-Ann",
        "欧阳娜娜",
        "娜娜",
        "小欧阳",
        "李·小明",
        "明同学",
        "N. Ouyang",
        "L.Xiaoming",
        "X. Li",
    ),
    *("Johnny", "Jonh", "js99", "school.example", "13812345678"),
)
"""Spellings of the names planted in the files."""


def parts_of(data, name=""):
    """Yield the parts of a file, unpacked recursively, each with a name for messages."""
    yield f"{name} (as it is)", data
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield f"{name} (names of members)", "\n".join(archive.namelist()).encode()
            yield f"{name} (remark)", archive.comment
            for info in archive.infolist():
                yield f"{name} (extra of {info.filename})", info.extra + info.comment
                yield from parts_of(archive.read(info), f"{name}/{info.filename}")
    elif data.startswith(b"%PDF"):
        yield from pdf_parts(data, name)
    elif data.lstrip().startswith(b"<"):
        text = re.sub(r"<[^>]*>", "", data.decode("utf-8"))
        yield f"{name} (text)", text.encode()


def pdf_parts(data, name):
    with pikepdf.open(io.BytesIO(data)) as pdf:
        yield f"{name} (information)", "\n".join(map(str, pdf.docinfo.values())).encode()
        for number, held in enumerate(pdf.objects):
            if isinstance(held, pikepdf.Stream):
                try:
                    yield f"{name} (stream {number})", held.read_bytes()
                except pikepdf.PdfError:
                    yield f"{name} (stream {number})", held.read_raw_bytes()
            elif isinstance(held, pikepdf.String):
                yield f"{name} (string {number})", str(held).encode()
            else:
                yield (
                    f"{name} (object {number})",
                    held.unparse(resolved=True) if isinstance(held, pikepdf.Object) else b"",
                )
    document = pypdfium2.PdfDocument(data)
    for page in document:
        yield f"{name} (page)", page.get_textpage().get_text_bounded().encode("utf-8", "replace")


def leaks_in(data, name="", spellings=SPELLINGS):
    """Find names in a file: pairs of a part and a spelling."""
    return sorted(
        {
            (part, spelling)
            for part, held in parts_of(data, name)
            for searched in (held, unquote_to_bytes(held))
            for spelling in spellings
            if any(needle in searched for needle in needles(spelling))
        }
    )


@cache
def needles(spelling):
    return list(encoded(spelling))


def encoded(spelling):
    encodings = ("utf-8", "utf-16-le", "utf-16-be", "gb18030")
    yield from (spelling.encode(encoding) for encoding in encodings if len(spelling.encode(encoding)) > 3)
    if not spelling.isascii():
        yield quote(spelling).encode()
        yield quote(spelling).lower().encode()
        yield "".join(f"\\u{ord(character):04x}" for character in spelling).encode()
        yield "".join(f"&#{ord(character)};" for character in spelling).encode()
