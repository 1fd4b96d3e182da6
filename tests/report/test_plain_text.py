"""Plain text summary of a comparison."""

from dataclasses import replace

from simcompare.model.settings import ComparisonSettings
from simcompare.report.html_report import render_html
from simcompare.report.plain_text import comparison_as_text
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import excluding_nothing
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, QUOTING, comparison_of, evidence_of


def test_that_the_summary_names_files_settings_and_results(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)
    lines = comparison_as_text(comparison, load_thesaurus("starter")).split("\n")
    assert lines[0] == "Left              left.txt, “家乡的石桥”"
    assert lines[1].startswith(
        f"{' ' * 18}{comparison.left.prepared.unit_count} characters, 5 sentences, fingerprint "
    )
    assert f"Hamming distance  {comparison.hamming_distance_bits} of 64 bits" in lines
    assert "Thresholds        similar from 0.35, certain from 0.55" in lines
    assert "Matches           3 (exact 1, edited 1, synonym 1)" in lines
    assert "   3  synonym: left 4, right 5, P = 0.50, w = 1.00" in lines
    place = lines.index("   1  exact: left 2, right 3, P = 1.00")
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
    assert "“李小明/作文.txt” is in sentences that are similar to “王芳/作文.txt”" in page


def test_that_no_percentage_is_rounded_to_0_or_100(tmp_path):
    long = " ".join(f"Sentence number {n} tells of word{n} and thing{n} alone." for n in range(2000))
    same = "Only this one sentence is told twice."
    shares = comparison_of(tmp_path, f"{long} {same}", same)
    text = comparison_as_text(shares, None)
    assert "Left in right     0.1 %" in text
    assert "Right in left     100 %" in text


def test_that_raw_and_net_share_and_exclusions_are_shown(tmp_path):
    other = QUOTING.split("\n", 1)[1]
    text = comparison_as_text(comparison_of(tmp_path, QUOTING, other), None)
    assert "Left in right     53.6 %, net 0 %\n" in text
    assert "Right in left     100 %, net –\n" in text
    excluded = "quotation: 1 sentence (12 characters), reference list: 2 sentences (16 characters)"
    assert text.count(f"\nExcluded          {excluded}, short sentence: 1 sentence (2 characters)\n") == 2
    names = "lines with only a name, class or date"
    counted = f"quotations, reference lists, {names}, sentences of fewer than 5 characters or words"
    assert f"Exclusions        {counted}\n" in text
    assert "Matches           0 " in text


def test_that_the_summary_says_if_nothing_is_excluded(tmp_path):
    settings = excluding_nothing(ComparisonSettings())
    text = comparison_as_text(comparison_of(tmp_path, QUOTING, QUOTING, settings=settings), None)
    assert "Exclusions        none\n" in text
    assert text.count("\nExcluded          nothing\n") == 2


def test_that_an_escape_sequence_does_not_reach_the_terminal(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE, names=("\x1b[2J.txt", "b.txt"))
    text = comparison_as_text(comparison, None)
    assert "\x1b" not in text
    assert "␛[2J.txt" in text


def test_that_the_thresholds_in_use_are_shown(tmp_path):
    settings = ComparisonSettings(similar_weight=0.6, right_weight=0.8, thesaurus="none")
    text = comparison_as_text(comparison_of(tmp_path, BRIDGE, BRIDGE, settings=settings), None)
    assert "similar from 0.60, certain from 0.80" in text
    assert "Thesaurus         none" in text
