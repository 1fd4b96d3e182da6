"""Bringing the forms of an English word together."""

_LEAST_STEM = 3
# longest first; what is left must still look like a word
_ENDINGS = (
    "ingly", "edly", "ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e",
)  # fmt: skip


def stem(word: str) -> str:
    """Cut one common ending off an English word in comparable form; other words stay as they are.

    Rougher than Porter's stemmer and as good for finding reworded sentences.
    """
    if not word.endswith(_ENDINGS) or not word.isascii() or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word.removesuffix(ending)
    return word
