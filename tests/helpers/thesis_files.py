"""Write theses with numbered paragraphs, references, tables and raised marks, by Typst and as Word file."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import docx
import typst
from docx.document import Document as WordDocument

# A raised reference mark is written ^[3].
_RAISED = re.compile(r"\^(\[\d+\])")
_TEMPLATE = """
#let data = json(bytes(sys.inputs.thesis))
#let layout = data.layout
#set page(paper: "a4", margin: 2.6cm, columns: layout.columns, numbering: "1")
#set text(font: ("Libertinus Serif", "Noto Serif CJK SC"), size: 12pt, lang: layout.language, region: "cn")
#let lead = 0.9em
#set par(justify: layout.justified, leading: lead, spacing: if layout.spaced { 1.8em } else { lead })
#let runs(part) = part.runs.map(run => if run.at(1) { super(run.at(0)) } else { run.at(0) }).join()
#let indent = (amount: 2em, all: true)
#place(top + center, scope: "parent", float: true, text(18pt, weight: "bold", data.title))
#for part in data.parts {
  if part.kind == "heading" {
    block(above: 1.4em, below: 1.1em, sticky: true, text(14pt, weight: "bold", runs(part)))
  } else if part.kind == "table" {
    align(center, table(columns: 3, ..part.cells))
  } else if part.kind == "plain" or layout.items == "indented" {
    par(first-line-indent: if layout.spaced { 0pt } else { indent }, runs(part))
  } else if layout.items == "hanging" {
    par(first-line-indent: 0pt, hanging-indent: 2em, runs(part))
  } else {
    par(first-line-indent: 0pt, runs(part))
  }
}
"""


@dataclass(frozen=True, slots=True)
class ThesisPart:
    """A heading, a paragraph (plain, numbered or reference) or the cells of a table with three columns."""

    kind: str
    text: str = ""
    cells: Sequence[str] = ()

    @property
    def runs(self) -> list[tuple[str, bool]]:
        """Texts, each with whether it is raised."""
        parts = _RAISED.split(self.text)
        return [(text, number % 2 == 1) for number, text in enumerate(parts) if text]

    @property
    def plain_text(self) -> str:
        """The text without marking of raised parts."""
        return _RAISED.sub(r"\1", self.text)


@dataclass(frozen=True, slots=True)
class ThesisLayout:
    """Page layout; the first lines of plain paragraphs are indented unless paragraphs are `spaced` apart.

    `items` is the layout of numbered paragraphs and references: "indented", "hanging" or "flush".
    """

    language: str
    columns: int = 1
    justified: bool = True
    spaced: bool = False
    items: str = "indented"


def write_thesis_pdf(path: Path, title: str, parts: Sequence[ThesisPart], layout: ThesisLayout) -> Path:
    """Write a thesis as PDF with Typst."""
    written = [{"kind": part.kind, "runs": part.runs, "cells": part.cells} for part in parts]
    thesis = json.dumps({"title": title, "layout": asdict(layout), "parts": written})
    typst.compile(_TEMPLATE.encode(), output=path, sys_inputs={"thesis": thesis})
    return path


def write_thesis_docx(path: Path, title: str, parts: Sequence[ThesisPart]) -> Path:
    """Write the same thesis as Word file."""
    document = docx.Document()
    document.add_heading(title, 0)
    for part in parts:
        if part.kind == "table":
            _add_table(document, part.cells)
        elif part.kind == "heading":
            document.add_heading(part.text, 1)
        else:
            paragraph = document.add_paragraph()
            for text, is_raised in part.runs:
                paragraph.add_run(text).font.superscript = is_raised
    document.save(str(path))
    return path


def _add_table(document: WordDocument, cells: Sequence[str]) -> None:
    table = document.add_table(rows=len(cells) // 3, cols=3)
    for number, text in enumerate(cells):
        table.cell(*divmod(number, 3)).text = text
