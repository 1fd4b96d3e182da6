"""Comments of a Word file: those of simcompare beside those that were there."""

from collections.abc import Sequence

from lxml import etree

from simcompare.loading.shared.xml_elements import attribute, local_name
from simcompare.report.annotated.word.word_package import WordPackage

AUTHOR, _INITIALS = "simcompare", "sc"
_CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
# What a comment may begin and end in, beside runs; elsewhere it is put around the whole. A content control
# may be one of plain text, which holds no comments.
_AROUND_RUNS = frozenset({"p", "hyperlink", "ins", "moveTo", "smartTag"})


class Comments:
    """The comments of a file, to which some are added."""

    def __init__(self, package: WordPackage, main: etree._Element) -> None:
        self._word = etree.QName(main).namespace or ""
        self._package = package
        self._main = main
        name = package.related("comments")
        known = None if name is None else package.part(name)
        self._root = (
            etree.Element(f"{{{self._word}}}comments", nsmap={"w": self._word}) if known is None else known
        )
        self._is_new = known is None
        taken = [attribute(comment, "id") or "" for comment in self._root]
        self._next = max((int(number) for number in taken if number.isdigit()), default=-1) + 1

    def add(self, lines: Sequence[str], first: etree._Element, last: etree._Element) -> None:
        """Comment what stands from one run to another."""
        number, self._next = str(self._next), self._next + 1
        first, last = self._anchor(first), self._anchor(last)
        begin, end = (self._element(f"commentRange{name}", id=number) for name in ("Start", "End"))
        reference = self._element("r")
        reference.append(self._element("commentReference", id=number))
        first.addprevious(begin)
        _put_behind(last, end)
        _put_behind(end, reference)
        self._root.append(self._comment(number, lines))
        for changed in (first, self._root):
            self._package.has_changed(changed)

    def finish(self) -> None:
        """Make the comments a part of the file, if there are any."""
        if self._is_new and len(self._root):
            self._package.add_related("comments", _CONTENT_TYPE, self._root)

    def _anchor(self, run: etree._Element) -> etree._Element:
        """Return what a comment on a run begins or ends at.

        Word comments neither on a text box nor on a note: there it is what the box is anchored in, or the
        mark of the note.
        """
        run = self._reference_to_note(run)
        boxes = [around for around in run.iterancestors() if local_name(around) == "txbxContent"]
        if boxes:
            run = next(around for around in boxes[-1].iterancestors() if local_name(around) in {"r", "p"})
        while (parent := run.getparent()) is not None and local_name(parent) not in _AROUND_RUNS:
            run = parent
        return run

    def _reference_to_note(self, run: etree._Element) -> etree._Element:
        for around in run.iterancestors():
            kind = local_name(around)
            if kind in {"footnote", "endnote"}:
                for reference in self._main.iter(f"{{{self._word}}}{kind}Reference"):
                    parent = reference.getparent()
                    if attribute(reference, "id") == attribute(around, "id") and parent is not None:
                        return parent
        return run

    def _comment(self, number: str, lines: Sequence[str]) -> etree._Element:
        comment = self._element("comment", id=number, author=AUTHOR, initials=_INITIALS)
        for line in lines:
            text = self._element("t")
            text.text = line
            text.set(_SPACE, "preserve")
            run, paragraph = self._element("r"), self._element("p")
            run.append(text)
            paragraph.append(run)
            comment.append(paragraph)
        return comment

    def _element(self, name: str, **values: str) -> etree._Element:
        element = etree.Element(f"{{{self._word}}}{name}")
        for key, value in values.items():
            element.set(f"{{{self._word}}}{key}", value)
        return element


def _put_behind(place: etree._Element, element: etree._Element) -> None:
    element.tail, place.tail = place.tail, None
    place.addnext(element)
