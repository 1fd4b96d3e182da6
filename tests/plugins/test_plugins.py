"""Plug-ins: those of another package read, report and find passages; a broken one stops nothing."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.helpers.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = Path(__file__).parent / "example"
MODULE = EXAMPLE / "simcompare_subtitles.py"
SUBTITLES = """\
1
00:00:01,000 --> 00:00:04,000
On the evening of my birthday
I missed the last bus home.

2
00:00:05,000 --> 00:00:09,000
From 1998 to 2004 the village lost 312 of its 540 houses to the lake.
"""
REWRITTEN = "It was raining hard.\n\nOf 540 homes, 312 were under water by 2004, six years after 1998.\n"


def install(folder, module, project=EXAMPLE / "pyproject.toml"):
    """Put the module of a package and its entry points into a folder, as pip does."""
    about = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    info = folder / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"
    info.mkdir()
    groups = "".join(
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in points.items())
        for group, points in about["entry-points"].items()
    )
    (info / "entry_points.txt").write_text(groups, encoding="utf-8")
    metadata = f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    (folder / MODULE.name).write_text(module, encoding="utf-8")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the program with the packages of the folder `packages`."""
    (tmp_path / "packages").mkdir()
    (tmp_path / "film.srt").write_text(SUBTITLES, encoding="utf-8")
    (tmp_path / "essay.txt").write_text(REWRITTEN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    path = os.pathsep.join([str(ROOT), str(tmp_path / "packages")])

    def call(*arguments):
        command = [sys.executable, "-m", "simcompare", *arguments, "--language", "en"]
        environment = {**os.environ, "PYTHONPATH": path}
        return subprocess.run(
            command, env=environment, capture_output=True, encoding="utf-8", timeout=PATIENCE_S, check=False
        )

    return call


def test_that_plug_ins_read_report_and_find_passages_in_all_processes(run, tmp_path):
    install(tmp_path / "packages", MODULE.read_text(encoding="utf-8"))
    extracted = run("extract", "film.srt", "--to", "json")
    document = json.loads(extracted.stdout)
    assert document["text"].startswith("On the evening of my birthday I missed the last bus home.\n")
    assert "00:00" not in document["text"]
    assert document["receipt"]["reader"] == "subtitles (simcompare-subtitles 1.0)"
    report = run("compare", "film.srt", "essay.txt", "--to", "markdown")
    assert report.stdout.startswith("# film.srt – essay.txt\n\n1. meaning: From 1998 to 2004")
    assert (report.returncode, report.stderr) == (0, "")
    checked = run("check", "film.srt", "essay.txt", "--to", "json")
    assert {each["name"] for each in json.loads(checked.stdout)["documents"]} == {"film.srt", "essay.txt"}


def test_that_without_plug_ins_a_file_is_read_as_before(run):
    assert "00:00" in run("extract", "film.srt").stdout
    assert "Choose one of: text, html" in run("compare", "film.srt", "essay.txt", "--to", "markdown").stderr


def test_that_plug_ins_that_cannot_be_loaded_are_named_once_and_the_rest_goes_on(run, tmp_path):
    install(tmp_path / "packages", "import no_such_module\n")
    result = run("extract", "film.srt", "essay.txt")
    assert (result.returncode, "00:00" in result.stdout) == (0, True)
    named = [line for line in result.stderr.splitlines() if "plug-in" in line]
    assert sorted(
        re.findall(r"The plug-in (\w+) of simcompare-subtitles 1.0 is left out", result.stderr)
    ) == [
        "markdown",
        "numbers",
        "srt",
    ]
    assert len(named) == 3
    assert "No module named 'no_such_module'" in named[0]


def test_that_plug_ins_that_fail_are_named_and_the_rest_goes_on(run, tmp_path):
    failing = """
def fail(*_arguments):
    raise ValueError("oh")

read_srt = write_markdown = same_numbers = fail
"""
    install(tmp_path / "packages", failing)
    result = run("extract", "film.srt", "essay.txt")
    assert result.returncode == 1
    assert "film.srt cannot be read by the plug-in simcompare-subtitles 1.0: ValueError: oh." in result.stderr
    assert "It was raining hard." in result.stdout
    Path("other.txt").write_text("Of 540 homes, 312 were lost.\nWe walked home.", encoding="utf-8")
    result = run("compare", "essay.txt", "other.txt")
    assert result.returncode == 0
    assert result.stderr.splitlines() == [
        "The plug-in numbers of simcompare-subtitles 1.0 is left out, as it failed: ValueError: oh"
    ]
    result = run("compare", "essay.txt", "other.txt", "--to", "markdown")
    assert result.returncode == 2
    assert "The plug-in simcompare-subtitles 1.0 cannot write markdown: ValueError: oh." in result.stderr


def test_that_the_page_on_plug_ins_shows_the_example():
    page = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    shown = re.findall(r"```(?:toml|python)\n(.*?)```", page, re.DOTALL)
    assert shown == [
        (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"),
        MODULE.read_text(encoding="utf-8"),
    ]
