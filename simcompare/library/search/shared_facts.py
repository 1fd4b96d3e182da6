"""Find entries whose files have pictures, editing ids or wrong references in common with texts.

Those of many entries, such as the ids of a template, find nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from hashlib import blake2b
from typing import Any

import numpy as np
from sqlalchemy import Connection, func, select

from simcompare.cohort.pair_facts import PairFacts, find_facts
from simcompare.cohort.shared_facts import FEWEST_HOLDERS, reference_forms
from simcompare.cohort.shared_pictures import MOST_P_BITS_OF_SAME, picture_hashes
from simcompare.library.store.schema import FACTS
from simcompare.library.store.stored_postings import number_columns, signed, unsigned
from simcompare.model.document import Document

_MOST_OF_WORK = 50
"""Entries with a work, above which it finds none: a textbook of the class."""
_NEAREST, _MOST_ENTRIES, _VALUES_AT_ONCE = 10, 20, 500

Owner = tuple[int, int]
"""Number of an entry, and of its library."""


class FactKind(IntEnum):
    """What a value of the table is of; stored."""

    EDITING_ID = 0
    PICTURE = 1
    WORK = 2


def fact_rows(document: Document) -> list[tuple[int, int]]:
    """Return the kinds and values of a document, each once.

    Of an editing id the number, of a picture its pHash, of a reference a hash of its letters: digits are
    where the same work is given differently most often.
    """
    ids = [int(each, 16) for each in document.receipt.origin.editing_ids]
    works = {"".join(filter(str.isalpha, form)) for form in reference_forms(document)}
    hashed = [int.from_bytes(blake2b(each.encode(), digest_size=8).digest(), signed=True) for each in works]
    pictures = signed(np.ascontiguousarray(picture_hashes(document.pictures)[:, 0])).tolist()
    values = ((FactKind.EDITING_ID, ids), (FactKind.PICTURE, pictures), (FactKind.WORK, hashed))
    return [(int(kind), value) for kind, each in values for value in dict.fromkeys(each)]


def find_shared_facts(
    connections: Sequence[Connection],
    texts: Mapping[int, Document],
    restored: Callable[[Owner], Document],
    templates: Sequence[Document] = (),
    left_out: Collection[int] = (),
) -> dict[int, dict[Owner, PairFacts]]:
    """Return what each text has in common with entries, most of them 20, the text on the left.

    restored: reads the document of an entry; left_out: entries of the texts themselves.
    """
    telling, owners = {}, dict[Owner, None]()
    for key, text in texts.items():
        ids, found = _common_ids(connections, text), Counter[Owner]()
        for library, connection in enumerate(connections):
            found.update((entry, library) for entry in _holders(connection, text) if entry not in left_out)
        origin = text.receipt.origin
        kept = tuple(each for each in origin.editing_ids if int(each, 16) not in ids)
        receipt = replace(text.receipt, origin=replace(origin, editing_ids=kept))
        telling[key] = replace(text, receipt=receipt)
        owners |= dict.fromkeys(owner for owner, _count in found.most_common(_MOST_ENTRIES))
    files = {text.sha256 for text in texts.values()}
    entries = [(owner, restored(owner)) for owner in owners]
    listed = [(owner, document) for owner, document in entries if document.sha256 not in files]
    keys = list(telling)
    both = dict(enumerate([*telling.values(), *(document for _owner, document in listed)]))
    shared: defaultdict[int, dict[Owner, PairFacts]] = defaultdict(dict)
    for (left, right), facts in find_facts(both, templates, of_library=True).items() if listed else ():
        if left < len(keys) <= right:
            shared[keys[left]][listed[right - len(keys)][0]] = facts
    return shared


def _holders(connection: Connection, text: Document) -> Iterator[int]:
    """Yield the entries that share rare values, once for each value."""
    values: defaultdict[int, list[int]] = defaultdict(list)
    for kind, value in fact_rows(text):
        values[kind].append(value)
    for kind, most in ((FactKind.EDITING_ID, FEWEST_HOLDERS), (FactKind.WORK, _MOST_OF_WORK)):
        for own in _parts(values[kind]):
            same = FACTS.c.kind == int(kind), FACTS.c.value.in_(own)
            rare = select(FACTS.c.value).where(*same).group_by(FACTS.c.value).having(func.count() <= most)
            held = select(FACTS.c.entry).where(FACTS.c.kind == int(kind), FACTS.c.value.in_(rare))
            yield from connection.execute(held).scalars()
    if text.pictures:
        stored = select(FACTS.c.entry, FACTS.c.value).where(FACTS.c.kind == int(FactKind.PICTURE))
        rows: Any = connection.execute(stored)
        entries, hashes = number_columns(rows)
        stored_hashes = unsigned(np.ascontiguousarray(hashes))
        for both in picture_hashes(text.pictures):
            bits = np.minimum(*(np.bitwise_count(stored_hashes ^ each) for each in both))
            nearest = np.argsort(bits, kind="stable")[:_NEAREST]
            yield from entries[nearest[bits[nearest] <= MOST_P_BITS_OF_SAME]].tolist()


def _common_ids(connections: Sequence[Connection], text: Document) -> set[int]:
    """Return the editing ids that many entries of a library have."""
    common = set[int]()
    for connection in connections:
        for own in _parts([int(each, 16) for each in text.receipt.origin.editing_ids]):
            same = FACTS.c.kind == int(FactKind.EDITING_ID), FACTS.c.value.in_(own)
            many = select(FACTS.c.value).where(*same).group_by(FACTS.c.value)
            common |= set(connection.execute(many.having(func.count() > FEWEST_HOLDERS)).scalars())
    return common


def _parts(values: Sequence[int]) -> Iterator[Sequence[int]]:
    return (values[first : first + _VALUES_AT_ONCE] for first in range(0, len(values), _VALUES_AT_ONCE))
