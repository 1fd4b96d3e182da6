"""Outputs compared byte for byte with those in tests/data/golden.

SIMCOMPARE_GOLDEN=renew pytest tests/cli/test_golden.py tests/gui/test_golden.py

writes them anew: read what `git diff` then shows. Of files that are not text, the golden file has the SHA-256
of each part, and the text in it. Of PDF files only the text is compared, without its line breaks, and only on
computers with the same fonts, as their pages depend on them.
"""

import hashlib
import io
import json
import os
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from itertools import islice
from pathlib import Path, PurePath

from lxml import etree, html

from simcompare.report.pdf_report import report_fonts

_GOLDEN = Path(__file__).parents[1] / "data" / "golden"
_LINES_SHOWN = 60
_FONTS = "fonts: "
_ARCHIVES = {".docx", ".xlsx", ".zip", ".simcompare"}


def check_golden(case: str, outputs: Mapping[str, bytes | str], *, may_renew: bool = True) -> None:
    """Compare outputs with the golden ones of a case."""
    folder = _GOLDEN / case
    texts = {f"{name}.txt": readable(name, content) for name, content in outputs.items()}
    if may_renew and os.environ.get("SIMCOMPARE_GOLDEN") == "renew":
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    golden = {path.name: path.read_bytes().decode("utf-8") for path in folder.glob("*")}
    assert sorted(texts) == sorted(golden)
    pairs = {name: (golden[name], text) for name, text in texts.items()}
    compared = {name: pair for name, pair in pairs.items() if len(set(map(_fonts_in, pair))) == 1}
    differences = [line for name, pair in compared.items() for line in _difference(name, *pair)]
    assert not differences, "\n".join(differences)


def _fonts_in(text: str) -> str:
    return "".join(line for line in text.splitlines() if line.startswith(_FONTS))


def _difference(name: str, golden: str, text: str) -> Iterator[str]:
    lines = unified_diff(golden.splitlines(), text.splitlines(), f"golden/{name}", name, n=1, lineterm="")
    return islice(lines, _LINES_SHOWN)


def readable(name: str, content: bytes | str) -> str:
    """Return a file as text: itself, or the digests of its parts and the text in it."""
    if isinstance(content, str):
        return content
    kind = PurePath(name).suffix.lower()
    if kind == ".pdf":
        return _pdf_text(content)
    if kind in _ARCHIVES:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [(member.filename, archive.read(member)) for member in archive.infolist()]
        return "\n".join(f"=== {member}\n{_member(member, part)}" for member, part in members)
    if kind in {".html", ".htm"}:
        page = html.fromstring(content)
        etree.strip_elements(page, "style", "script", with_tail=False)
        return "\n".join([_digest(content), *_lines(page.itertext())])
    return content.decode("utf-8")


def _member(name: str, content: bytes) -> str:
    kind = PurePath(name).suffix.lower()
    if kind == ".xml":
        texts = (element.text or "" for element in etree.fromstring(content).iter(etree.Element))
        return "\n".join([_digest(content), *_lines(texts)])
    if kind == ".json":
        return f"{_digest(content)}\n{json.dumps(json.loads(content), ensure_ascii=False, indent=1)}"
    if kind in {".pdf", ".html", ".csv", ".txt", *_ARCHIVES}:
        return readable(name, content)
    return _digest(content)


def _digest(content: bytes) -> str:
    return f"{hashlib.sha256(content).hexdigest()} {len(content)} bytes"


def _lines(texts: Iterable[str]) -> list[str]:
    return [stripped for text in texts if (stripped := text.strip())]


def _pdf_text(content: bytes) -> str:
    from pdfminer.high_level import extract_text

    fonts = report_fonts()
    families = ", ".join([*fonts.chinese, *fonts.latin, *fonts.digits])
    text = "".join(extract_text(io.BytesIO(content)).split())
    return f"{_FONTS}{families}\n" + re.sub(r"(?<=[。？！；])", "\n", text)
