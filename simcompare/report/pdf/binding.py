"""Add internal links, page footers and metadata to a PDF report.

Links to labels and page counters make Typst lay out all pages twice: for two texts of 300 pages that took
2.0 GB and 11 s instead of 0.8 GB and 4.5 s. So the template writes links as addresses, which are converted
to internal links here, and the page footers are typeset as a second document.
"""

from collections.abc import Mapping
from datetime import datetime
from io import BytesIO

import pikepdf
from pikepdf import Array, Name, Object, Pdf

LINK_SCHEME = "simcompare:"
_ABOVE_PLACE_PT = 12


def bound(body: bytes, feet: bytes, place_names: Mapping[str, str], program: str, made_at: datetime) -> bytes:
    """Return the report `body` with its links, page footers and metadata.

    feet: a PDF with the same number of pages, each with only a footer.
    place_names: text alternatives of links, with {number}, by the first letter of the place they lead to.
    """
    with Pdf.open(BytesIO(body)) as file, Pdf.open(BytesIO(feet)) as foot_file:
        _link(file, place_names)
        for page, foot in zip(file.pages, foot_file.pages, strict=True):
            _add_foot(file, page, foot)
        # false is the default, and Poppler (25.03) treats the entry as an error
        del file.Root.MarkInfo["/Suspects"]
        _describe(file, program, made_at)
        written = BytesIO()
        file.save(written, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return written.getvalue()


def page_count(body: bytes) -> int:
    """Return the number of pages of a PDF."""
    with Pdf.open(BytesIO(body)) as file:
        return len(file.pages)


def first_page(body: bytes) -> bytes:
    """Return a PDF with only the first page, without links."""
    with Pdf.open(BytesIO(body)) as file:
        del file.pages[1:]
        if "/Annots" in file.pages[0]:
            del file.pages[0].obj["/Annots"]
        written = BytesIO()
        file.save(written, deterministic_id=True)
        return written.getvalue()


def _link(file: Pdf, place_names: Mapping[str, str]) -> None:
    """Convert the addresses "simcompare:HERE/THERE" to internal links.

    A link leads to the place of the first link whose HERE equals its THERE.
    """
    places: dict[str, Array] = {}
    links: list[tuple[Object, str]] = []
    for page in file.pages:
        for link in page.get("/Annots", ()):
            here, _slash, there = str(link.A.URI).removeprefix(LINK_SCHEME).partition("/")
            top = float(link.Rect[3]) + _ABOVE_PLACE_PT
            places.setdefault(here, Array([page.obj, Name.XYZ, None, round(top, 1), None]))
            links.append((link, there))
    for link, there in links:
        del link["/A"]
        link.Dest = places[there]
        link.Contents = place_names[there[0]].format(number=there[1:])


def _add_foot(file: Pdf, page: pikepdf.Page, foot: pikepdf.Page) -> None:
    """Draw a footer before the content of a page, as an artifact, which screen readers skip."""
    page.add_resource(file.copy_foreign(foot.as_form_xobject()), Name.XObject, Name.Foot)
    artifact = b"/Artifact <</Type /Pagination /Subtype /Footer>> BDC q /Foot Do Q EMC\n"
    page.contents_add(artifact, prepend=True)


def _describe(file: Pdf, program: str, made_at: datetime) -> None:
    with file.open_metadata(set_pikepdf_as_editor=False) as about:
        about["xmp:CreatorTool"] = program
        about["xmp:CreateDate"] = about["xmp:ModifyDate"] = made_at.isoformat(timespec="seconds")
