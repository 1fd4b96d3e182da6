"""A small cascade: what the style sheets inside a page and its style attributes say of an element.

Known are selectors of tags, classes and ids, one below the other or one right inside the other. Rules for
states, attributes, siblings, other media and animations are passed over; nothing is fetched.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice

from lxml import etree

from simcompare.loading.formats.web.html_parsing import replaced

_COMMENT = ("/*", "*/")
_HTML_COMMENT = re.compile(r"<!--|-->")
_IMPORT = re.compile(r"@import\s+([^;]*)", re.IGNORECASE)
_BRACE = re.compile(r"[{}]")
_SCREEN = re.compile(r"@media\s*(?:only\s+)?(?:all|screen)?\s*", re.IGNORECASE)
_BEFORE = re.compile(r"::?before$", re.IGNORECASE)
_COMPOUND = re.compile(r"(?P<tag>\*|[a-z][\w-]*)?(?P<marks>(?:[#.][\w-]+)*)", re.IGNORECASE)
_MARK = re.compile(r"([#.])([\w-]+)")
_COMBINATOR = re.compile(r"\s*(>)\s*|\s+")
# Longer values hold pictures.
_LONGEST_VALUE = 200
# With more rules than this none is trusted: the last of them may take back what the first say.
_MOST_RULES = 20_000
_MOST_ANCESTORS = 256
# Those that decide whether text is seen, and those by which Word says what a paragraph is.
_ASKED_FOR = frozenset(
    {
        *("display", "visibility", "opacity", "position", "left", "top", "right", "bottom"),
        *("text-indent", "margin-left", "margin-top", "transform", "filter", "clip", "clip-path"),
        *("overflow", "width", "height", "max-width", "max-height"),
        *("font", "font-size", "font-family", "color", "background", "background-color", "background-image"),
        *("text-shadow", "text-effect", "-webkit-text-stroke"),
        *("-webkit-text-stroke-width", "-webkit-text-stroke-color"),
        *("list-style", "list-style-type", "counter-reset", "counter-increment", "content"),
        *("mso-hide", "mso-element", "mso-list", "mso-outline-level", "mso-style-name"),
        *("mso-footnote-id", "mso-endnote-id", "mso-special-character"),
    }
)

CONTENT_BEFORE = "::before content"
"""What a style sheet writes before an element, among its declarations; the letters as they are written."""

Declarations = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Compound:
    """A part of a selector that speaks of one element: `p.note#first`."""

    tag: str
    id: str
    classes: frozenset[str]
    right_inside: bool = False

    def fits(self, element: etree._Element) -> bool:
        return (
            (not self.tag or self.tag == str(element.tag).lower())
            and (not self.id or self.id == element.get("id"))
            and self.classes <= _classes(element.get("class") or "")
        )


@dataclass(frozen=True, slots=True)
class _Rule:
    """A selector from its last part to its first, its weight, and what it declares."""

    compounds: tuple[_Compound, ...]
    weight: tuple[int, ...]
    declarations: Declarations
    marks_above: frozenset[str]

    def fits_above(self, element: etree._Element) -> bool:
        """Return whether the selector fits an element that its last part fits."""
        direct = self.compounds[0].right_inside
        ancestors = islice(element.iterancestors(), _MOST_ANCESTORS)
        for compound in self.compounds[1:]:
            for ancestor in ancestors:
                if compound.fits(ancestor):
                    break
                if direct:
                    return False
            else:
                return False
            direct = compound.right_inside
        return True


class Cascade:
    """The rules of a page's own style sheets, asked for one element after the other, as a walk enters them.

    `has_unknown_sheets` says that others were meant to be fetched, which may give an element with a class
    any look.
    """

    def __init__(self, sheets: Iterable[str], *, has_unknown_sheets: bool = False) -> None:
        self.has_unknown_sheets = has_unknown_sheets
        self._by_mark: dict[str, list[_Rule]] = {}
        self._found: dict[tuple[str, str, str], list[_Rule]] = {}
        # What stands above the element that is entered next: tags, ids and classes.
        self._above: list[frozenset[str]] = [frozenset()]
        rules = list(islice(_rules(sheets), _MOST_RULES + 1))
        if len(rules) > _MOST_RULES:
            rules, self.has_unknown_sheets = [], True
        for rule in _not_said_again(rules):
            self._by_mark.setdefault(_mark(rule.compounds[0]), []).append(rule)

    @classmethod
    def of(cls, root: etree._Element, sheets: Iterable[str] = ()) -> "Cascade":
        """Return the cascade of a page; `sheets` are those that lie beside it in its archive."""
        known = list(sheets)
        own = [style.text or "" for style in root.iter("style")]
        links = (link for link in root.iter("link") if "stylesheet" in (link.get("rel") or "").lower())
        elsewhere = [*(link.get("href") or "" for link in links), *_IMPORT.findall(" ".join(own))]
        unknown = not known and any("font" not in address for address in elsewhere)
        return cls([*known, *own], has_unknown_sheets=unknown)

    def enter(self, element: etree._Element) -> Declarations:
        """Go into an element; return what holds for it, of the properties that are asked for."""
        above = self._above[-1]
        self._above.append(above.union(_marks_of(element)) if self._by_mark else above)
        rules = [
            rule
            for rule in self._candidates(element)
            if len(rule.compounds) == 1 or (rule.marks_above <= above and rule.fits_above(element))
        ]
        inline = inline_declarations(element.get("style") or "")
        if not rules:
            return inline
        found: dict[str, str] = {}
        for rule in rules:
            if not rule.weight[0]:
                found.update(rule.declarations)
        found.update(inline)
        for rule in rules:
            if rule.weight[0]:
                found.update(rule.declarations)
        return found

    def leave(self) -> None:
        """Leave the element that was entered last."""
        self._above.pop()

    def _candidates(self, element: etree._Element) -> list[_Rule]:
        """Return the rules whose last part fits an element, the weightiest last."""
        key = (str(element.tag), element.get("id") or "", element.get("class") or "")
        if key not in self._found:
            rules = (rule for mark in _marks_of(element) for rule in self._by_mark.get(mark, ()))
            fitting = [rule for rule in rules if rule.compounds[0].fits(element)]
            self._found[key] = sorted(fitting, key=lambda rule: rule.weight)
        return self._found[key]


@lru_cache(maxsize=4096)
def inline_declarations(style: str) -> Declarations:
    """Return what a style attribute declares, of the properties that are asked for."""
    return {name: value for name, value, _important in _declarations(style)} if style else {}


def _marks_of(element: etree._Element) -> list[str]:
    """Return the marks by which the rules for an element are found."""
    marks = [str(element.tag).lower(), "*"]
    if name := element.get("id"):
        marks.append(f"#{name}")
    if classes := element.get("class"):
        marks += [f".{one}" for one in _classes(classes)]
    return marks


@lru_cache(maxsize=4096)
def _classes(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _rules(sheets: Iterable[str]) -> Iterator[_Rule]:
    blocks = chain.from_iterable(
        _blocks(_HTML_COMMENT.sub(" ", replaced(sheet, *_COMMENT, _blank))) for sheet in sheets
    )
    for number, (selectors, body) in enumerate(blocks):
        declarations = list(_declarations(body))
        for important in (False, True):
            chosen = {name: value for name, value, weighty in declarations if weighty is important}
            if not chosen:
                continue
            for selector in map(str.strip, selectors.split(",")):
                element = _BEFORE.sub("", selector)
                said = chosen if element == selector else _said_before(chosen)
                compounds = _compounds(element)
                if compounds and said:
                    weight = (int(important), *_specificity(compounds), number)
                    yield _Rule(compounds, weight, said, frozenset(map(_mark, compounds[1:])))


def _not_said_again(rules: Sequence[_Rule]) -> list[_Rule]:
    """Leave out what a later rule with the same selector says anew.

    A sheet that is repeated a thousand times would otherwise be gone through for every element.
    """
    said: dict[tuple[tuple[_Compound, ...], int], set[str]] = {}
    kept: list[_Rule] = []
    for rule in reversed(rules):
        later = said.setdefault((rule.compounds, rule.weight[0]), set())
        own = {name: value for name, value in rule.declarations.items() if name not in later}
        if own:
            later.update(own)
            kept.append(replace(rule, declarations=own))
    return kept[::-1]


def _said_before(declarations: Declarations) -> Declarations:
    """Return what a rule for what stands before an element says of it."""
    return {CONTENT_BEFORE: declarations["content"]} if "content" in declarations else {}


def _blank(_comment: str) -> str:
    return " "


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the declarations of each rule that holds on a screen."""
    start = 0
    opened: list[str] = []
    for brace in _BRACE.finditer(sheet):
        text, start = sheet[start : brace.start()], brace.end()
        if brace[0] == "{":
            opened.append(text.rpartition(";")[2].strip())
        elif opened:
            selectors = opened.pop()
            if not selectors.startswith("@") and all(_SCREEN.fullmatch(around) for around in opened):
                yield selectors, text


def _declarations(body: str) -> Iterator[tuple[str, str, bool]]:
    for declaration in body.split(";"):
        name, _colon, value = declaration.partition(":")
        name = name.strip().lower()
        if name in _ASKED_FOR:
            plain, _mark, important = value.lower().rpartition("!")
            weighty = important.strip() == "important"
            shown = value[: len(plain)] if weighty else value
            yield name, (shown if name == "content" else shown.lower()).strip()[:_LONGEST_VALUE], weighty


def _compounds(selector: str) -> tuple[_Compound, ...]:
    """Return the parts of a selector from the last to the first, none where it says more than they can."""
    parts = _COMBINATOR.split(selector)
    compounds = []
    for text, combinator in zip(parts[::2], [None, *parts[1::2]], strict=True):
        match = _COMPOUND.fullmatch(text)
        if match is None or not text:
            return ()
        marks = _MARK.findall(match["marks"])
        compounds.append(
            _Compound(
                tag=(match["tag"] or "").lower().replace("*", ""),
                id=next((name for sign, name in marks if sign == "#"), ""),
                classes=frozenset(name for sign, name in marks if sign == "."),
                right_inside=combinator == ">",
            )
        )
    return tuple(reversed(compounds))


def _specificity(compounds: tuple[_Compound, ...]) -> tuple[int, int, int]:
    return (
        sum(bool(compound.id) for compound in compounds),
        sum(len(compound.classes) for compound in compounds),
        sum(bool(compound.tag) for compound in compounds),
    )


def _mark(compound: _Compound) -> str:
    """Return the one mark of a compound by which its rules are found."""
    if compound.id:
        return f"#{compound.id}"
    if compound.classes:
        return f".{min(compound.classes)}"
    return compound.tag or "*"
