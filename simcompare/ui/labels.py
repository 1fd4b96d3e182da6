"""Short texts that several views show."""

import numpy as np

from simcompare.comparison.subject import Subject
from simcompare.i18n import _, ngettext
from simcompare.text.scripts import is_han


def units_label(subject: Subject) -> str:
    """Return "1,204 characters" for a text that is mostly Chinese, else "1,204 words"."""
    prepared = subject.prepared
    count = prepared.unit_count
    if mostly_chinese(subject):
        return ngettext("{count} character", "{count} characters", count).format(count=f"{count:,}")
    return ngettext("{count} word", "{count} words", count).format(count=f"{count:,}")


def mostly_chinese(subject: Subject) -> bool:
    """Whether more than half of the units are Chinese characters."""
    prepared = subject.prepared
    han = np.array([is_han(unit) for unit in prepared.unit_vocabulary], dtype=np.bool_)
    return int(han[prepared.unit_ids].sum()) * 2 > prepared.unit_count


def sentences_label(subject: Subject) -> str:
    """Return "38 sentences"."""
    count = subject.prepared.sentence_count
    return ngettext("{count} sentence", "{count} sentences", count).format(count=f"{count:,}")


def percent(share: float) -> str:
    """Return a share as a whole percentage; never 0 % for something, nor 100 % for less than all."""
    whole = round(share * 100)
    if whole == 0 and share > 0:
        return _("<1 %")
    if whole == 100 and share < 1:
        return _(">99 %")
    return _("{number} %").format(number=whole)
