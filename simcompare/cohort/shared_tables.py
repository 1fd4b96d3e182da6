"""Tables of numbers that two documents have in common, such as measured data, in whatever order of the cells.

They are facts beside the wording and count for no share, rank or limit. Numbers of many documents, such as
those of a task, and those that were handed out do not count.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, groupby

from simcompare.cohort.kinship import most_holders
from simcompare.model.document import Anchor, BlockKind, Document
from simcompare.session.school_class import Pair

LEAST_NUMBERS, LEAST_COMMON = 6, 0.8
_LEAST_DIGITS, _MOST_CHARACTERS = 2, 24
_NUMBER = re.compile(r"[-+<>≈~]?\.?\d")
_YEAR_OR_DATE = re.compile(r"(?:19|20)\d\d(?:年|[-/.年]\d.*)?")


@dataclass(frozen=True, slots=True)
class SharedTable:
    """A table of the left document and one of the right: where, and how many of the numbers are in both."""

    common: int
    count: int
    left: Anchor
    right: Anchor


SharedTables = tuple[SharedTable, ...]


def find_shared_tables(
    documents: Mapping[int, Document], handed_out: Iterable[Document] = ()
) -> dict[Pair, SharedTables]:
    """Find the pairs of documents, the lower key first, with tables that share 80% of at least 6 numbers.

    Numbers in tables of more than 3 documents and 10% of the documents do not count.
    """
    tables = [(key, *table) for key in sorted(documents) for table in _tables(documents[key])]
    most = most_holders(len(documents))
    holders: defaultdict[str, set[int]] = defaultdict(set)
    for key, _anchor, numbers in tables:
        for number in numbers:
            holders[number].add(key)
    given = {number for each in handed_out for _anchor, numbers in _tables(each) for number in numbers}
    telling = {number for number, keys in holders.items() if len(keys) <= most} - given
    rare = [numbers & telling for _key, _anchor, numbers in tables]
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, numbers in enumerate(rare):
        for number in numbers:
            places[number].append(place)
    common = Counter(pair for held in places.values() for pair in combinations(held, 2))
    found: defaultdict[Pair, list[SharedTable]] = defaultdict(list)
    taken: set[tuple[int, int]] = set()
    for (left, right), shared in sorted(common.items(), key=lambda each: (-each[1], each[0])):
        pair = tables[left][0], tables[right][0]
        count, ends = max(len(rare[left]), len(rare[right])), {(left, pair[1]), (right, pair[0])}
        is_same = shared >= max(LEAST_NUMBERS, LEAST_COMMON * count)
        if pair[0] != pair[1] and is_same and taken.isdisjoint(ends):
            taken |= ends
            found[pair].append(SharedTable(shared, count, tables[left][1], tables[right][1]))
    return {pair: tuple(found[pair]) for pair in sorted(found)}


def _tables(document: Document) -> Iterator[tuple[Anchor, frozenset[str]]]:
    """Yield where each table begins and its numbers; those that go on in steps of one are row numbers."""
    for is_row, group in groupby(document.blocks, lambda block: block.kind is BlockKind.TABLE_ROW):
        if is_row:
            blocks = list(group)
            rows = [list(map(_normal, block.span.of(document.text).split("\t"))) for block in blocks]
            numbers = {
                cell
                for above, row in zip([[], *rows], rows, strict=False)
                for column, cell in enumerate(row)
                if _is_telling(cell) and not _follows(above[column : column + 1], cell)
            }
            yield blocks[0].anchor, frozenset(numbers)


def _normal(cell: str) -> str:
    folded = unicodedata.normalize("NFKC", cell).replace("−", "-").casefold()
    return "".join(character for character in folded if not character.isspace() and character != ",")


def _is_telling(cell: str) -> bool:
    is_number = len(cell) <= _MOST_CHARACTERS and _NUMBER.match(cell) is not None
    return (
        is_number and sum(map(str.isdecimal, cell)) >= _LEAST_DIGITS and _YEAR_OR_DATE.fullmatch(cell) is None
    )


def _follows(above: list[str], cell: str) -> bool:
    return cell.isdecimal() and any(each.isdecimal() and int(cell) == int(each) + 1 for each in above)
