"""--user-words in the commands that prepare texts, and the words in the session that they write."""

import json

import pytest

from simcompare.model.errors import DamagedSessionError
from simcompare.session.session_file import read_session
from tests.session.session_files import member, rewritten

PAIR = ("bridge.txt", "reworded.docx")
OPTION = ("--user-words", "words.txt")


@pytest.fixture
def words(essays):
    path = essays / "words.txt"
    path.write_text("老人們 n\n脚步磨得 9\nC语言\n", encoding="utf-8")
    return path


def test_that_own_words_are_used_and_named(words, run):
    [recipe] = {line.split()[1] for line in run("fingerprint", *PAIR, *OPTION).stdout.splitlines()}
    plain, value = (json.loads(run("compare", *PAIR, "--to", "json", *more).stdout) for more in ((), OPTION))
    used = value["settings"].pop("user_words")
    assert used == {"file": "words.txt", "count": 2, "digest": recipe.rpartition("-")[2]}
    assert value["settings"] == plain["settings"]
    assert recipe == f"improved/background-1+words-{used['digest']}"
    assert {side["fingerprint"]["recipe"] for side in value["documents"].values()} == {recipe}
    assert value["documents"]["left"]["word_count"] < plain["documents"]["left"]["word_count"]
    shown = run("compare", *PAIR, *OPTION, "--anonymous").stdout
    assert "synonym groups); own words: 2 Chinese words of words.txt" in shown


def test_that_a_bad_line_and_an_overwritten_list_are_refused(words, run):
    result = run("compare", *PAIR, *OPTION, "--output", "words.txt")
    assert (result.exit_code, "it is one of the files to read" in result.stderr) == (2, True)
    words.write_text("石桥\n石桥 n 3\n", encoding="utf-8")
    result = run("check", *PAIR, *OPTION)
    assert result.exit_code != 0
    assert "words.txt, line 2: there must be a word" in result.stderr


def test_that_annotate_takes_own_words_and_a_batch_does_not_mix_them(words, run):
    (words.parent / "pairs").write_text("\t".join(PAIR), encoding="utf-8")
    batch = ("batch", "pairs", ".", ".", "--to", "jsonl", "--output", "out.jsonl")
    assert "0 finished before" in run(*batch, *OPTION).stdout
    assert "1 finished before" in run(*batch, *OPTION).stdout
    assert "0 finished before" in run(*batch).stdout
    assert run("annotate", *PAIR, *OPTION, "--side", "right", "--output-dir", "copies").exit_code == 0


def test_that_a_session_keeps_the_words_and_hostile_ones_are_refused(words, run):
    place = words.with_name("class.simcompare")
    checked = run("check", *PAIR, *OPTION, "--session", place.name, "--to", "json")
    words.unlink()
    report = ("report", place.name, "--to", "json", "--pair", *PAIR, "--output", "a.json")
    assert (checked.exit_code, run(*report).exit_code) == (0, 0)
    value = json.loads((words.parent / "a.json").read_text(encoding="utf-8"))
    digest = read_session(place).settings.user_words.digest
    assert value["documents"]["left"]["fingerprint"]["recipe"] == f"improved/background-1+words-{digest}"
    main = member(place, "session.json")
    main["settings"]["user_words"]["text"] = "石桥\n" * 20_000
    rewritten(place, {"session.json": json.dumps(main).encode()})
    with pytest.raises(DamagedSessionError):
        read_session(place)
