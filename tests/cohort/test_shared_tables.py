"""Tables of numbers that documents have in common."""

import random
from dataclasses import replace

import pytest

from simcompare.cohort.pair_facts import facts_of_class
from simcompare.cohort.shared_facts import SharedTable, find_shared_tables
from simcompare.model.document import Anchor, BlockKind
from simcompare.session.school_class import DocumentRole, SchoolClass
from tests.helpers.documents import make_document


def measured(seed):
    chance = random.Random(seed)
    return [[f"{chance.uniform(0, 50):.2f}" for _column in range(3)] for _row in range(4)]


def document(rows, *, before=1):
    """Return a document with a table after some paragraphs."""
    text = [f"We measured it, part {number}." for number in range(before)]
    made = make_document(*text, *("\t".join(row) for row in rows))
    table = (replace(block, kind=BlockKind.TABLE_ROW) for block in made.blocks[before:])
    return replace(made, blocks=(*made.blocks[:before], *table))


def shared(left, right):
    return find_shared_tables({2: document(left), 5: document(right, before=3)}).get((2, 5), ())


HEADS = ["time", "mass", "heat"]
CHANGES = {
    "same": lambda rows: rows,
    "transposed": lambda rows: [list(column) for column in zip(*rows, strict=True)],
    "other order": lambda rows: rows[::-1],
    "other columns": lambda rows: [row[::-1] for row in rows],
    "other widths": lambda rows: [[f" {cell} ".translate({48: "０"}) for cell in row] for row in rows],
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_that_the_same_numbers_are_found_in_whatever_order(change):
    rows = [HEADS, *measured(1)]
    assert shared(rows, change(rows)) == (SharedTable(12, 12, Anchor(2), Anchor(4)),)


def test_that_a_few_changed_numbers_do_not_matter_and_many_do():
    rows = measured(1)
    assert shared(rows, [["1.11", *rows[0][1:]], *rows[1:]])[0].common == 11
    assert not shared(rows, [["1.11", "2.22", "3.33"], *rows[1:]])


def test_that_small_tables_years_and_row_numbers_tell_nothing():
    assert not shared(measured(1)[:1], measured(1)[:1])
    rows = [[str(number), str(2000 + 2 * number), word] for number, word in enumerate("abcdefghijklmnopqrst")]
    assert not shared(rows, rows)


def test_that_numbers_of_the_task_and_of_the_class_do_not_count():
    own = {key: document([*measured(99), *measured(key)]) for key in range(6)}
    own[7] = document([*measured(99), *measured(3)])
    assert find_shared_tables(own) == {(3, 7): (SharedTable(12, 12, Anchor(2), Anchor(2)),)}
    task = document(measured(3))
    school = SchoolClass({8: DocumentRole.TEMPLATE})
    assert not any(facts.tables for facts in facts_of_class({**own, 8: task}, school).values())


def test_that_each_table_has_one_counterpart_and_turned_facts_exchange_the_sides():
    rows = measured(1)
    found = find_shared_tables({0: document(rows), 1: document(rows, before=4)})
    assert [(each.left.paragraph, each.right.paragraph) for each in found[0, 1]] == [(2, 5)]
    facts = facts_of_class({0: document(rows), 1: document(rows, before=4)}, SchoolClass())[0, 1].mirrored
    assert [(each.left.paragraph, each.right.paragraph) for each in facts.tables] == [(5, 2)]


def test_that_random_tables_of_a_class_are_not_the_same():
    assert not find_shared_tables({key: document(measured(key)) for key in range(150)})
