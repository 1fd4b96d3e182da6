"""Add comments to a Word file beside its existing ones."""

from collections.abc import Sequence

from lxml import etree

from simcompare.loading.shared.xml_elements import attribute, local_name
from simcompare.report.annotated.word.word_package import XML_SPACE, WordPackage

AUTHOR, _INITIALS = "simcompare", "sc"
_CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
# Elements in which a comment range can start and end beside runs; it encloses any other element as a whole,
# such as a content control, which may be plain text without comments.
_AROUND_RUNS = frozenset({"p", "hyperlink", "ins", "moveTo", "smartTag"})


class Comments:
    """The comments part of a Word file, existing or new."""

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
        """Add a comment on the runs from `first` to `last`."""
        number, self._next = str(self._next), self._next + 1
        first, last = self._anchor(first), self._anchor(last)
        begin, end = (self._element(f"commentRange{name}", id=number) for name in ("Start", "End"))
        reference = self._element("r")
        reference.append(self._element("commentReference", id=number))
        first.addprevious(begin)
        _insert_after(last, end)
        _insert_after(end, reference)
        self._root.append(self._comment(number, lines))
        for changed in (first, self._root):
            self._package.mark_changed(changed)

    def finish(self) -> None:
        """Add a new comments part to the file if comments were added."""
        if self._is_new and len(self._root):
            self._package.add_related("comments", _CONTENT_TYPE, self._root)

    def _anchor(self, run: etree._Element) -> etree._Element:
        """Return the element at which the range of a comment on a run starts or ends.

        Word has no comments in text boxes and notes: there it is the element that anchors the box, or the
        reference mark of the note.
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
            text.set(XML_SPACE, "preserve")
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


def _insert_after(place: etree._Element, element: etree._Element) -> None:
    element.tail, place.tail = place.tail, None
    place.addnext(element)
