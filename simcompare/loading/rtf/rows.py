"""The rows of tables in Rich Text: what is told of their cells."""

from simcompare.loading.rtf.tables import Colours


class Row:
    r"""The cells of a row, as `\trowd` and what follows it tells of them."""

    def __init__(self, colours: Colours) -> None:
        self._colours = colours
        self.shaded: list[bool] = []
        self.merged: list[bool] = []
        self._is_shaded = self._is_merged = False

    def word(self, name: str, number: int) -> None:
        r"""Take a word; `\cellx` ends what is told of a cell."""
        if name == "trowd":
            self.shaded, self.merged = [], []
            self._is_shaded = self._is_merged = False
        elif name == "clcbpat":
            self._is_shaded = self._is_shaded or self._colours.is_dark(number)
        elif name == "clshdng":
            self._is_shaded = self._is_shaded or number > 0
        elif name == "clmrg":
            self._is_merged = True
        elif name == "cellx":
            self.shaded.append(self._is_shaded)
            self.merged.append(self._is_merged)
            self._is_shaded = self._is_merged = False


ROW_WORDS = frozenset({"trowd", "clcbpat", "clshdng", "clmrg", "cellx"})
