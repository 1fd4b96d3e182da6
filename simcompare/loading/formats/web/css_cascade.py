"""CSS: rules and their cascade, and which text of an element is visible by its own and inherited style."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice

from lxml import etree

from simcompare.loading.formats.web.html_parsing import replaced
from simcompare.loading.shared.visibility import BLACK, LINK, WHITE, Colour, are_alike, colour_in
from simcompare.model.document import DropReason

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


Edges = tuple[Colour | None, ...]
"""Colours of outlines and shadows of letters; None is an unknown colour."""

_UNKNOWN: Edges = (None,)
_PARTS = re.compile(r",(?![^()]{0,99}\))")
_COLOURS = re.compile(r"#[0-9a-f]+|(?<![a-z])[a-z]++\([^()]*\)")
_OUTLINE_LENGTH = re.compile(r"(?<![\w.])([-+]?(?:\d++\.?\d*+|\.\d++))(px|pt|em|rem|ex|mm|cm|in)?(?![\w%])")
_OUTLINE_PIXELS = {"em": 16.0, "rem": 16.0, "ex": 8.0, "pt": 4 / 3, "mm": 3.8, "cm": 37.8, "in": 96.0}
_NAMED_WIDTHS = {"thin": 1.0, "medium": 3.0, "thick": 5.0}
_LEAST_OUTLINE_OPACITY = 0.2
_LEAST_PX = 0.4
# A shadow with a larger offset is not next to its letter.
_MOST_PX = 50.0
_NOTHING = frozenset({"none", "initial", "unset", "revert", ""})
_EFFECTS_OF_WORD = frozenset({"outline", "emboss", "engrave"})


def shadows_of(declared: Declarations, inherited: Edges) -> Edges:
    """Return the colours of the shadows that are visible beside their letters."""
    value = declared.get("text-shadow")
    if value is None or value == "inherit":
        return inherited
    if value in _NOTHING:
        return ()
    found = (_shadow(part) for part in _PARTS.split(value))
    return tuple(colour for colours in found for colour in colours)


def _shadow(value: str) -> Edges:
    lengths = _lengths(value)
    if len(lengths) < 2:
        # Word's "auto", a variable, or an unknown notation
        return _UNKNOWN
    blur = lengths[2] if len(lengths) > 2 else 0.0
    offset = max(map(abs, lengths[:2]))
    seen = offset <= _MOST_PX and (offset >= _LEAST_PX or blur >= _LEAST_PX)
    return _colours(value) if seen else ()


def outlines_of(declared: Declarations, inherited: Edges) -> Edges:
    """Return the colour of the outline of the letters; empty if they have none."""
    if declared.get("text-effect") in _EFFECTS_OF_WORD:
        return _UNKNOWN
    stroke = declared.get("-webkit-text-stroke", "")
    width = declared.get("-webkit-text-stroke-width", stroke)
    colour = declared.get("-webkit-text-stroke-color", stroke)
    if not width or "inherit" in {width, colour}:
        return inherited
    return _colours(colour) if max([0.0, *_lengths(width)]) >= _LEAST_PX else ()


def _lengths(value: str) -> list[float]:
    """Return the lengths in pixels, without the numbers in colour functions."""
    plain = _COLOURS.sub(" ", value)
    named = [width for name, width in _NAMED_WIDTHS.items() if re.search(rf"\b{name}\b", plain)]
    return named + [
        float(number) * _OUTLINE_PIXELS.get(unit, 1.0) for number, unit in _OUTLINE_LENGTH.findall(plain)
    ]


def _colours(value: str) -> Edges:
    """Return the named colour; empty if it is the letter's own, (None,) if it is unknown."""
    found = colour_in(value)
    if found is not None:
        return (found[0],) if found[1] >= _LEAST_OUTLINE_OPACITY else ()
    words = re.findall(r"[a-z-]{3,}", _OUTLINE_LENGTH.sub(" ", value))
    return () if set(words) <= {"currentcolor", *_NAMED_WIDTHS} else _UNKNOWN


_LENGTH = re.compile(r"([-+]?(?:\d++\.?\d*+|\.\d++))\s*+(px|pt|pc|em|rem|ex|ch|in|cm|mm|vw|vh|%)?")
_PIXELS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "rem": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78}
_FONT_SIZE = re.compile(r"(?:^|\s)([-+]?(?:\d++\.?\d*+|\.\d++)\s*+(?:px|pt|pc|em|rem|%|in|cm|mm))")
_NAMED_SIZES = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0}
_DEFAULT_FONT_PX = 16.0
# Two points: smaller letters look like a line.
_LEAST_FONT_PX = 2 * 4 / 3
_LEAST_OPACITY = 0.05
# Ordinary letters that are scaled down further look like lines.
_LEAST_SCALE = 0.1
_MOST_BESIDE_PX = -500.0
_SLIVER_PX = 1.0
_TAKEN_FROM_FLOW = frozenset({"absolute", "fixed"})
_MOVED = _TAKEN_FROM_FLOW | {"relative", "sticky"}
_CLIPPING = frozenset({"hidden", "clip"})
_EMPTY_CLIP = re.compile(
    r"rect\(\s*([01](?:px)?[\s,]+){3}[01](?:px)?\s*\)|inset\(\s*(?:50|100)%|circle\(\s*0"
)
_SCALE = re.compile(r"scale[xy]?\(\s*([\d.]+%?)")
_FILTERED = re.compile(r"opacity\(\s*([\d.]+%?)")
_MOVED_AWAY = re.compile(r"translate\w*\([^)]*-\d{4,}px")
_LOOK_ATTRIBUTES = frozenset({"color", "text", "bgcolor", "background", "face"})
_SYMBOL_FONT = re.compile(r"wingdings|webdings")
_PICTURE = re.compile(r"url\(|gradient\(|image\(")


@dataclass(frozen=True, slots=True)
class HtmlLook:
    """Appearance of the text directly inside an element; None means unknown without other files."""

    visible: bool = True
    font_px: float | None = _DEFAULT_FONT_PX
    colour: Colour | None = BLACK
    paper: Colour | None = WHITE
    in_symbol_font: bool = False
    shadows: Edges = ()
    outlines: Edges = ()

    def hidden_reason(self) -> DropReason | None:
        if not self.visible:
            return DropReason.HIDDEN_TEXT
        if self.in_symbol_font:
            return DropReason.SYMBOL_FONT
        if self.font_px is not None and self.font_px < _LEAST_FONT_PX:
            return DropReason.TINY_TEXT
        return None if self._is_visible() else DropReason.WHITE_TEXT

    def _is_visible(self) -> bool:
        """Return whether the letters or their outlines differ from the background; unknown colours differ."""
        paper = self.paper
        drawn = (self.colour, *self.shadows, *self.outlines)
        return paper is None or any(colour is None or not are_alike(colour, paper) for colour in drawn)

    def inside(self, element: etree._Element, declared: Declarations, *, may_be_styled: bool) -> "HtmlLook":
        """Return the appearance of the text inside `element`, a child of an element with this appearance.

        With `may_be_styled`, an unavailable style sheet may apply to the element.
        """
        look = self
        if may_be_styled and (self.font_px, self.colour, self.paper) != (None, None, None):
            look = replace(self, font_px=None, colour=None, paper=None)
        if not declared and element.tag != "a" and _LOOK_ATTRIBUTES.isdisjoint(element.keys()):
            return look
        visibility = declared.get("visibility")
        return HtmlLook(
            visible=self.visible if visibility in {None, "inherit"} else visibility == "visible",
            font_px=_font_px(declared, self.font_px, look.font_px),
            colour=_colour(element, declared, look),
            paper=_paper(element, declared, look.paper),
            in_symbol_font=_is_symbol_font(element, declared, self.in_symbol_font),
            shadows=shadows_of(declared, self.shadows),
            outlines=outlines_of(declared, self.outlines),
        )


def reason_to_hide(element: etree._Element, declared: Declarations) -> DropReason | None:
    """Return why an element and its content are invisible, or None if they are shown."""
    if element.get("hidden") is not None or (element.tag == "dialog" and element.get("open") is None):
        return DropReason.HIDDEN_TEXT
    if not declared:
        return None
    if declared.get("display") == "none" or declared.get("mso-hide") == "all" or _has_no_extent(declared):
        return DropReason.HIDDEN_TEXT
    return DropReason.OUTSIDE_PAGE if _is_beside_the_page(declared) else None


def _has_no_extent(declared: Declarations) -> bool:
    opacities = [declared.get("opacity", ""), *_FILTERED.findall(declared.get("filter", ""))]
    scales = _SCALE.findall(declared.get("transform", ""))
    if _is_any_below(_LEAST_OPACITY, opacities) or _is_any_below(_LEAST_SCALE, scales):
        return True
    if _EMPTY_CLIP.match(declared.get("clip-path", "")):
        return True
    if declared.get("position") in _TAKEN_FROM_FLOW and _EMPTY_CLIP.match(declared.get("clip", "")):
        return True
    if declared.get("overflow") not in _CLIPPING:
        return False
    extents = (_pixels(declared.get(name, "")) for name in ("width", "height", "max-width", "max-height"))
    return any(extent is not None and extent <= _SLIVER_PX for extent in extents)


def _is_any_below(least: float, shares: Iterable[str]) -> bool:
    """Return whether any of the numbers or percentages, as fractions of 1, is below `least`."""
    found = (_pixels(share, 1.0) for share in shares)
    return any(share is not None and share < least for share in found)


def _is_beside_the_page(declared: Declarations) -> bool:
    moved = ["text-indent", "margin-left", "margin-top"]
    if declared.get("position") in _MOVED:
        moved += ["left", "top", "right", "bottom"]
    distances = (_pixels(declared.get(name, "")) for name in moved)
    return any(distance is not None and distance <= _MOST_BESIDE_PX for distance in distances) or bool(
        _MOVED_AWAY.search(declared.get("transform", ""))
    )


def _pixels(length: str, around_px: float = _DEFAULT_FONT_PX) -> float | None:
    """Return a length in pixels, or None if it is no length.

    Relative units are multiples of `around_px`; a number without a unit is in pixels.
    """
    match = _LENGTH.match(length)
    if match is None:
        return None
    number, unit = float(match[1]), match[2]
    if unit is None:
        return number
    return number * (_PIXELS[unit] if unit in _PIXELS else around_px / (100 if unit == "%" else 1))


def _font_px(declared: Declarations, around_px: float | None, inherited: float | None) -> float | None:
    size = declared.get("font-size") or ""
    if not size and "font" in declared:
        match = _FONT_SIZE.search(declared["font"])
        size = match[1] if match else ""
    if size in _NAMED_SIZES:
        return _NAMED_SIZES[size]
    pixels = _pixels(size, around_px or _DEFAULT_FONT_PX)
    return inherited if pixels is None else pixels


def _colour(element: etree._Element, declared: Declarations, look: HtmlLook) -> Colour | None:
    value = declared.get("color") or _attribute(element, "text" if element.tag == "body" else "color")
    if not value or value in {"inherit", "currentcolor"}:
        return LINK if element.tag == "a" and element.get("href") and not value else look.colour
    found = colour_in(value)
    if found is None:
        return None
    colour, opacity = found
    return colour if opacity >= _LEAST_OPACITY else look.paper


def _paper(element: etree._Element, declared: Declarations, inherited: Colour | None) -> Colour | None:
    values = [declared[name] for name in ("background", "background-color") if name in declared]
    if any(_PICTURE.search(value) for value in [*values, declared.get("background-image", "")]):
        return None
    if element.get("background"):
        return None
    value = values[-1] if values else _attribute(element, "bgcolor")
    if not value or value in {"inherit", "none", "initial", "unset"}:
        return inherited
    found = colour_in(value)
    if found is None:
        return None
    colour, opacity = found
    if opacity < _LEAST_OPACITY:
        return inherited
    return colour if opacity > 1 - _LEAST_OPACITY else None


def _is_symbol_font(element: etree._Element, declared: Declarations, inherited: bool) -> bool:
    font = declared.get("font-family") or declared.get("font") or (element.get("face") or "").lower()
    return bool(_SYMBOL_FONT.search(font)) if font else inherited


def _attribute(element: etree._Element, name: str) -> str:
    """Return the colour in an attribute, where the "#" before hexadecimal digits may be missing."""
    value = (element.get(name) or "").strip().lower()
    return f"#{value}" if re.fullmatch(r"[0-9a-f]{6}", value) else value
