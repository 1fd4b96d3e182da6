"""Words with look-alike letters and look-alike characters, which reports and the window mark in the texts."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from simcompare.loading.inspection import disguises
from simcompare.model.document import Document, FlagName
from simcompare.support.confusables import (
    COMPATIBILITY_IDEOGRAPHS,
    EQUIVALENT_IDEOGRAPHS,
    RADICALS,
    fold_look_alikes,
    fold_to_latin,
)
from simcompare.support.i18n import N_, _

_SCRIPTS = {"CYRILLIC": N_("Cyrillic"), "GREEK": N_("Greek"), "LATIN": N_("Latin")}
_WORD = re.compile(rf"[{RADICALS}{COMPATIBILITY_IDEOGRAPHS}]|[^\W\d_{COMPATIBILITY_IDEOGRAPHS}]+")


def look_alikes_of(*documents: Document) -> dict[str, str]:
    """Return the disguised words and characters of texts, sorted, each with `look_alike_in_words`."""
    words = {
        span.of(document.text)
        for document in documents
        for span, name in disguises(document)
        if name is FlagName.LOOK_ALIKE_LETTERS
    }
    return {word: look_alike_in_words(word) for word in sorted(words)}


def look_alikes_hint() -> str:
    return _("Boxes mark look-alike letters of another script, or characters that only look Chinese.")


def look_alike_in_words(word: str) -> str:
    """Say which letters of a word are of another script, or what a character is, and what each looks like."""
    if len(word) == 1:
        like = unicodedata.normalize("NFKC", word.translate(EQUIVALENT_IDEOGRAPHS))
        what = _("“{letter}” is not the character “{like}” but U+{code}, which looks the same.")
        origin = _("Text copied from some PDF files is so; it is also done to defeat comparison.")
        return "\n".join([what.format(letter=word, like=like, code=f"{ord(word):04X}"), origin])
    what = _("Letters of another script in this word, often put in to defeat comparison")
    folded = fold_look_alikes(word)
    like = fold_to_latin(word) if folded == word else folded
    pairs = dict.fromkeys(pair for pair in zip(word, like, strict=False) if pair[0] != pair[1])
    return "\n".join([what, *(_pair_in_words(*pair) for pair in pairs)])


def _pair_in_words(letter: str, like: str) -> str:
    scripts = (unicodedata.name(each, "").partition(" ")[0] for each in (letter, like))
    own, other = (_(_SCRIPTS.get(script, script)) for script in scripts)
    return _("“{letter}” is {own} and looks like {other} “{like}”").format(
        letter=letter, own=own, other=other, like=like
    )


def around_look_alikes(text: str, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text, each with what is said of it if it is one of the words, else ""."""
    start = 0
    for found in _WORD.finditer(text) if words and not text.isascii() else ():
        if found[0] in words:
            if start < found.start():
                yield text[start : found.start()], ""
            yield found[0], words[found[0]]
            start = found.end()
    if start < len(text):
        yield text[start:], ""
