"""Outputs of the command line, byte for byte, for the samples and a small class."""

import re
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from simcompare.cli.main import app
from simcompare.session.decisions import Decision, NotedDecision, PairReview
from simcompare.session.session_file import read_session, write_session
from simcompare.support.i18n import set_language
from tests.cli.conftest import made_command
from tests.helpers.golden import check_golden

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
PAIRS = {
    "zh": ("家乡的石桥.docx", "心中的桥.html"),
    "en": ("The last bus.docx", "Waiting for the last bus.pdf"),
}
CLASSES = {"zh": "示例班级", "en": "Sample class"}
pytestmark = pytest.mark.skipif(
    not hasattr(time, "tzset"), reason="outputs have local times, and Windows has no TZ to fix the zone"
)
LANGUAGES = pytest.mark.parametrize("language", ["zh", "en"])


@pytest.fixture
def samples(tmp_path, monkeypatch):
    """Working folder that is a copy of the samples; the time is fixed."""
    folder = tmp_path / "samples"
    shutil.copytree(SAMPLES, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield folder
    monkeypatch.delenv("TZ")
    time.tzset()


@pytest.fixture
def output(run, samples):
    """Run a command; return each file that it writes, and what this and earlier ones printed."""
    said: list[str] = []

    def outputs(name, *arguments):
        before = {path for path in samples.rglob("*") if path.is_file()}
        result = run(*arguments)
        printed = re.sub(r"[\d.]+ (seconds|秒)", r"N \1", result.stdout + result.stderr)
        said[:] = [*said, f"=== {name}: exit status {result.exit_code}\n{printed}"]
        written = sorted({path for path in samples.rglob("*") if path.is_file()} - before)
        files = {"-".join(path.relative_to(samples).parts): path.read_bytes() for path in written}
        return {"printed": "\n".join(said)} | files

    return outputs


@LANGUAGES
def test_a_pair(output, language):
    pair, made = PAIRS[language], {}
    for form in ("text", "json", "html", "pdf", "docx", "matches-csv", "matrix-csv"):
        suffix = form if form in {"json", "html", "pdf", "docx"} else "txt"
        arguments = ("--to", form, "--output", f"{form}.{suffix}", "--language", language)
        made |= output(form, "compare", *pair, *arguments)
    made |= output("annotate", "annotate", *pair, "--output-dir", "copies", "--language", language)
    made |= output("fingerprint", "fingerprint", *pair, "--language", language)
    made |= output("extract", "extract", *pair, "--language", language)
    check_golden(f"pair-{language}", made)


@LANGUAGES
def test_a_class(output, language):
    folder, made = CLASSES[language], {}
    for form in ("text", "json", "csv", "xlsx", "html", "pdf"):
        place = f"class.{form.replace('text', 'txt')}"
        made |= output(form, "check", folder, "--to", form, "--output", place, "--language", language)
    made |= output("session", "check", folder, "--session", "class.simcompare", "--language", language)
    check_golden(f"class-{language}", made)


@LANGUAGES
def test_a_session_with_decisions(output, language, samples):
    output("session", "check", CLASSES[language], "--session", "class.simcompare")
    session, made = read_session(samples / "class.simcompare"), {}
    decided = {
        (0, 1): PairReview(NotedDecision(Decision.COPIED, "see page 2\n“both”")),
        (2, 3): PairReview(NotedDecision(Decision.FINE)),
    }
    write_session(replace(session, reviews=decided), samples / "class.simcompare")
    for form in ("csv", "xlsx"):
        places = ("--output", f"pairs.{form}")
        made |= output(form, "report", "class.simcompare", "--to", form, *places, "--language", language)
    for form in ("json", "html", "pdf", "docx"):
        places = ("--top", "2", "--output", f"reports-{form}.zip")
        made |= output(form, "report", "class.simcompare", "--to", form, *places, "--language", language)
    check_golden(f"session-{language}", made)


def test_an_anonymous_class(output, samples, monkeypatch):
    monkeypatch.setattr("simcompare.pseudonyms.pseudonyms.secrets.token_hex", lambda size: "5a" * size)
    made, hidden = {}, ("--anonymous", "--language", "zh")
    for form in ("text", "json", "xlsx"):
        made |= output(form, "check", CLASSES["zh"], "--to", form, "--output", f"class.{form}", *hidden)
    made |= output("zip", "check", CLASSES["zh"], "--to", "html", "--output", "class.zip", *hidden)
    check_golden("anonymous", made)


def test_a_library(output, samples):
    place, made = ("--library", "past.sqlite"), {}
    essay = f"{CLASSES['zh']}/2026701-陈晓雨-作文.txt"
    made |= output("add", "library", "add", CLASSES["zh"], *place, "--tag", "year=2025")
    made.pop("past.sqlite")
    for form in ("text", "json"):
        made |= output(f"search-{form}", "library", "search", essay, *place, "--no-meaning", "--to", form)
        made |= output(f"list-{form}", "library", "list", *place, "--to", form)
    sentence = ("--sentence", "我接过伞，发现伞柄还是干的，而妈妈的手冰凉冰凉的。")
    made |= output("sentence", "library", "search", *sentence, *place)
    made |= output("with-library", "check", CLASSES["zh"], *place, "--no-meaning", "--to", "json")
    made |= output("stats", "library", "stats", *place)
    made |= output("remove", "library", "remove", "1", *place)
    check_golden("library", made)


def test_the_help_of_every_command(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("SIMCOMPARE_CONFIG", "config.toml")

    def pages(command, *words):
        yield f"=== simcompare {' '.join(words)}\n{run(*words, '--help').output}"
        for name, own in getattr(command, "commands", {}).items():
            yield from pages(own, *words, name)

    made = {}
    for language in ("en", "zh"):
        set_language(language)
        made[language] = "".join(pages(made_command(app)))
    check_golden("help", made)
