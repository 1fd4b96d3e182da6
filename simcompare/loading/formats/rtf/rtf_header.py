"""Header of a Rich Text file: code page, fonts, colours, styles, title and origin."""

from simcompare.loading.formats.plain.text_likelihood import encoding_of_code_page
from simcompare.loading.formats.rtf.rtf_state import Destination, RtfColours, RtfFonts, RtfStyle, RtfStyles
from simcompare.loading.shared.file_origin import origin_from
from simcompare.model.receipt import Origin

_CODE_PAGES = {"ansi": 1252, "mac": 10000, "pc": 437, "pca": 850}
_OTHER_STYLE_WORDS = frozenset({"cs", "ds", "ts"})
_TIME_WORDS = ("yr", "mo", "dy", "hr", "min")
HEADER_WORDS = frozenset(
    {
        *_CODE_PAGES,
        *_OTHER_STYLE_WORDS,
        "ansicpg",
        "deff",
        "fcharset",
        "cpg",
        "sbasedon",
        "red",
        "green",
        "blue",
        *_TIME_WORDS,
    }
)
PROPERTY_DESTINATIONS = frozenset(
    {Destination.TITLE, Destination.AUTHOR, Destination.LAST_AUTHOR, Destination.PROGRAM}
)
TIME_DESTINATIONS = frozenset({Destination.CREATED, Destination.LAST_SAVED})


class RtfHeader:
    """Collects control words and text of the destinations that concern the whole file."""

    def __init__(self) -> None:
        self.fonts = RtfFonts()
        self.colours = RtfColours()
        self.styles = RtfStyles()
        self._properties = dict.fromkeys(PROPERTY_DESTINATIONS, "")
        self._times: dict[Destination, dict[str, int]] = {
            destination: {} for destination in TIME_DESTINATIONS
        }
        self._font = 0
        self._style: RtfStyle | None = None

    @property
    def title(self) -> str:
        """Title in the file properties."""
        return self._properties[Destination.TITLE]

    @property
    def origin(self) -> Origin:
        """Unverified metadata of the file."""
        return origin_from(
            author=self._properties[Destination.AUTHOR],
            last_saved_by=self._properties[Destination.LAST_AUTHOR],
            created=_time(self._times[Destination.CREATED]),
            last_saved=_time(self._times[Destination.LAST_SAVED]),
            program=self._properties[Destination.PROGRAM].strip().removesuffix(";"),
        )

    def begin_style(self) -> bool:
        """Begin a style unless one is open; return whether it was begun."""
        if self._style is not None:
            return False
        self._style = RtfStyle()
        return True

    def end_style(self) -> None:
        """Add the style that was read."""
        if self._style is not None:
            self.styles.add(self._style)
        self._style = None

    def text(self, destination: Destination, text: str) -> None:
        """Add text of a header destination."""
        if destination is Destination.COLOURS:
            self.colours.end(text.count(";"))
        elif destination is Destination.STYLES and self._style is not None:
            self._style.name += text
        elif destination in PROPERTY_DESTINATIONS:
            self._properties[destination] += text

    def set_code_page(self, name: str, number: int | None) -> bool:
        """Apply a control word for the default encoding; return whether it was one."""
        if name == "ansicpg" and number:
            self.fonts.default = encoding_of_code_page(number)
        elif name in _CODE_PAGES:
            self.fonts.default = encoding_of_code_page(_CODE_PAGES[name])
        elif name == "deff":
            self.fonts.first = number
        else:
            return False
        return True

    def word(self, destination: Destination, name: str, number: int) -> None:
        """Apply a control word of a header destination."""
        if destination is Destination.COLOURS:
            self.colours.part(name, number)
        elif destination is Destination.FONTS:
            self._font_word(name, number)
        elif destination is Destination.STYLES and self._style is not None:
            _style_word(self._style, name, number)
        elif destination in TIME_DESTINATIONS and name in _TIME_WORDS:
            self._times[destination][name] = number

    def _font_word(self, name: str, number: int) -> None:
        if name == "f":
            self._font = number
        elif name == "fcharset":
            self.fonts.set_charset(self._font, number)
        elif name == "cpg":
            self.fonts.set_code_page(self._font, number)


def _time(parts: dict[str, int]) -> str:
    year, month, day, hour, minute = (parts.get(part, 0) for part in _TIME_WORDS)
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}"


def _style_word(style: RtfStyle, name: str, number: int) -> None:
    if name == "s":
        style.number = number
    elif name == "sbasedon":
        style.base = number
    elif name == "outlinelevel":
        style.level = number
    elif name == "fs":
        style.half_points = number
    elif name in _OTHER_STYLE_WORDS:
        style.is_of_paragraphs = False
