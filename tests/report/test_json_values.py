"""The JSON of a comparison keeps its keys, and its offsets point at the sentences."""

import json
from dataclasses import asdict

import pytest

from simcompare.report.json_values import comparison_as_dict, document_as_dict, fingerprint_as_dict
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, QUOTING, comparison_of


@pytest.fixture
def bridges(tmp_path):
    return comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)


def test_that_a_comparison_has_the_promised_keys(bridges):
    value = comparison_as_dict(bridges)
    assert list(value) == [
        "left",
        "right",
        "hamming_distance_bits",
        "similarity",
        "similarity_net",
        "excluded",
        "settings",
        "matches",
        "passages",
    ]
    for side in ("left", "right"):
        keys = ["path", "title", "units", "sentences", "fingerprint", "state", "receipt"]
        assert list(value[side]) == keys
        assert len(value[side]["fingerprint"]) == 16
    assert list(value["similarity"]) == ["left_in_right", "right_in_left"]
    assert value["settings"] == {
        "similar_weight": 0.35,
        "right_weight": 0.55,
        "word_stage": True,
        "thesaurus": "starter",
        "recipe": "improved",
        "exclude_quotations": True,
        "exclude_references": True,
        "minimum_units": 5,
        "prompt": None,
        "passages": asdict(bridges.settings.passages),
        "recipe_signature": bridges.left.fingerprint.recipe,
    }
    assert all(list(match) == ["left", "right", "kind", "p", "w"] for match in value["matches"])
    assert [list(passage) for passage in value["passages"]] == [["left", "right"]]


def test_that_a_passage_has_the_offsets_of_both_its_sides(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE * 3, "题外的一段话，和别的没有关系。" + BRIDGE * 3)
    (passage,) = json.loads(json.dumps(comparison_as_dict(comparison)))["passages"]
    left, right = comparison.left.document.text, comparison.right.document.text
    assert left[slice(*passage["left"])] == left
    assert right[slice(*passage["right"])] == right.removeprefix("题外的一段话，和别的没有关系。")


def test_that_offsets_slice_back_to_the_sentences_and_only_synonyms_have_a_w(bridges):
    left, right = bridges.left.document.text, bridges.right.document.text
    # through JSON, as numpy's numbers would not survive it
    matches = json.loads(json.dumps(comparison_as_dict(bridges)))["matches"]
    found = [(left[slice(*m["left"])], right[slice(*m["right"])], m["kind"], m["w"]) for m in matches]
    sentence = "村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。"
    assert found == [
        (sentence, sentence, "exact", None),
        (
            "每到夏天傍晚，老人们搬着竹椅来桥头乘凉。",
            "每到夏天的傍晚，老人们搬着竹椅来到桥头乘凉。",
            "edited",
            None,
        ),
        (
            "它没有美丽的花纹，也没有著名的来历，可是大家都非常喜欢它。",
            "大家都十分喜爱它，不过它没有漂亮的花纹，也没有有名的来历。",
            "synonym",
            1.0,
        ),
    ]


def test_that_excluded_sentences_are_given_with_their_reason_and_their_matches_are_not(tmp_path):
    comparison = comparison_of(tmp_path, QUOTING, QUOTING)
    value = json.loads(json.dumps(comparison_as_dict(comparison)))
    text = comparison.left.document.text
    assert [(text[each["start"] : each["end"]], each["reason"]) for each in value["excluded"]["left"]] == [
        ("“桥是会说话的，只是说得很慢。”", "quotation"),
        ("好美。", "short"),
        ("参考文献", "reference"),
        ("王小明，《桥的历史》，河流出版社。", "reference"),
    ]
    assert value["excluded"]["right"] == value["excluded"]["left"]
    assert len(value["matches"]) == 2
    assert value["similarity"] == value["similarity_net"] == {"left_in_right": 1.0, "right_in_left": 1.0}


def test_that_a_net_similarity_of_nothing_is_null(tmp_path):
    value = comparison_as_dict(comparison_of(tmp_path, "好。走吧。", BRIDGE))
    assert value["similarity_net"] == {"left_in_right": None, "right_in_left": 0.0}


def test_that_a_document_gives_its_blocks_and_receipt(bridges):
    value = document_as_dict(bridges.left.document)
    assert list(value) == ["path", "state", "title", "text", "blocks", "receipt"]
    assert [value["text"][block["start"] : block["end"]] for block in value["blocks"]] == value["text"].split(
        "\n"
    )
    assert value["blocks"][0] == {
        "kind": "title",
        "start": 0,
        "end": 5,
        "anchor": {"paragraph": 1, "page": None},
    }
    assert value["receipt"]["encoding"] == "utf-8"
    json.dumps(value)


def test_that_a_fingerprint_gives_the_same_bits_twice(bridges):
    value = fingerprint_as_dict(bridges.left)
    assert list(value) == ["path", "recipe", "bits", "hex"]
    assert len(value["bits"]) == 64
    assert int(value["bits"], 2) == int(value["hex"], 16)
