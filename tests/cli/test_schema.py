"""JSON outputs: each key is described in the schema that `simcompare schema` prints."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from simcompare.cli.file_commands import schema_of
from tests.helpers.schemas import errors_of

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
COMMANDS = ("compare", "check", "extract", "fingerprint", "library")
OF_GOLDEN = [
    *((f"pair-{language}/json.json.txt", "compare") for language in ("en", "zh")),
    *((f"class-{language}/class.json.txt", "check") for language in ("en", "zh")),
    ("anonymous/class.json.txt", "check"),
]


def described_nowhere(schema, path=""):
    """Yield the properties that neither have a description nor refer to a definition that has one."""
    if isinstance(schema, dict):
        properties = schema.get("properties")
        for key, part in (properties if isinstance(properties, dict) else {}).items():
            if not {"description", "$ref"} & set(part):
                yield f"{path}/{key}"
        for key, part in schema.items():
            yield from described_nowhere(part, f"{path}/{key}")
    elif isinstance(schema, list):
        for part in schema:
            yield from described_nowhere(part, path)


@pytest.mark.parametrize("command", COMMANDS)
def test_that_a_schema_is_valid_by_itself_and_describes_its_keys(run, command):
    result = run("schema", command)
    schema = json.loads(result.stdout)
    Draft202012Validator.check_schema(schema)
    references = set(re.findall(r'"\$ref": "([^"]+)"', result.stdout))
    assert {reference.rpartition("/")[0] for reference in references} <= {"#/$defs"}
    assert {reference.rpartition("/")[2] for reference in references} <= set(schema.get("$defs", {}))
    assert list(described_nowhere(schema)) == []


@pytest.mark.parametrize(("name", "command"), OF_GOLDEN)
def test_that_the_golden_outputs_are_described(name, command):
    assert errors_of(json.loads((GOLDEN / name).read_text(encoding="utf-8")), schema_of(command)) == []


@pytest.fixture
def described(essays, run):
    """Check what a command prints, line by line for `jsonl`, and return the values."""

    def check(command, *arguments):
        printed = run(*arguments).stdout
        values = [json.loads(part) for part in (printed.splitlines() if "jsonl" in arguments else [printed])]
        for value in values:
            assert errors_of(value, schema_of(command)) == []
        return values

    return check


def test_that_texts_and_fingerprints_are_described(described):
    assert len(described("extract", "extract", ".", "--to", "jsonl")) == 4
    for more in (["bridge.txt"], ["."], [".", "--no-text"]):
        described("extract", "extract", *more, "--to", "json")
    for more in ([], ["--levels"]):
        described("fingerprint", "fingerprint", "bridge.txt", "bus.html", *more, "--to", "json")


def test_that_all_outputs_of_the_library_are_described(described, run):
    place = ("--library", "past.sqlite")
    run("library", "add", "bridge.txt", "bus.html", *place, "--tag", "year=2024")
    described("library", "library", "search", "reworded.docx", "broken.docx", *place, "--to", "json")
    (checked,) = described("check", "check", "bridge.txt", "bus.html", *place, "--to", "json")
    assert len(checked["library_own"]) == 2
    described("check", "check", "reworded.docx", "bus.html", *place, "--to", "json")
    for command in (
        "list",
        "stats",
        "check",
        "tag 1 --set class=3",
        "retain 1 --until 2030-01-01",
        "remove 1",
    ):
        described("library", "library", *command.split(), *place, "--to", "json")
