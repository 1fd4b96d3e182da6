"""What a Rich Text file says before its text: code page, fonts, colours, styles, title."""

from simcompare.loading.plain.languages import encoding_of_code_page
from simcompare.loading.rtf.state import Into
from simcompare.loading.rtf.tables import Colours, Fonts, Style, Styles

_CODE_PAGES = {"ansi": 1252, "mac": 10000, "pc": 437, "pca": 850}
_NOT_OF_PARAGRAPHS = frozenset({"cs", "ds", "ts"})
WORDS_OF_THE_FILE = frozenset(
    {
        *_CODE_PAGES,
        *_NOT_OF_PARAGRAPHS,
        "ansicpg",
        "deff",
        "fcharset",
        "cpg",
        "sbasedon",
        "red",
        "green",
        "blue",
    }
)


class Preamble:
    """Takes the words and the text of the groups that tell of the whole file."""

    def __init__(self) -> None:
        self.fonts = Fonts()
        self.colours = Colours()
        self.styles = Styles()
        self.title = ""
        self._font = 0
        self._style: Style | None = None

    def begin_style(self) -> bool:
        """Begin a style unless one has begun; return whether it was."""
        if self._style is not None:
            return False
        self._style = Style()
        return True

    def end_style(self) -> None:
        """Take in the style that has been told."""
        if self._style is not None:
            self.styles.add(self._style)
        self._style = None

    def text(self, into: Into, text: str) -> None:
        """Take text of one of these groups."""
        if into is Into.COLOURS:
            self.colours.end(text.count(";"))
        elif into is Into.STYLES and self._style is not None:
            self._style.name += text
        elif into is Into.TITLE:
            self.title += text

    def code_page(self, name: str, number: int | None) -> bool:
        """Take a word that tells the encoding of all text; return whether it was one."""
        if name == "ansicpg" and number:
            self.fonts.default = encoding_of_code_page(number)
        elif name in _CODE_PAGES:
            self.fonts.default = encoding_of_code_page(_CODE_PAGES[name])
        elif name == "deff":
            self.fonts.first = number
        else:
            return False
        return True

    def word(self, into: Into, name: str, number: int) -> None:
        """Take a word of one of these groups."""
        if into is Into.COLOURS:
            self.colours.part(name, number)
        elif into is Into.FONTS:
            self._word_of_font(name, number)
        elif into is Into.STYLES and self._style is not None:
            _word_of_style(self._style, name, number)

    def _word_of_font(self, name: str, number: int) -> None:
        if name == "f":
            self._font = number
        elif name == "fcharset":
            self.fonts.charset(self._font, number)
        elif name == "cpg":
            self.fonts.code_page(self._font, number)


def _word_of_style(style: Style, name: str, number: int) -> None:
    if name == "s":
        style.number = number
    elif name == "sbasedon":
        style.base = number
    elif name == "outlinelevel":
        style.level = number
    elif name == "fs":
        style.half_points = number
    elif name in _NOT_OF_PARAGRAPHS:
        style.is_of_paragraphs = False
