"""Plain text summary of a comparison."""

from dataclasses import replace

import numpy as np
import pytest

from simcompare.model.settings import ComparisonSettings
from simcompare.report.html_report import render_html
from simcompare.report.plain_text import comparison_as_text
from simcompare.support.display_text import percent
from simcompare.support.i18n import using_language
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import excluding_nothing
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, QUOTING, comparison_of, evidence_of


def test_that_the_summary_names_files_settings_and_results(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)
    lines = comparison_as_text(comparison, load_thesaurus("starter")).split("\n")
    shares = comparison.share
    left, right = (percent(share.after_exclusions) for share in (shares.left_in_right, shares.right_in_left))
    assert lines[0] == (
        f"{left} of the text of “left.txt” is also in that of “right.txt”, verbatim or altered, "
        f"and {right} of the text of “right.txt” in that of “left.txt”."
    )
    assert lines[2] == "Left               left.txt, “家乡的石桥”"
    assert lines[3].startswith(
        f"{' ' * 19}{comparison.left.prepared.unit_count} characters, 5 sentences, fingerprint "
    )
    assert f"Hamming distance   {comparison.hamming_distance_bits} of 64 bits" in lines
    assert "Thresholds         possible from 0.35, sure from 0.55" in lines
    assert "Matches            3 (identical 1, edited 1, reworded 1)" in lines
    assert "   3  reworded: left 4, right 5, P = 0.50, w = 1.00" in lines
    place = lines.index("   1  identical: left 2, right 3, P = 1.00")
    assert lines[place + 1].strip() == lines[place + 2].strip() == BRIDGE.split("\n")[1][:26]


def test_that_two_files_of_the_same_name_are_distinguished_by_folder(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)
    left, right = (
        replace(side, document=replace(side.document, path=tmp_path / student / "作文.txt"))
        for side, student in ((comparison.left, "李小明"), (comparison.right, "王芳"))
    )
    comparison = replace(comparison, left=left, right=right)
    text = comparison_as_text(comparison, None)
    assert "李小明/作文.txt, “家乡的石桥”" in text
    assert "王芳/作文.txt, “" in text
    page = render_html(evidence_of(comparison))
    assert "of the text of “李小明/作文.txt” is also in that of “王芳/作文.txt”" in page


def test_that_no_percentage_is_rounded_to_0_or_100(tmp_path):
    long = " ".join(f"Sentence number {n} tells of word{n} and thing{n} alone." for n in range(2000))
    same = "Only this one sentence is told twice."
    shares = comparison_of(tmp_path, f"{long} {same}", same)
    text = comparison_as_text(shares, None)
    assert "Share of left      <0.1%\n" in text
    assert "Share of right     100%\n" in text


def test_that_the_shares_before_and_after_exclusions_and_the_exclusions_are_shown(tmp_path):
    other = QUOTING.split("\n", 1)[1]
    text = comparison_as_text(comparison_of(tmp_path, QUOTING, other), None)
    assert "Share of left      0%\n" in text
    assert "Share of right     nothing counts; before exclusions 100%\n" in text
    assert "Before exclusions  left 54%, right 100%\n" in text
    assert "Sentence share     left 0%, right —\n" in text
    nothing = "Nothing of “right.txt” counts after exclusions; before exclusions the share is 100%."
    assert nothing in text.split("\n")
    excluded = "quotation: 1 sentence (12 characters), reference list: 2 sentences (16 characters)"
    excluded = f"\nExcluded           {excluded}, short sentence: 1 sentence (2 characters)"
    rest = "; the share is of only 26 characters that count, which says little"
    assert [text.count(f"{excluded}{end}\n") for end in (rest, "")] == [1, 1]
    names = "lines with only a title, name, class or date"
    counted = f"quotations, reference lists, {names}, sentences shorter than 5 characters or words"
    assert f"Exclusions         {counted}\n" in text
    assert "Matches            0 " in text


@pytest.mark.parametrize(("sentences", "only"), [(19, "only "), (20, "")])
def test_that_a_share_of_few_units_is_said_to_be_of_so_few(tmp_path, sentences, only):
    own = " ".join(f"Number{n} tells us about thing{n}." for n in range(sentences))
    listed = "References\nMiller, J. (2001). A history of old stone bridges. River Press.\n"
    text = comparison_as_text(comparison_of(tmp_path, f"{own}\n{listed}", BRIDGE), None)
    little = ", which says little" if only else ""
    assert f"; the share is of {only}{5 * sentences} words that count{little}\n" in text


def test_that_the_summary_says_if_nothing_is_excluded(tmp_path):
    settings = excluding_nothing(ComparisonSettings())
    text = comparison_as_text(comparison_of(tmp_path, QUOTING, QUOTING, settings=settings), None)
    assert "Exclusions         none\n" in text
    assert text.count("\nExcluded           nothing\n") == 2


def test_that_text_common_to_the_class_is_named_among_the_exclusions_of_a_class_only(tmp_path):
    alone = comparison_of(tmp_path, QUOTING, QUOTING)
    candidates = tuple(
        replace(each, common=np.full(alone.left.prepared.sentence_count, "", np.str_))
        for each in alone.exclusion_candidates
    )
    of_class = replace(alone, exclusion_candidates=candidates)
    assert "common text, such as the task" not in comparison_as_text(alone, None)
    assert "common text, such as the task" in comparison_as_text(of_class, None)


def test_that_an_escape_sequence_does_not_reach_the_terminal(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE, names=("\x1b[2J.txt", "b.txt"))
    text = comparison_as_text(comparison, None)
    assert "\x1b" not in text
    assert "␛[2J.txt" in text


def test_that_the_thresholds_in_use_are_shown(tmp_path):
    settings = ComparisonSettings(similar_weight=0.6, right_weight=0.8, thesaurus="none")
    text = comparison_as_text(comparison_of(tmp_path, BRIDGE, BRIDGE, settings=settings), None)
    assert "possible from 0.60, sure from 0.80" in text
    assert "Thesaurus          none" in text


def test_that_reasons_of_exclusions_are_items_of_a_list_in_chinese(tmp_path):
    other = QUOTING.split("\n", 1)[1]
    comparison = comparison_of(tmp_path, QUOTING, other)
    with using_language("zh"):
        (line, *_others) = [
            row for row in comparison_as_text(comparison, None).split("\n") if "（12 字）" in row
        ]
    assert "）、" in line
    assert "），" not in line


def test_that_matches_too_short_for_a_share_are_not_denied(tmp_path):
    left = "The harbour was quiet. I really love my family. We walked past the bakery and bought bread."
    right = "Our garden grows beans every summer. I really love my family. We cook soup for the class."
    lines = comparison_as_text(comparison_of(tmp_path, left, right), load_thesaurus("starter")).split("\n")
    assert lines[0] == "What the two texts have in common is too little to count towards the share."
    assert "Matches            1 (identical 1, edited 0, reworded 0)" in lines
