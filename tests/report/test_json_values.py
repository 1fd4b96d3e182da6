"""JSON of a document and of a fingerprint."""

import json

import pytest

from simcompare.report.comparison_json import document_as_dict, fingerprint_as_dict
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of


@pytest.fixture
def bridges(tmp_path):
    return comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)


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
