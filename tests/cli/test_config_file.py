"""Defaults of options in the user's config.toml, what is logged, and what help pages say of both."""

import json
import re

import pytest
from typer.testing import CliRunner

from simcompare.cli.config_file import config_path
from simcompare.cli.help_pages import EXAMPLES
from simcompare.cli.main import app
from tests.cli.conftest import made_command
from tests.report.essays import QUOTING

QUOTATIONS = ("compare", "bridge.txt", "quoting.txt", "--to", "json")


@pytest.fixture
def config(essays):
    """Write the file of defaults."""
    (essays / "quoting.txt").write_text(QUOTING, encoding="utf-8")

    def write(text):
        config_path().parent.mkdir(parents=True, exist_ok=True)
        config_path().write_text(text, encoding="utf-8")

    return write


def settings_of(result):
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["settings"]


def test_that_the_file_gives_defaults_and_the_command_line_counts_more(config, run):
    config("[compare]\nkeep-quotations = true\nminimum-units = 9\n[check]\nabove = 50")
    settings = settings_of(run(*QUOTATIONS, "--minimum-units", "4"))
    assert (settings["exclude_quotations"], settings["minimum_units"]) == (False, 4)
    assert settings_of(run(*QUOTATIONS, "--no-config"))["exclude_quotations"]


def test_that_a_key_before_the_sections_is_for_every_command_that_has_the_option(config, run):
    config('language = "zh"\nlevels = true\n')
    assert "不存在" in run("compare", "bridge.txt", "missing.txt").stderr
    assert "parts" in json.loads(run("fingerprint", "bridge.txt", "--to", "json").stdout)[0]
    assert "does not exist" in run("compare", "bridge.txt", "missing.txt", "--language", "en").stderr


def test_that_sections_of_the_library_are_below_it(config, run, essays):
    config(
        f'[library]\nlibrary = {json.dumps(str(essays / "own.sqlite"))}\n[library.add]\ntag = ["year=2024"]\n'
    )
    assert run("library", "add", "bridge.txt").exit_code == 0
    assert "2024" in run("library", "list").stdout


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "[compare]\nkeep-quotation = true\n",
            "“keep-quotation”, which is not an option or command. There can be: .*keep-quotations",
        ),
        ("[compar]\nto = 1\n", "“compar”, which is not an option or command. There can be: .*compare"),
        ("compare = 3\n", r"compare cannot be 3. There can be: \[compare\]"),
        (
            "[compare]\nkeep-quotations = 'yes'\n",
            "keep-quotations cannot be 'yes'. There can be: true, false",
        ),
        (
            "[compare]\nlog-level = 'loud'\n",
            "log-level cannot be 'loud'. There can be: debug, info, warning, error",
        ),
        ("[compare]\nthreads = 0\n", "threads cannot be '0'. There can be: what --help says of it"),
        ("[compare]\nno-config = true\n", "“no-config”, which is not an option"),
        ("[compare\n", "cannot be read: .*--no-config leaves it out"),
    ],
)
def test_that_what_is_wrong_in_the_file_is_named_in_one_sentence(config, run, text, named):
    config(text)
    result = run(*QUOTATIONS)
    assert (result.exit_code, len(result.stderr.splitlines())) == (2, 1)
    assert str(config_path()) in result.stderr
    assert re.search(named, result.stderr)
    assert run("compare", "-h").exit_code == 0


def test_that_a_value_that_the_command_refuses_is_traced_to_the_file(config, run):
    config("[compare]\npreset = 'strict'\n")
    result = run(*QUOTATIONS)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[1] == (
        f"{config_path()} gives defaults for this command: preset. --no-config leaves it out."
    )


def test_that_each_file_is_logged_with_its_time_and_without_its_text(essays, run):
    logged = run("compare", "bridge.txt", "reworded.docx", "--log-level", "debug").stderr
    assert re.search(r"DEBUG .*bridge.txt: read, [\d.]+ s of processor time", logged)
    assert "家乡" not in logged
    assert run("compare", "bridge.txt", "reworded.docx").stderr == ""


def leaves(command, *words):
    for name, own in getattr(command, "commands", {}).items():
        yield " ".join((*words, name)), own
        yield from leaves(own, *words, name)


COMMANDS = dict(leaves(made_command(app)))


@pytest.mark.parametrize("name", COMMANDS)
def test_that_every_command_has_examples_that_it_understands(name):
    assert 1 <= len(EXAMPLES[name]) <= 3
    for line, _words in EXAMPLES[name]:
        words = re.findall(r'"[^"]+"|\S+', re.split(r" [|>] ", line)[0])
        prefix = name.split()
        assert words[: len(prefix)] == prefix
        if not hasattr(COMMANDS[name], "commands"):
            context = COMMANDS[name].make_context(name, words[len(prefix) :], resilient_parsing=True)
            assert not context.args


def test_that_the_program_says_its_exit_statuses_and_its_file_of_defaults(run, monkeypatch):
    monkeypatch.setenv("SIMCOMPARE_CONFIG", "defaults.toml")
    page = run("-h").stdout
    assert "130" in page
    assert "defaults.toml" in page
    assert run("-V").stdout == run("--version").stdout


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("simcompare ex", "extract"),
        ("simcompare compare --keep-q", "--keep-quotations"),
        ("simcompare compare a b --preset s", "sensitive"),
        ("simcompare check class --to h", "html"),
    ],
)
def test_that_a_shell_completes_commands_options_and_values(monkeypatch, words, completed):
    monkeypatch.setenv("_SIMCOMPARE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    assert CliRunner().invoke(app, prog_name="simcompare").stdout.split() == [completed]
