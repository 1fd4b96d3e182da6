"""Shares of a pair in words, before and after decisions."""

from dataclasses import replace

from simcompare.comparison.figures import SIDES
from simcompare.report.class_report.class_forms import render_class
from simcompare.report.wording import before_if_other, shares_in_sentences
from tests.report.class_report.checked_class import class_with_a_copied_sentence, class_with_copies
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of


def test_that_a_share_before_decisions_is_said_only_if_it_is_written_otherwise(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)
    shares = comparison.share.left_in_right.after_exclusions, comparison.share.right_in_left.after_exclusions
    alike = (shares[0] - 0.0001, shares[1])
    assert shares_in_sentences(comparison, alike) == shares_in_sentences(comparison, None)
    assert "Before decisions" in " ".join(shares_in_sentences(comparison, (shares[0] / 2, shares[1])))
    assert (before_if_other(0.871, 0.874), before_if_other(0.87, 0.92)) == ("", "before decisions: 92%")


def test_that_the_class_report_says_no_share_before_decisions_that_is_written_alike():
    check = class_with_a_copied_sentence()
    pairs = tuple(
        replace(pair, decided=tuple(share and share - 0.0001 for share in pair.summary.after_exclusions))
        for pair in check.cohort.pairs
    )
    page = render_class(replace(check, cohort=replace(check.cohort, pairs=pairs))).decode()
    assert "before decisions:" not in page


def test_that_a_pair_without_a_share_says_why_it_has_a_longest_passage():
    check = class_with_copies()
    none = {f"{part}{side}": 0.0 for part in ("", "after_exclusions_") for side in SIDES}
    pairs = tuple(
        replace(pair, summary=replace(pair.summary, longest_passage_units=49, **none))
        if pair.review.is_fine
        else pair
        for pair in check.cohort.pairs
    )
    page = render_class(replace(check, cohort=replace(check.cohort, pairs=pairs))).decode()
    assert page.count("not counted: a summary or a short sentence") == 2
