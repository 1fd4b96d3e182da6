"""JSON of a comparison: complete, conforming to its schema, with offsets that point at the sentences."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from simcompare import __version__
from simcompare.cli.file_commands import schema_of
from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.model.document import Dropped, DropReason, Flag, FlagName, Place
from simcompare.model.settings import ComparisonSettings
from simcompare.report.comparison_json import evidence_as_dict
from simcompare.report.report_forms import FORMS
from simcompare.report.wording import exclusions_in_words
from simcompare.session.decisions import (
    NO_DECISION,
    Decision,
    MatchKey,
    NotedDecision,
    PairReview,
    index_sentences,
)
from tests.helpers.documents import prepared_text_document
from tests.helpers.schemas import errors_of
from tests.report.essays import (
    BRIDGE,
    BRIDGE_REWORDED,
    QUOTING,
    comparison_of,
    evidence_of,
    review_of_passage,
)


def undocumented(value):
    return errors_of(value, schema_of("compare"))


def written(evidence):
    return json.loads(FORMS[".json"].render(evidence))


def review_with(comparison, index, noted_decision, overall=NO_DECISION):
    """Return a review with a decision on one match."""
    match = comparison.matches[index]
    left, right = (index_sentences(side.prepared).keys for side in (comparison.left, comparison.right))
    return PairReview(overall, {MatchKey(left[match.left], right[match.right]): noted_decision})


@pytest.fixture
def bridges(tmp_path):
    return comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)


def test_that_the_schema_is_of_version_2():
    assert schema_of("compare")["properties"]["version"]["const"] == 2


@pytest.mark.parametrize(
    ("left", "right", "settings"),
    [
        (BRIDGE, BRIDGE_REWORDED, ComparisonSettings()),
        (QUOTING, QUOTING, ComparisonSettings(passages=None, word_stage=False)),
        ("好。走吧。", BRIDGE, ComparisonSettings(thesaurus="none")),
        ("The river froze early this year.", BRIDGE * 3, ComparisonSettings(minimum_units=0)),
    ],
)
def test_that_the_output_conforms_to_the_schema(tmp_path, left, right, settings):
    comparison = comparison_of(tmp_path, left, right, settings=settings, thesaurus=settings.thesaurus)
    assert undocumented(written(evidence_of(comparison))) == []


def test_that_doubts_and_decisions_conform_to_the_schema(bridges):
    flag = Flag(FlagName.HIDDEN_TEXT, 12, (Place(3, 2), Place(4)), "copied from")
    receipt = replace(
        bridges.right.document.receipt, pages=4, flags=(flag,), dropped=(Dropped(DropReason.COMMENT, 7),)
    )
    right = replace(bridges.right, document=replace(bridges.right.document, receipt=receipt))
    review = review_with(bridges, 0, NotedDecision(Decision.COPIED, "“=1+1”"))
    value = written(evidence_of(replace(bridges, right=right), review=review))
    assert undocumented(value) == []
    assert [side["state"] for side in value["documents"].values()] == ["ok", "doubtful"]
    assert value["documents"]["right"]["receipt"]["flags"] == [
        {
            "name": "hidden_text",
            "count": 12,
            "places": [{"page": 3, "paragraph": 2}, {"page": 4, "paragraph": None}],
            "excerpt": "copied from",
            "doubtful": True,
        }
    ]


def test_that_the_header_has_format_version_program_and_time(bridges):
    value = written(evidence_of(bridges, datetime(2026, 1, 2, 3, 4, 5, 678, UTC)))
    assert (value["format"], value["version"]) == ("simcompare-comparison", 2)
    assert value["program"] == {"name": "simcompare", "version": __version__}
    assert value["made_at"] == "2026-01-02T03:04:05+00:00"


def test_that_files_are_identified_by_name_size_and_hash_without_folder(tmp_path):
    names = ("/home/teacher/class 4/left.txt", "right.txt")
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED, names=names)
    value = written(evidence_of(comparison))
    left = value["documents"]["left"]
    assert (left["file_name"], left["title"]) == ("left.txt", "家乡的石桥")
    assert left["size_bytes"] == len(BRIDGE.encode())
    assert len(left["sha256"]) == 64
    assert left["receipt"]["encoding"] == "utf-8"
    assert "teacher" not in json.dumps(value)


def test_that_matches_slice_back_to_their_sentences_and_only_synonyms_have_a_w(bridges):
    texts = {"left": bridges.left.document.text, "right": bridges.right.document.text}
    matches = written(evidence_of(bridges))["matches"]
    for match in matches:
        for side, text in texts.items():
            assert text[match[side]["start"] : match[side]["end"]] == match[side]["text"]
    assert [(m["number"], m["left"]["sentence_index"], m["right"]["sentence_index"]) for m in matches] == [
        (1, 1, 2),
        (2, 2, 3),
        (3, 3, 4),
    ]
    assert [(match["left"]["text"], match["kind"], match["w"]) for match in matches] == [
        ("村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。", "exact", None),
        ("每到夏天傍晚，老人们搬着竹椅来桥头乘凉。", "edited", None),
        ("它没有美丽的花纹，也没有著名的来历，可是大家都非常喜欢它。", "synonym", 1.0),
    ]
    assert (matches[0]["p"], matches[0]["lcs_units"]) == (1.0, 24)


def test_that_a_passage_has_the_text_of_both_sides(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE * 3, "题外的一段话，和别的没有关系。" + BRIDGE * 3)
    (passage,) = written(evidence_of(comparison))["passages"]
    assert passage["left"]["text"] == comparison.left.document.text.removeprefix("家乡的石桥\n")
    assert passage["right"]["text"] == comparison.right.document.text.removeprefix(
        "题外的一段话，和别的没有关系。"
    )


def test_that_excluded_sentences_have_a_reason_and_their_matches_are_flagged(tmp_path):
    value = written(evidence_of(comparison_of(tmp_path, QUOTING, QUOTING)))
    excluded = [
        (2, "“桥是会说话的，只是说得很慢。”", "quotation"),
        (3, "好美。", "short"),
        (4, "参考文献", "reference"),
        (5, "王小明，《桥的历史》，河流出版社。", "reference"),
    ]
    for side in ("left", "right"):
        exclusions = value["exclusions"][side]
        assert [
            (exclusion["sentence_index"], exclusion["text"], exclusion["excluded_as"])
            for exclusion in exclusions
        ] == excluded
    assert [(m["number"], m["left"]["excluded_as"], m["is_excluded"]) for m in value["matches"]] == [
        (1, None, False),
        (2, None, False),
        (None, "quotation", True),
        (None, "short", True),
        (None, "reference", True),
        (None, "reference", True),
    ]
    assert value["match_count"] == 6


def test_that_the_sentence_share_follows_from_the_matches(tmp_path):
    comparison = comparison_of(tmp_path, QUOTING, "“桥是会说话的，只是说得很慢。”\n我不这么想，桥不说话。\n")
    value = written(evidence_of(comparison))
    lengths = comparison.left.prepared.sentence_lengths.tolist()
    similar = {match["left"]["sentence_index"] for match in value["matches"]}
    raw = sum(lengths[sentence] for sentence in similar) / sum(lengths)
    assert value["sentence_share"]["left_in_right"] == {"raw": raw, "after_exclusions": 0.0}
    assert value["share"]["left_in_right"] == {"raw": raw, "after_exclusions": 0.0, "after_decisions": 0.0}


def test_that_a_share_of_nothing_is_null(tmp_path):
    value = written(evidence_of(comparison_of(tmp_path, "好。走吧。", BRIDGE)))
    share = value["share"]["left_in_right"]
    assert share["after_exclusions"] is share["after_decisions"] is None


def test_that_passages_decided_as_fine_do_not_count_after_decisions(tmp_path):
    settings = ComparisonSettings(passages=None)
    bridges = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED, settings=settings)
    share, units = bridges.share.left_in_right, bridges.left.prepared.sentence_lengths
    for decision, left_out in ((Decision.FINE, units[bridges.matches[1].left]), (Decision.COPIED, 0)):
        review = review_with(bridges, 1, NotedDecision(decision))
        shown = written(evidence_of(bridges, review=review))["share"]["left_in_right"]
        assert shown["after_exclusions"] == share.after_exclusions
        expected = share.after_exclusions - left_out / units[bridges.left_excluded.kept].sum()
        assert shown["after_decisions"] == pytest.approx(expected)


def test_that_a_decision_of_no_concern_says_its_reason(bridges):
    decided = NotedDecision(Decision.CITED, "page 3")
    value = written(
        evidence_of(bridges, review=review_with(bridges, 0, decided, NotedDecision(Decision.FINE)))
    )
    assert undocumented(value) == []
    assert {"decision": "fine", "note": "page 3", "reason": "cited"}.items() <= value["matches"][0].items()
    assert value["judgement"] == {"decision": "fine", "note": ""}


def test_that_a_passage_has_a_number_a_kind_figures_and_its_matches(bridges):
    first, second = written(evidence_of(bridges))["passages"]
    assert (first["number"], first["kind"], first["summary"]) == (1, "reworded", None)
    assert (first["left"]["units"], first["right"]["units"]) == (68, 44)
    assert (first["common_words"], first["p"], first["in_order"]) == (0.6, 42 / 68, 42 / 43)
    assert first["matches"] == [1, 2]
    assert (second["number"], second["matches"]) == (2, [3])


def test_that_a_match_outside_passages_is_a_passage_of_its_own(tmp_path):
    shared = "爷爷总说：好桥不说话。"
    value = written(evidence_of(comparison_of(tmp_path, f"{BRIDGE}{shared}", f"秋天的路很长。{shared}")))
    (passage,) = value["passages"]
    assert (passage["left"]["text"], passage["right"]["text"]) == (shared, shared)
    assert (passage["kind"], passage["matches"]) == ("identical", [1])


def test_that_decisions_and_notes_are_with_their_matches_and_the_pair(bridges):
    overall = NotedDecision(Decision.FINE, "两人一起写的")
    review = review_with(bridges, 1, NotedDecision(Decision.COPIED, "见第 3 页"), overall)
    value = written(evidence_of(bridges, review=review))
    assert value["judgement"] == {"decision": "fine", "note": "两人一起写的"}
    decisions = [(match["decision"], match["note"]) for match in value["matches"]]
    assert decisions == [(None, ""), ("copied", "见第 3 页"), (None, "")]


def test_that_decisions_and_notes_are_with_their_passages(bridges):
    review = review_of_passage(bridges, 0, NotedDecision(Decision.FINE, "见题目"))
    value = written(evidence_of(bridges, review=review))
    assert undocumented(value) == []
    decided, other = ((passage["decision"], passage["note"]) for passage in value["passages"])
    assert (decided, other) == (("fine", "见题目"), (None, ""))
    assert [(match["decision"], match["note"]) for match in value["matches"]] == [
        ("fine", ""),
        ("fine", ""),
        (None, ""),
    ]


def test_that_a_text_that_repeats_itself_gives_the_best_pairs_and_the_count(tmp_path, monkeypatch):
    monkeypatch.setattr("simcompare.report.pair_tables.MOST_WRITTEN_PAIRS", 10)
    comparison = comparison_of(tmp_path, BRIDGE * 3, BRIDGE * 3)
    value = written(evidence_of(comparison))
    assert value["match_count"] > 10
    best = {match["left"]["sentence_index"] for match in value["matches"]}
    assert best == set(range(comparison.left.prepared.sentence_count))


@pytest.mark.parametrize("folder", ["/home/teacher/", "C:\\Users\\teacher\\"])
def test_that_a_prompt_is_named_without_its_folder_whatever_system_it_is_from(tmp_path, folder):
    settings = ComparisonSettings(prompt=f"{folder}prompt.docx")
    evidence = evidence_of(comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED, settings=settings))
    assert evidence_as_dict(evidence)["settings"]["prompt"] == "prompt.docx"
    assert "teacher" not in exclusions_in_words(settings, ())


def test_that_sentences_left_out_by_hand_are_counted_but_not_quoted_from_other_documents(tmp_path):
    own, other = (prepared_text_document(text) for text in ("爷爷总说：好桥不说话。", "别的同学写的一句话。"))
    settings = ComparisonSettings(left_out=tuple(left_out_sentence(side, 0) for side in (own, other)))
    shared = f"{BRIDGE}爷爷总说：好桥不说话。"
    value = written(evidence_of(comparison_of(tmp_path, shared, shared, settings=settings)))
    assert undocumented(value) == []
    assert value["settings"]["left_out_count"] == 2
    for side in ("left", "right"):
        reasons = {excluded["text"]: excluded["excluded_as"] for excluded in value["exclusions"][side]}
        assert reasons == {"家乡的石桥": "name_line", "爷爷总说：好桥不说话。": "left_out"}
    assert "别的同学" not in str(value)
    assert value["share"]["left_in_right"]["after_exclusions"] == 1.0


def test_that_the_settings_name_files_without_their_folders(tmp_path):
    synonyms = tmp_path / "mine.txt"
    synonyms.write_text("美丽 漂亮\n", encoding="utf-8")
    settings = ComparisonSettings(thesaurus=str(synonyms), prompt="/home/teacher/prompt.docx")
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED, settings=settings, thesaurus=str(synonyms))
    value = evidence_as_dict(evidence_of(comparison))["settings"]
    assert (value["thesaurus"], value["thesaurus_group_count"]) == ("mine.txt", 1)
    assert value["prompt"] == "prompt.docx"
    assert value["similar_weight"] == 0.35
    assert value["passages"]["least_words"] == 25
