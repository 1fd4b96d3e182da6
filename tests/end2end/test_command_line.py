"""Command line on the sample essays."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from simcompare.cli.main import app

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
BASE = SAMPLES / "家乡的石桥.docx"
SAME_ESSAY = [BASE, *(SAMPLES / "same-essay" / f"家乡的石桥.{suffix}" for suffix in ("pdf", "html", "txt"))]


def simcompare(*arguments: str | Path) -> Result:
    """Run the command line in this process; tests/cli/test_main.py runs it as a program."""
    return CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)


def comparison_of(left: Path, right: Path) -> dict[str, object]:
    done = simcompare("compare", left, right, "--to", "json")
    assert done.exit_code == 0, done.stderr
    assert done.stderr == ""
    result = json.loads(done.stdout)
    assert isinstance(result, dict)
    return result


def shares(result: dict[str, object], name: str = "share") -> list[float]:
    """Share of each text, without exclusions."""
    return [way["raw"] for way in result[name].values()]


@pytest.mark.parametrize("other", SAME_ESSAY, ids=lambda path: path.suffix)
def test_that_one_essay_in_several_formats_is_99_percent_similar(other: Path) -> None:
    result = comparison_of(BASE, other)
    assert min(shares(result)) >= 0.99
    assert result["hamming_distance_bits"] <= 1


def test_that_a_document_is_100_percent_similar_to_itself_in_both_directions() -> None:
    result = comparison_of(BASE, BASE)
    assert shares(result) == [1.0, 1.0]
    assert result["hamming_distance_bits"] == 0


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("石桥记.pdf", 0.85, 1.0),
        ("心中的桥.html", 0.5, 0.8),
        ("桥的故事.docx", 0.4, 0.7),
        ("秋天的路.pdf", 0.0, 0.02),
    ],
)
def test_that_the_sentence_share_of_each_sample_is_in_its_intended_range(
    name: str, least: float, most: float
) -> None:
    result = comparison_of(BASE, SAMPLES / name)
    in_sentences = shares(result, "sentence_share")
    assert all(least <= share <= most for share in in_sentences)
    assert all(share <= whole for share, whole in zip(in_sentences, shares(result), strict=True))


def test_that_the_reworded_sample_counts_what_its_passages_have_between_matched_sentences() -> None:
    whole = shares(comparison_of(BASE, SAMPLES / "心中的桥.html"))
    assert all(0.75 <= share <= 0.85 for share in whole)


def test_that_synonyms_are_found_in_the_reworded_sample() -> None:
    matches = comparison_of(BASE, SAMPLES / "心中的桥.html")["matches"]
    reworded = [match for match in matches if match["kind"] == "synonym"]
    assert len(reworded) > 20
    assert all(match["w"] >= 0.55 > match["p"] >= 0.35 for match in reworded)


def test_that_every_kind_of_match_is_found_in_the_reworded_english_sample() -> None:
    result = comparison_of(SAMPLES / "The last bus.docx", SAMPLES / "Waiting for the last bus.pdf")
    assert {match["kind"] for match in result["matches"]} == {"exact", "edited", "synonym"}


def test_that_a_broken_file_among_good_ones_gives_one_line_of_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 and then nothing of use")
    done = simcompare("fingerprint", BASE, broken, SAMPLES / "心中的桥.html", "--to", "json")
    assert done.exit_code == 1
    assert [Path(entry["path"]).name for entry in json.loads(done.stdout)] == [
        "家乡的石桥.docx",
        "心中的桥.html",
    ]
    assert [line for line in done.stderr.splitlines() if line.strip()] == [done.stderr.strip()]
    assert "broken.pdf" in done.stderr


def test_that_the_html_report_loads_no_other_file(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    done = simcompare("compare", BASE, SAMPLES / "石桥记.pdf", "--to", "html", "--output", report)
    assert done.exit_code == 0, done.stderr
    page = report.read_text(encoding="utf-8")
    assert "石桥记.pdf" in page
    assert not [word for word in ('src="http', 'href="http', "url(http", "@import") if word in page]
