"""Minimal CSS cascade: the properties of an element from the page's style sheets and style attributes.

Supported are type, class and id selectors with descendant and child combinators. Rules for states,
attributes, siblings, other media and animations are ignored; nothing is fetched.
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
# Longer values contain embedded pictures.
_LONGEST_VALUE = 200
# With more rules than this all are ignored: later rules may override those that were read.
_MOST_RULES = 20_000
_MOST_ANCESTORS = 256
# Properties that determine visibility, and those by which Word marks the role of a paragraph.
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
"""Key in the declarations of an element for the text that CSS inserts before it; its case is kept."""

Declarations = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Compound:
    """A compound selector, which matches one element: `p.note#first`."""

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
    """A selector as compounds from right to left, with its weight and declarations."""

    compounds: tuple[_Compound, ...]
    weight: tuple[int, ...]
    declarations: Declarations
    marks_above: frozenset[str]

    def fits_above(self, element: etree._Element) -> bool:
        """Return whether the ancestors of an element match; its rightmost compound must match already."""
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
    """Compute the declarations of each element while a walk enters and leaves the elements of a page.

    `has_unknown_sheets` is True if the page refers to style sheets that are not available: they may give
    an element with a class any appearance.
    """

    def __init__(self, sheets: Iterable[str], *, has_unknown_sheets: bool = False) -> None:
        self.has_unknown_sheets = has_unknown_sheets
        self._by_mark: dict[str, list[_Rule]] = {}
        self._found: dict[tuple[str, str, str], list[_Rule]] = {}
        # Tags, ids and classes of the ancestors of the element to be entered next.
        self._above: list[frozenset[str]] = [frozenset()]
        rules = list(islice(_rules(sheets), _MOST_RULES + 1))
        if len(rules) > _MOST_RULES:
            rules, self.has_unknown_sheets = [], True
        for rule in _without_overridden(rules):
            self._by_mark.setdefault(_mark(rule.compounds[0]), []).append(rule)

    @classmethod
    def of(cls, root: etree._Element, sheets: Iterable[str] = ()) -> "Cascade":
        """Return the cascade of a page; `sheets` are the style sheets stored with it in an archive."""
        known = list(sheets)
        own = [style.text or "" for style in root.iter("style")]
        links = (link for link in root.iter("link") if "stylesheet" in (link.get("rel") or "").lower())
        elsewhere = [*(link.get("href") or "" for link in links), *_IMPORT.findall(" ".join(own))]
        unknown = not known and any("font" not in address for address in elsewhere)
        return cls([*known, *own], has_unknown_sheets=unknown)

    def enter(self, element: etree._Element) -> Declarations:
        """Enter an element and return its declarations, limited to the supported properties."""
        above = self._above[-1]
        if not self._by_mark:
            self._above.append(above)
            return inline_declarations(element.get("style") or "")
        self._above.append(above.union(_marks_of(element)))
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
        self._above.pop()

    def _candidates(self, element: etree._Element) -> list[_Rule]:
        """Return the rules whose rightmost compound matches the element, in ascending order of weight."""
        key = (str(element.tag), element.get("id") or "", element.get("class") or "")
        if key not in self._found:
            rules = (rule for mark in _marks_of(element) for rule in self._by_mark.get(mark, ()))
            fitting = [rule for rule in rules if rule.compounds[0].fits(element)]
            self._found[key] = sorted(fitting, key=lambda rule: rule.weight)
        return self._found[key]


@lru_cache(maxsize=4096)
def inline_declarations(style: str) -> Declarations:
    """Return the declarations of a style attribute, limited to the supported properties."""
    return {name: value for name, value, _important in _declarations(style)} if style else {}


def _marks_of(element: etree._Element) -> list[str]:
    """Return the keys under which rules for the element are indexed: tag, "*", id and classes."""
    marks = [str(element.tag).lower(), "*"]
    if name := element.get("id"):
        marks.append(f"#{name}")
    if classes := element.get("class"):
        marks += [f".{name}" for name in _classes(classes)]
    return marks


@lru_cache(maxsize=4096)
def _classes(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _rules(sheets: Iterable[str]) -> Iterator[_Rule]:
    blocks = chain.from_iterable(
        _blocks(_HTML_COMMENT.sub(" ", replaced(sheet, *_COMMENT, lambda _comment: " "))) for sheet in sheets
    )
    for number, (selectors, body) in enumerate(blocks):
        declarations = list(_declarations(body))
        for important in (False, True):
            chosen = {name: value for name, value, weighty in declarations if weighty is important}
            if not chosen:
                continue
            for selector in map(str.strip, selectors.split(",")):
                element = _BEFORE.sub("", selector)
                counted = chosen if element == selector else _content_before(chosen)
                compounds = _compounds(element)
                if compounds and counted:
                    weight = (int(important), *_specificity(compounds), number)
                    yield _Rule(compounds, weight, counted, frozenset(map(_mark, compounds[1:])))


def _without_overridden(rules: Sequence[_Rule]) -> list[_Rule]:
    """Remove declarations that a later rule with the same selector overrides.

    Otherwise a style sheet that is repeated a thousand times would be searched in full for every element.
    """
    overriding: dict[tuple[tuple[_Compound, ...], int], set[str]] = {}
    kept: list[_Rule] = []
    for rule in reversed(rules):
        later = overriding.setdefault((rule.compounds, rule.weight[0]), set())
        own = {name: value for name, value in rule.declarations.items() if name not in later}
        if own:
            later.update(own)
            kept.append(replace(rule, declarations=own))
    return kept[::-1]


def _content_before(declarations: Declarations) -> Declarations:
    """Return the declarations of a `::before` rule: only its content counts."""
    return {CONTENT_BEFORE: declarations["content"]} if "content" in declarations else {}


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the declarations of each rule that applies to screens."""
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
            stripped = value[: len(plain)] if weighty else value
            yield (
                name,
                (stripped if name == "content" else stripped.lower()).strip()[:_LONGEST_VALUE],
                weighty,
            )


def _compounds(selector: str) -> tuple[_Compound, ...]:
    """Return the compounds of a selector from right to left; empty if it uses unsupported syntax."""
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
    """Return the key under which a rule is indexed: id, else class, else tag."""
    if compound.id:
        return f"#{compound.id}"
    if compound.classes:
        return f".{min(compound.classes)}"
    return compound.tag or "*"
