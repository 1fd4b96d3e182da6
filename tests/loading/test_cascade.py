"""CSS cascade: the declarations that apply to an element."""

from lxml import html

from simcompare.loading.formats.web.css_cascade import Cascade

SHEET = "p { color: red } .note { color: blue; display: none } p { color: green; display: block }"


def declarations_of(sheet):
    cascade = Cascade([sheet])
    return dict(cascade.enter(html.fromstring('<p class="note">text</p>')))


def test_that_the_weightier_and_then_the_later_rule_holds():
    assert declarations_of(SHEET) == {"color": "blue", "display": "none"}
    assert declarations_of("p { color: red } p { color: green }") == {"color": "green"}
    assert declarations_of("p { color: red !important } p { color: green }") == {"color": "red"}


def test_that_a_rule_between_two_of_one_selector_keeps_its_place():
    """A later rule with the same selector changes the colour; the width keeps its earlier place."""
    sheet = "p.note { color: red; width: 1px } p[x], .note.note { width: 9px } p.note { color: green }"
    assert declarations_of(sheet)["color"] == "green"
    between = "#a p { width: 1px } p { color: red; width: 1px } * { width: 9px } p { color: green }"
    assert declarations_of(between) == {"color": "green", "width": "1px"}
    older = "p { width: 1px; color: red } p { width: 9px } p { color: green }"
    assert declarations_of(older) == {"width": "9px", "color": "green"}


def test_that_a_sheet_repeated_a_thousand_times_leaves_no_more_rules_than_one():
    once, often = Cascade([SHEET]), Cascade([SHEET] * 4000)
    assert declarations_of(SHEET * 4000) == declarations_of(SHEET)
    assert sum(map(len, often._by_mark.values())) <= sum(map(len, once._by_mark.values()))
