"""Terms of a Chinese text by the sound of its characters, for texts whose words are broken up.

Homophones put for characters keep their sounds, and characters shuffled within a few places keep their
sentence. Neither leaves words to compare. All pairs with such a text are compared by sound, with higher
cosines, because there are only 400 syllables.
"""

from dataclasses import replace

import numpy as np

from simcompare.comparison.passages.sentence_terms import SentenceTerms, sentence_terms
from simcompare.model.settings import PassageSettings
from simcompare.support.weak_cache import weak_cache
from simcompare.text.comparable import is_han
from simcompare.text.prepared_text import PreparedText

# Measured on 40 texts of `zh-dev` with 60 % homophones, and the same with the characters shuffled in eights:
# all 80 have a passage with their own source, none of 1,136 pairs with other sources has one.
_SEED_COSINE = 0.6
_GROW_COSINE = 0.5
_LEAST_CHARACTERS = 40


def settings_by_sound(settings: PassageSettings) -> PassageSettings:
    """Return the settings of passages for terms by sound, of which many are common to unrelated sentences."""
    return replace(
        settings,
        seed_cosine=max(settings.seed_cosine, _SEED_COSINE),
        least_fragment_cosine=max(settings.least_fragment_cosine, _SEED_COSINE),
        grow_cosine=max(settings.grow_cosine, _GROW_COSINE),
        least_words=_LEAST_CHARACTERS,
        least_words_chinese=_LEAST_CHARACTERS,
        summary=None,
    )


@weak_cache(weak=1, most=64)
def terms_by_sound(text: PreparedText) -> SentenceTerms:
    """Collect the syllables of each sentence of a text; each unit is a word."""
    # hardly any text needs it
    from pypinyin import lazy_pinyin  # noqa: PLC0415

    # with a digit, so that no syllable is taken for an English word
    sounds = tuple(f"{lazy_pinyin(unit)[0]}1" if is_han(unit) else unit for unit in text.unit_vocabulary)
    return sentence_terms(
        replace(
            text,
            unit_vocabulary=sounds,
            word_vocabulary=sounds,
            word_tags=("x",) * len(sounds),
            word_ids=text.unit_ids,
            word_units=np.arange(text.unit_count + 1, dtype=np.int32),
            sentence_words=text.sentence_units,
        )
    )
