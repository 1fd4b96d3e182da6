"""Write small PDF files by hand, with features that no program exports."""

from collections.abc import Sequence
from pathlib import Path

A4 = (0, 0, 595, 842)


def write_pdf(
    path: Path,
    *contents: str,
    to_unicode: str = "",
    turn: int = 0,
    box: Sequence[float] = A4,
    resources: str = "",
    objects: Sequence[str] = (),
    page_entries: str = "",
    catalog_entries: str = "",
) -> Path:
    """Write pages of Helvetica (/F) and of bold Helvetica (/B).

    `to_unicode` maps a letter to its text, as UTF-16 in hexadecimal; `turn` is the rotation of a page in
    degrees; `resources`, `objects`, the first of which is number 7, and entries of every page and of the
    catalog are added unchanged.
    """
    letters = to_unicode and f"{len(to_unicode.split()) // 2} beginbfchar {to_unicode} endbfchar"
    cmap = f"/CMapName /X def 1 begincodespacerange <00> <FF> endcodespacerange {letters} endcmap"
    mapped = "/ToUnicode 3 0 R" if to_unicode else ""
    first = 7 + len(objects)
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(contents)))
    bodies = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog_entries} >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>",
        _stream(cmap),
        f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding {mapped} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        f"<< /Font << /F 4 0 R /B 5 0 R >> {resources} >>",
        *objects,
    ]
    for content in contents:
        sides = " ".join(map(str, box))
        page = f"/Type /Page /Parent 2 0 R /MediaBox [{sides}] /Rotate {turn} /Resources 6 0 R {page_entries}"
        bodies += [f"<< {page} /Contents {len(bodies) + 2} 0 R >>", _stream(content)]
    numbered = "\n".join(f"{number} 0 obj {body} endobj" for number, body in enumerate(bodies, 1))
    path.write_text(f"%PDF-1.4\n{numbered}\ntrailer << /Root 1 0 R >>\n%%EOF\n", encoding="latin-1")
    return path


def _stream(content: str) -> str:
    return f"<< /Length {len(content)} >> stream\n{content}\nendstream"


def drawn(text: str, x: float, y: float, size: float = 12, scale: float = 1.0, font: str = "F") -> str:
    """Return operators that draw a text at a point of the page with scaled letters, as Qt does."""
    return f"BT /{font} {size / scale} Tf {scale} 0 0 {scale} {x} {y} Tm ({text}) Tj ET\n"
