"""Footnotes and endnotes: where their marks stand in the text, and which lines are their text."""

import io
import struct
import zipfile
from pathlib import Path

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.loading.extraction import Piece, clean, cleaned, note_mark
from simcompare.loading.load import load_document
from simcompare.model.document import BlockKind, Document
from tests.helpers.doc_files import DocFile

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_BODY = (
    "<w:p><w:r><w:t>Trade grew fast.</w:t></w:r><w:r><w:endnoteReference w:id='1'/></w:r>"
    "<w:r><w:t xml:space='preserve'> Towns </w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>"
    "<w:r><w:t xml:space='preserve'>  grew slowly.</w:t></w:r></w:p>"
)


def _notes(kind: str, number: int, *lines: str) -> str:
    paragraphs = "".join(f"<w:p><w:r><w:{kind}Ref/><w:t> {line}</w:t></w:r></w:p>" for line in lines)
    return f"<w:{kind}s {WORD}><w:{kind} w:id='{number}'>{paragraphs}</w:{kind}></w:{kind}s>"


def _docx(path: Path) -> None:
    plain = io.BytesIO()
    docx.Document().save(plain)
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            text = source.read(name)
            if name == "word/document.xml":
                text = text.replace(b"<w:body>", b"<w:body>" + _BODY.encode())
            elif name == "word/_rels/document.xml.rels":
                relations = "".join(
                    f'<Relationship Id="n{kind}" Target="{kind}s.xml" Type="http://schemas.openxmlformats.org/'
                    f'officeDocument/2006/relationships/{kind}s"/>'
                    for kind in ("footnote", "endnote")
                )
                text = text.replace(b"</Relationships>", relations.encode() + b"</Relationships>")
            target.writestr(name, text)
        target.writestr("word/footnotes.xml", _notes("footnote", 2, "Weber, Towns, 1921.", "See p. 4."))
        target.writestr("word/endnotes.xml", _notes("endnote", 1, "Pirenne, Trade, 1925."))


def _odt(path: Path) -> None:
    def note(kind: str, *lines: str) -> str:
        body = "".join(f"<text:p>{line}</text:p>" for line in lines)
        return (
            f'<text:note text:note-class="{kind}"><text:note-citation>1</text:note-citation>'
            f"<text:note-body>{body}</text:note-body></text:note>"
        )

    content = (
        '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text><text:p>'
        f"Trade grew fast.{note('endnote', 'Pirenne, Trade, 1925.')} Towns "
        f"{note('footnote', 'Weber, Towns, 1921.', 'See p. 4.')} grew slowly."
        "</text:p></office:text></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", content)


def _rtf(path: Path) -> None:
    path.write_text(
        r"{\rtf1\ansi Trade grew fast.{\super\chftn}{\footnote\ftnalt\pard {\super\chftn} Pirenne, Trade, "
        r"1925.}"
        r" Towns {\super\chftn{\footnote\pard\chftn  Weber, Towns, 1921.\par See p. 4.}} grew slowly.\par}"
    )


def _html_of_word(path: Path) -> None:
    path.write_text(
        "<html><body><p class=MsoNormal>Trade grew fast.<a style='mso-endnote-id:edn1' href='#_edn1' "
        "name='_ednref1'><span class=MsoEndnoteReference>[i]</span></a> Towns "
        "<a style='mso-footnote-id:ftn1' href='#_ftn1' name='_ftnref1'>[1]</a> grew slowly.</p>"
        "<p class=MsoFootnoteText><a style='mso-footnote-id:ftn1' href='#_ftnref1' name='_ftn1'>[1]</a> "
        "Weber, Towns, 1921.</p><p class=MsoFootnoteText>See p. 4.</p>"
        "<p class=MsoEndnoteText><a style='mso-endnote-id:edn1' href='#_ednref1' name='_edn1'>[i]</a> "
        "Pirenne, Trade, 1925.</p></body></html>"
    )


def _html_of_pandoc(path: Path) -> None:
    path.write_text(
        "<html><body><p>Trade grew fast.<a href='#fn1' class='footnote-ref' id='fnref1'><sup>1</sup>"
        "</a> Towns "
        "<a href='#fn2' class='footnote-ref' id='fnref2'><sup>2</sup></a> grew slowly.</p>"
        "<section class='footnotes' role='doc-endnotes'><ol><li id='fn1'><p>Pirenne, Trade, 1925."
        "<a href='#fnref1' class='footnote-back'>↩</a></p></li><li id='fn2'><p>Weber, Towns, 1921."
        "</p><p>See p. 4."
        "<a href='#fnref2' class='footnote-back'>↩</a></p></li></ol></section></body></html>"
    )


def _doc(path: Path) -> None:
    document = DocFile().run("Trade grew fast.\2 Towns \2 grew slowly.").end()
    document.part = "footnotes"
    document.paragraph("\2 Weber, Towns, 1921.").paragraph("See p. 4.")
    document.part = "endnotes"
    document.paragraph("\2 Pirenne, Trade, 1925.")
    document.structures |= {
        "footnote_marks": struct.pack("<2IH", 24, 38, 1),
        "footnotes": struct.pack("<3I", 0, 31, 32),
        "endnote_marks": struct.pack("<2IH", 16, 38, 1),
        "endnotes": struct.pack("<3I", 0, 24, 25),
    }
    document.write(path)


def _notes_in(document: Document) -> list[tuple[str, str]]:
    return [(document.text[: note.place], note.span.of(document.text)) for note in document.notes]


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("a.docx", _docx),
        ("a.odt", _odt),
        ("a.rtf", _rtf),
        ("a.doc", _doc),
        ("word.html", _html_of_word),
        ("pandoc.html", _html_of_pandoc),
    ],
)
def test_that_the_place_and_the_text_of_each_note_are_known(tmp_path: Path, name: str, write) -> None:
    path = tmp_path / name
    write(path)
    document = load_document(path)
    assert document.text.startswith("Trade grew fast. Towns grew slowly.\n")
    assert _notes_in(document) == [
        ("Trade grew fast.", "Pirenne, Trade, 1925."),
        ("Trade grew fast. Towns", "Weber, Towns, 1921.\nSee p. 4."),
    ]


def test_that_a_mark_of_a_note_leaves_no_character_behind() -> None:
    raw = f"  One{note_mark(12)}  two {note_mark(3)} three"
    piece = cleaned(Piece(BlockKind.PARAGRAPH, raw))
    assert piece.text == clean(raw) == "One two three"
    assert piece.marks == ((3, 12), (7, 3))
    assert cleaned(piece) == piece


def test_that_all_formulas_and_notes_of_a_long_block_are_found() -> None:
    raw = "\ufdde x + y \ufddf " * 1000 + f"end{note_mark(7)} more"
    piece = cleaned(Piece(BlockKind.PARAGRAPH, raw))
    assert len(piece.marks) == 2001
    assert piece.marks[-1] == (piece.text.index("end") + len("end"), 7)


@given(
    st.lists(st.sampled_from(["a", "e\u0301", " ", "\t", "中", "\0", "\ufdde", "\ufddf", note_mark(3)])),
    st.booleans(),
)
def test_that_a_mark_is_where_the_clean_text_before_it_ends(parts: list[str], is_row: bool) -> None:
    raw = "".join(parts)
    marks = [at for at, part in enumerate(parts) if part.startswith(("\ufdd2", "\ufdde", "\ufddf"))]
    expected = [len(clean("".join(parts[:at]), keep_tabs=is_row)) for at in marks]
    piece = cleaned(Piece(BlockKind.TABLE_ROW if is_row else BlockKind.PARAGRAPH, raw))
    assert [offset for offset, _number in piece.marks] == expected
