"""Redacted documents: compared values stay, and spans are mapped to the new text."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.explanation import align, explain
from simcompare.model.document import FlagName, Note, Span
from simcompare.model.file_kinds import localised_name
from simcompare.pseudonyms.pseudonymised_document import RedactedText, Replacement, anonymous_document
from simcompare.pseudonyms.students import RecognisedStudent, Student
from simcompare.redaction.redacted_class import anonymous_evidence
from simcompare.report.html_sections import page_view
from simcompare.session.decisions import Decision
from simcompare.support.i18n import set_language
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import prepared_text_document
from tests.pseudonyms.students import evidence_of, names_of, write_bridges


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """Evidence of two files with names, the redacted evidence, and the pseudonyms."""
    files = write_bridges(tmp_path_factory.mktemp("bridges"))
    evidence = evidence_of(*files[:2])
    names = names_of(*files)
    return evidence, anonymous_evidence(evidence, names), names


def sides(evidence):
    return evidence.comparison.left, evidence.comparison.right


def test_that_a_redacted_document_has_a_pseudonym_and_no_traces_of_its_file(pair):
    evidence, anonymous, names = pair
    for before, after in zip(sides(evidence), sides(anonymous), strict=True):
        document = after.document
        owner = names.owner_of(before.document.path)
        assert document.path == Path(f"{names.label(owner)}.docx")
        assert (document.sha256, document.size_bytes, document.character_boxes) == ("", 0, None)
        assert document.receipt.flags[-1].name is FlagName.NAMES_REPLACED
        assert document.receipt.flags[-1].count > 3


@pytest.mark.parametrize("title", ["Essay of Zhao Wei", "赵伟的作文"])
def test_that_a_title_which_only_the_metadata_have_is_not_kept(pair, title):
    evidence, _anonymous, names = pair
    left = evidence.comparison.left
    document, prepared = left.document, left.prepared
    anonymous, _redacted = anonymous_document(names, replace(document, title=title), prepared)
    assert anonymous.title == anonymous.path.stem
    written = document.text.splitlines()[0]
    anonymous, redacted = anonymous_document(names, replace(document, title=written), prepared)
    assert anonymous.title == redacted.text.splitlines()[0]


def test_that_sentences_and_units_keep_their_numbers_and_order(pair):
    evidence, anonymous, _names = pair
    for before, after in zip(sides(evidence), sides(anonymous), strict=True):
        assert after.prepared.sentence_count == before.prepared.sentence_count
        assert after.prepared.unit_ids is before.prepared.unit_ids
        assert after.fingerprint == before.fingerprint
        assert_in_order(after.document.text, after.prepared.sentence_spans)
        assert (np.diff(after.prepared.unit_spans[:, 0]) >= 0).all()
        blocks = [block.span for block in after.document.blocks]
        assert "\n".join(span.of(after.document.text) for span in blocks) == after.document.text
        for sentence in range(before.prepared.sentence_count):
            old = before.prepared.sentence_span(sentence).of(before.document.text)
            new = after.prepared.sentence_span(sentence).of(after.document.text)
            assert new == old or "Student" in new


def assert_in_order(text, spans):
    assert (spans[:, 0] < spans[:, 1]).all()
    assert (spans[:-1, 1] <= spans[1:, 0]).all()
    assert spans[-1, 1] <= len(text)


def test_that_units_outside_names_cover_the_same_characters(pair):
    evidence, anonymous, names = pair
    for before, after in zip(sides(evidence), sides(anonymous), strict=True):
        named = names.replacements(before.document.text, before.document.path)
        old, new = before.prepared.unit_spans, after.prepared.unit_spans
        for number, (start, end) in enumerate(old.tolist()):
            if not any(replacement.start < end and start < replacement.end for replacement in named):
                assert before.document.text[start:end] == Span(*new[number].tolist()).of(after.document.text)


def test_that_figures_matches_and_decisions_are_those_of_the_originals(pair):
    evidence, anonymous, _names = pair
    before, after = evidence.comparison, anonymous.comparison
    assert after.matches is before.matches
    assert after.share == before.share
    assert [(passage.kind, passage.left_units, passage.matches) for passage in anonymous.passages] == [
        (passage.kind, passage.left_units, passage.matches) for passage in evidence.passages
    ]
    assert anonymous.shares_after_decisions == evidence.shares_after_decisions
    assert anonymous.review.overall.decision is Decision.COPIED
    assert [anonymous.decision_of(n).decision for n in range(len(after.matches))] == [
        evidence.decision_of(n).decision for n in range(len(before.matches))
    ]
    for index in range(len(before.matches)):
        match = before.matches[index]
        old, new = (align(comparison, match, evidence.thesaurus) for comparison in (before, after))
        assert explain(after, match, new)[:2] == explain(before, match, old)[:2]


def test_that_comparing_the_anonymous_texts_gives_the_same_figures(pair):
    evidence, _anonymous, names = pair
    settings, thesaurus = evidence.comparison.settings, load_thesaurus("starter")
    # lines of a form are recognised by their length, too, and pseudonyms have other lengths
    before = compare(*sides(evidence), settings, thesaurus, common=(None, None))
    anonymous = anonymous_evidence(replace(evidence, comparison=before), names)
    again = compare(*sides(anonymous), settings, thesaurus, common=(None, None))
    assert again.share == before.share
    assert again.sentence_share == before.sentence_share
    assert len(again.matches) == len(before.matches)
    assert [passage.left for passage in again.passages] == [
        passage.left for passage in anonymous.comparison.passages
    ]


def test_that_shared_units_are_highlighted_at_the_right_words(pair):
    evidence, anonymous, _names = pair
    for old, new in zip(page_view(evidence).matches, page_view(anonymous).matches, strict=True):
        for before, after in ((old.left_pieces, new.left_pieces), (old.right_pieces, new.right_pieces)):
            if all("Student" not in piece.text for piece in after):
                assert before == after
            # no pseudonym is split
            for piece in after:
                assert "Student" not in piece.text or "Student 0" in piece.text
    assert any(
        "Student 0" in piece.text for match in page_view(anonymous).matches for piece in match.left_pieces
    )


def test_that_students_of_the_same_surname_share_no_highlight(tmp_path):
    left, right = tmp_path / "王小明.txt", tmp_path / "王大力.txt"
    left.write_text("那天的作文里，王小明写了村口的那座老石桥。", encoding="utf-8")
    right.write_text("那天的作文里，王大力写了村口的那座老石桥。", encoding="utf-8")
    evidence = evidence_of(left, right)
    anonymous = anonymous_evidence(evidence, names_of(left, right, listed=()))
    (match,) = page_view(anonymous).matches
    marked = [(piece.text, piece.is_changed) for piece in match.left_pieces]
    label = anonymous.comparison.left.document.path.stem
    assert marked == [
        ("那天的作文里，", False),
        (label, True),
        ("写了村口的那座老石桥", False),
        ("。", False),
    ]
    assert match.p == page_view(evidence).matches[0].p


def test_that_passages_are_mapped_to_the_redacted_text(pair):
    evidence, anonymous, _names = pair
    assert evidence.comparison.passages
    for old, new in zip(evidence.comparison.passages, anonymous.comparison.passages, strict=True):
        for side, before, after in (("left", old.left, new.left), ("right", old.right, new.right)):
            texts = [getattr(version.comparison, side) for version in (evidence, anonymous)]
            first = [t.prepared.sentence_at(s.start) for t, s in zip(texts, (before, after), strict=True)]
            last = [t.prepared.sentence_at(s.end - 1) for t, s in zip(texts, (before, after), strict=True)]
            assert first[0] == first[1]
            assert last[0] == last[1]


def test_that_settings_and_excerpts_contain_no_names(tmp_path):
    left, right = tmp_path / "张三.html", tmp_path / "李小明.html"
    hidden = "作者张三和李小明在这里写了很多看不见的字"
    page = "<html><body><p>{}</p><p style='color:#ffffff;background:#ffffff'>{}</p></body></html>"
    text = "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。" * 4
    for path in (left, right):
        path.write_text(page.format(text, hidden), encoding="utf-8")
    prompt = tmp_path / "题目 张三.txt"
    evidence = evidence_of(left, right, prompt=str(prompt))
    anonymous = anonymous_evidence(evidence, names_of(left, right))
    receipt = str(sides(anonymous)[0].document.receipt)
    assert "张三" in str(sides(evidence)[0].document.receipt)
    assert "张三" not in receipt
    assert "李小明" not in receipt
    assert anonymous.comparison.settings.prompt.endswith(".txt")
    assert "张三" not in anonymous.comparison.settings.prompt
    assert "/" not in anonymous.comparison.settings.prompt


def test_that_a_name_with_zero_width_characters_is_found_in_an_excerpt(tmp_path):
    left, right = tmp_path / "张三.txt", tmp_path / "李小明.txt"
    left.write_text("我是张\u200b三，和李\u200b小\u200b明一起写了村口的那座老石桥。", encoding="utf-8")
    right.write_text("我和他一起写了村口的那座老石桥。", encoding="utf-8")
    evidence = evidence_of(left, right)
    receipts = [
        sides(version)[0].document.receipt for version in (evidence, anonymous_of(evidence, left, right))
    ]
    assert "张[U+200B]三" in str(receipts[0])
    assert not {*"张三小明"} & {*str(receipts[1])}


def anonymous_of(evidence, *files):
    return anonymous_evidence(evidence, names_of(*files))


def test_that_a_name_cut_at_the_end_of_an_excerpt_is_removed(pair):
    names = pair[2]
    assert names.without_cut_names("批注：写得好，欧阳") == "批注：写得好，"
    assert names.without_cut_names("娜娜的作文 John Smi") == "的作文 "
    assert names.without_cut_names("没有名字") == "没有名字"
    assert names.without_cut_names("thing about Smi") == "thing about "
    assert names.without_cut_names("oh, what a hers") == "oh, what a hers"


# --- positions


TEXT = "一二三四五六七八九十" * 3


@st.composite
def replacements(draw):
    edges = sorted(draw(st.sets(st.integers(0, len(TEXT)), min_size=2, max_size=8)))
    pairs = zip(edges[::2], edges[1::2], strict=False)
    return [
        Replacement(start, end, draw(st.sampled_from(["学生 01", "x", "Student 123"])))
        for start, end in pairs
    ]


@given(replacements(), st.integers(0, len(TEXT)), st.integers(0, len(TEXT)))
def test_that_unchanged_text_is_found_at_its_mapped_position(made, first, second):
    redacted = RedactedText(TEXT, made)
    start, end = sorted((first, second))
    span = redacted.map_span(Span(start, end))
    assert 0 <= span.start <= span.end <= len(redacted.text)
    if not any(change.start < end and start < change.end for change in made):
        assert span.of(redacted.text) == TEXT[start:end]
    for change in made:
        assert redacted.map_span(Span(change.start, change.end)).of(redacted.text) == change.text


@st.composite
def named_texts(draw):
    """A text with names next to digits, letters and punctuation that may form one unit with them."""
    names = st.sampled_from(
        ["John", "O'Neil", "Mary-Ann O'Neil", "张三", "20231234", "J. Smith", "John\nSmith"]
    )
    others = st.sampled_from(["1", "20", "x", "é", "the bridge", "很", "。", "! ", "\n", " ", "-", "’s"])
    pieces = draw(st.lists(st.one_of(names, others), min_size=1, max_size=12))
    return "".join(pieces) + " end."


@given(named_texts())
@example("Mary-Ann O'Neil20231234 end.")
@example("Mary-Ann O'Neil1 end.")
@example("2023 1234bridge")
def test_that_units_stay_in_order_if_a_name_ends_inside_one(text):
    prepared_document = prepared_text_document(text)
    names = names_of(Path("a.txt")).including_files([prepared_document.document.path])
    redacted = names.redact(prepared_document)
    for spans in (
        redacted.prepared_document.prepared.unit_spans,
        redacted.prepared_document.prepared.sentence_spans,
    ):
        assert (np.diff(spans[:, 0]) >= 0).all()
        assert (spans[:, 0] <= spans[:, 1]).all()
        assert (spans >= 0).all()
        assert (spans <= len(redacted.prepared_document.document.text)).all()


@given(replacements(), st.sets(st.integers(0, len(TEXT)), max_size=4))
def test_that_replacements_are_split_at_borders(made, borders):
    redacted = RedactedText(TEXT, made, borders)
    edges = [0, *sorted(borders), len(TEXT)]
    parts = [redacted.map_span(Span(a, b)).of(redacted.text) for a, b in pairwise(edges)]
    assert "".join(parts) == redacted.text


def test_that_notes_and_formulas_follow_their_text():
    prepared_document = prepared_text_document("Zhao Wei built it. Why?\nSee Zhao Wei 1999.")
    marked = {"notes": (Note(18, Span(24, 42)),), "formulas": (Span(9, 17),)}
    document = replace(prepared_document.document, **marked)
    names = names_of(document.path, listed=[Student(("Zhao Wei",))])
    anonymous, _redacted = anonymous_document(names, document, prepared_document.prepared)
    assert "Zhao" not in anonymous.text
    assert [span.of(anonymous.text) for span in anonymous.formulas] == ["built it"]
    (note,) = anonymous.notes
    assert anonymous.text[: note.place].endswith("built it.")
    assert note.span.of(anonymous.text) == anonymous.text.splitlines()[1]


def test_that_a_pasted_text_keeps_its_pseudonym_in_another_language():
    text, other = Path("Pasted text 1"), Path("Pasted text 2")
    names = names_of(text, other, listed=())
    set_language("zh")
    translated = localised_name(text)
    assert translated != text
    assert names.including_files([translated]) is names
    assert names.owner_of(translated) == names.owner_of(text)
    assert names.order_of(translated) == names.order_of(text)
    assert names.owner_of(text).display_name == str(translated)
    named = names.corrected([RecognisedStudent(translated, "张三")])
    assert named.owner_of(other) == names.owner_of(other)
    assert named.owner_of(text).number == names.owner_of(text).number
    assert names_of(translated, listed=()).owner_of(text) is not None


def test_that_pasted_texts_have_pseudonyms():
    assert str(names_of(Path("Pasted text 1")).path_of(Path("Pasted text 1"))).startswith("Text ")
