"""Write an essay in the page layouts of students and teachers, to be printed by LibreOffice."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

_SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in [
        ("office", "office"),
        ("style", "style"),
        ("text", "text"),
        ("fo", "xsl-fo-compatible"),
        ("svg", "svg-compatible"),
    ]
)
_DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document {spaces} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">
<office:font-face-decls>
<style:font-face style:name="W" svg:font-family="'Liberation Serif'"/>
<style:font-face style:name="C" svg:font-family="'Noto Serif CJK SC'"/>
</office:font-face-decls>
<office:styles>
<style:style style:name="Standard" style:family="paragraph"><style:text-properties style:font-name="W"
 style:font-name-asian="C" fo:font-size="12pt" style:font-size-asian="12pt" fo:language="en" fo:country="US"
 fo:hyphenate="{hyphenate}"/></style:style>
<style:style style:name="Body" style:family="paragraph" style:parent-style-name="Standard">
<style:paragraph-properties fo:text-align="{align}" fo:text-indent="{indent}" fo:margin-bottom="{apart}"/>
</style:style>
<style:style style:name="Note" style:family="paragraph" style:parent-style-name="Standard">
<style:paragraph-properties fo:margin-left="0.6cm" fo:text-indent="-0.6cm"/>
<style:text-properties fo:font-size="9pt" style:font-size-asian="9pt"/></style:style>
<style:style style:name="Raised" style:family="text">
<style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:name="Title" style:family="paragraph" style:parent-style-name="Standard">
<style:paragraph-properties fo:text-align="center" fo:margin-bottom="0.4cm"/>
<style:text-properties fo:font-size="18pt" style:font-size-asian="18pt"/></style:style>
<text:notes-configuration text:note-class="footnote" style:num-format="1" text:start-value="0"
 text:citation-body-style-name="Raised" text:footnotes-position="page"
 text:start-numbering-at="document"/>
</office:styles>
<office:automatic-styles><style:page-layout style:name="L">
<style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2.5cm">
<style:columns fo:column-count="{columns}" fo:column-gap="0.8cm"/></style:page-layout-properties>
<style:header-style><style:header-footer-properties fo:min-height="0.8cm" fo:margin-bottom="0.4cm"/>
</style:header-style><style:footer-style><style:header-footer-properties fo:min-height="0.8cm"
 fo:margin-top="0.4cm"/></style:footer-style></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="L">
<style:header><text:p text:style-name="Standard">{header}</text:p></style:header>
<style:footer><text:p text:style-name="Standard"><text:page-number/></text:p></style:footer>
</style:master-page></office:master-styles>
<office:body><office:text><text:p text:style-name="Title">{title}</text:p>{body}</office:text></office:body>
</office:document>
"""


@dataclass(frozen=True, slots=True)
class Layout:
    """Page layout; paragraphs that are not `indented` are spaced apart."""

    columns: int = 1
    justified: bool = True
    indented: bool = True
    hyphenated: bool = False


def write_laid_out(
    path: Path, title: str, paragraphs: Sequence[str], notes: dict[int, str], header: str, layout: Layout
) -> Path:
    """Write an essay as flat ODT, with header, page numbers and footnotes by paragraph index."""
    body = "".join(
        f'<text:p text:style-name="Body">{escape(text)}{_note(number, notes)}</text:p>'
        for number, text in enumerate(paragraphs)
    )
    path.write_text(
        _DOCUMENT.format(
            spaces=_SPACES,
            title=escape(title),
            body=body,
            header=escape(header),
            columns=layout.columns,
            align="justify" if layout.justified else "start",
            indent="0.85cm" if layout.indented else "0cm",
            apart="0cm" if layout.indented else "0.3cm",
            hyphenate="true" if layout.hyphenated else "false",
        ),
        encoding="utf-8",
    )
    return path


def _note(paragraph: int, notes: dict[int, str]) -> str:
    if paragraph not in notes:
        return ""
    number = sorted(notes).index(paragraph) + 1
    return (
        f'<text:note text:id="n{number}" text:note-class="footnote"><text:note-citation>{number}'
        f'</text:note-citation><text:note-body><text:p text:style-name="Note">{escape(notes[paragraph])}'
        "</text:p></text:note-body></text:note>"
    )
