"""Anonymous cohorts: sorted by pseudonym, with the figures of the originals."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from threading import Event

import pytest

from simcompare.cohort.cohort_scoring import CohortDocuments, UnreadDocument, make_cohort
from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.comparison.figures import PairSummary
from simcompare.export.export_tasks import evidence_of
from simcompare.model.errors import (
    DamagedFileError,
    EmptyFileError,
    HiddenTextError,
    NoTermsError,
    NoUnitsError,
    OnlyMarginTextError,
)
from simcompare.model.progress import no_tick
from simcompare.model.settings import ComparisonSettings, LeftOutSentence
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent
from simcompare.redaction.redacted_class import anonymous_cohort
from simcompare.session.decisions import Decision, NotedDecision, PairReview
from tests.helpers.documents import prepared_text_document

SHARED = "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。"
NAMES = ["艾雨桐", "白思远", "蔡子墨", "邓文静", "冯欣怡", "高博文"]
OWN = "{name}每到夏天傍晚都和{other}一起在桥头数过路的船，第{place}次也一样。"


def prepared_document_of(place):
    other = NAMES[(place + 1) % len(NAMES)]
    text = [OWN.format(name=NAMES[place], other=other, place=place)] * (place + 1)
    # the first line is excluded as a name line, before and after redaction
    prepared_document = prepared_text_document(
        f"三年级2班 {NAMES[place]}", SHARED, *text, *([SHARED] * (place % 3))
    )
    return replace(
        prepared_document, document=replace(prepared_document.document, path=Path(f"{NAMES[place]}.txt"))
    )


@pytest.fixture(scope="module")
def cohorts():
    """Six essays sorted by name and a damaged file, and the same cohort redacted."""
    prepared_documents = tuple(map(prepared_document_of, range(len(NAMES))))
    lost = Path("何一诺.docx")
    unread = UnreadDocument(lost, DamagedFileError(lost, cause="a part of it is broken"))
    reviews = {(0, 3): PairReview(NotedDecision(Decision.COPIED, "邓文静 first"))}
    documents = CohortDocuments(prepared_documents, reviews, (unread,))
    # a sentence that names two of them, and one of another class
    settings = ComparisonSettings(
        left_out=(left_out_sentence(prepared_documents[2], 2), LeftOutSentence("0" * 16, "唐宁来了。"))
    )
    cohort = make_cohort(documents, settings, datetime(2024, 5, 6), no_tick, Event())
    recognised = [RecognisedStudent(Path(f"{name}.txt"), name) for name in NAMES]
    names = make_pseudonyms([*recognised, RecognisedStudent(lost, "何一诺")], secret="a7" * 16)
    return cohort, anonymous_cohort(cohort, names), names


def test_that_documents_are_sorted_by_pseudonym(cohorts):
    cohort, anonymous, names = cohorts
    stems = [prepared_document.document.path.stem for prepared_document in anonymous.documents]
    assert stems == sorted(stems)
    before = [names.path_of(prepared_document.document.path).stem for prepared_document in cohort.documents]
    assert before != stems
    assert all(pair.left < pair.right for pair in anonymous.pairs)


def test_that_a_pair_keeps_its_figures_when_its_order_changes(cohorts):
    cohort, anonymous, names = cohorts

    def figures(held, label):
        found = {}
        for pair in held.pairs:
            sides = [label(held.documents[place].document.path) for place in (pair.left, pair.right)]
            shares = [pair.summary.share.left_in_right, pair.summary.share.right_in_left]
            rest = pair.summary.matches, pair.summary.longest_passage_units, pair.review.overall.decision
            found[frozenset(sides)] = dict(zip(sides, shares, strict=True)), rest
        return found

    assert figures(anonymous, lambda path: path) == figures(cohort, names.path_of)


def test_that_a_pair_keeps_which_text_may_have_copied_when_its_order_changes(cohorts):
    cohort, _anonymous, names = cohorts
    # the first one is earlier work
    pairs = [replace(pair, copying=(pair.left != 0, True)) for pair in cohort.pairs]
    anonymous = anonymous_cohort(replace(cohort, pairs=pairs), names)
    paths = [each.document.path for each in anonymous.documents]
    place = paths.index(names.path_of(cohort.paths[0]))
    expected = [(pair.left != place, pair.right != place) for pair in anonymous.pairs]
    assert [pair.copying for pair in anonymous.pairs] == expected


def test_that_reports_of_pairs_agree_with_the_table(cohorts):
    _cohort, anonymous, _names = cohorts
    for pair in anonymous.pairs:
        comparison = evidence_of(anonymous, pair).comparison
        longest, matches = pair.summary.longest_passage_units, pair.summary.matches
        of_comparison = PairSummary.of(comparison.share, comparison.sentence_share, longest, matches)
        assert (pair.summary, matches) == (of_comparison, len(comparison.matches))


def test_that_a_sentence_with_a_name_is_left_out_of_reports_of_pairs_too(cohorts):
    _cohort, anonymous, _names = cohorts
    excluded = [
        side.count(ExclusionReason.LEFT_OUT).sentences
        for pair in anonymous.pairs
        for side in evidence_of(anonymous, pair).comparison.excluded
    ]
    assert sorted(set(excluded)) == [0, 3]
    assert not any(sentence.text for sentence in anonymous.settings.left_out)


def test_that_notes_and_unread_files_contain_no_names(cohorts):
    _cohort, anonymous, names = cohorts
    notes = [pair.review.overall.note for pair in anonymous.pairs if pair.review.overall.note]
    assert notes == [f"{names.path_of(Path('邓文静.txt')).stem} first"]
    (unread,) = anonymous.unread
    lost = names.path_of(Path("何一诺.docx"))
    assert unread.path == lost
    assert str(unread.error).startswith(f"{lost} ")


@pytest.mark.parametrize(
    "error",
    [
        NoUnitsError(name="kowalski.docx"),
        NoTermsError(name="kowalski.docx", recipe="words"),
        EmptyFileError(Path("kowalski.docx")),
        HiddenTextError(Path("kowalski.docx"), cause="hidden", characters=30, excerpt="I am Anna Kowals"),
        OnlyMarginTextError(
            Path("kowalski.docx"), cause="notes", characters=30, excerpt="ski wrote Kowal[U+200B]ski"
        ),
    ],
)
def test_that_errors_contain_neither_file_names_nor_fragments_of_names(cohorts, error):
    cohort, lost = cohorts[0], Path("kowalski.docx")
    names = make_pseudonyms([RecognisedStudent(lost, "Anna Kowalski")])
    with_error = replace(cohort, unread=(UnreadDocument(lost, error),))
    message = str(anonymous_cohort(with_error, names).unread[0].error)
    assert names.path_of(lost).name in message
    assert not any(part in message.casefold() for part in ("kowal", "anna", "ski "))


def with_groups(cohort, *groups):
    """Return a cohort with these groups, each pair of which links its documents."""
    number = {place: number for number, members in enumerate(groups, 1) for place in members}
    pairs = (
        replace(pair, group=number[pair.left] if number[pair.left] == number[pair.right] else 0)
        for pair in cohort.pairs
    )
    return replace(cohort, pairs=tuple(pairs), groups=groups)


def test_that_groups_keep_the_numbers_of_the_originals(cohorts):
    cohort, _anonymous, names = cohorts
    named = with_groups(cohort, (0, 1), (2, 3), (4, 5))
    anonymous = anonymous_cohort(named, names)

    def numbers(held, label):
        paths = [label(prepared_document.document.path) for prepared_document in held.documents]
        return {frozenset((paths[pair.left], paths[pair.right])): pair.group for pair in held.pairs}

    assert numbers(anonymous, lambda path: path) == numbers(named, names.path_of)


def test_that_group_numbers_do_not_depend_on_the_exported_pairs(cohorts):
    cohort, _anonymous, names = cohorts
    whole = with_groups(cohort, (0, 1, 2), (3, 4, 5))
    listed = anonymous_cohort(whole, names)
    number = {frozenset((pair.left, pair.right)): pair.group for pair in listed.pairs}
    for count in range(1, len(whole.pairs)):
        some = anonymous_cohort(replace(whole, pairs=whole.pairs[:count]), names)
        assert all(pair.group == number[frozenset((pair.left, pair.right))] for pair in some.pairs)
