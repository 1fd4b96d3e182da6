"""Mistakes that two essays share, in the text and the JSON of a check and of a comparison."""

import json

from tests.helpers.documents import own_texts


def test_that_check_and_compare_name_what_two_essays_misspell(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class").mkdir()
    for number, text in enumerate(own_texts("zh")[:5]):
        wrong = "我们因该记得这件事情。" if number in {1, 3} else "我们应该记得这件事情。"
        (tmp_path / "class" / f"{number}.txt").write_text(f"{text}\n{wrong}", encoding="utf-8")
    assert "misspellings or unusual references in common" in run("check", "class").stdout
    found = json.loads(run("check", "class", "--to", "json").stdout)["shared_mistakes"]
    assert [(each["documents"], each["written"], each["expected"]) for each in found] == [
        (["1.txt", "3.txt"], "因该", "应该")
    ]
    assert run("check", "class", "--to", "html", "--output", "class.html").exit_code == 0
    page = (tmp_path / "class.html").read_text("utf-8")
    assert "Essays with shared mistakes" in page
    assert "“因该”" in page
    (alone,) = json.loads(run("compare", "class/1.txt", "class/3.txt", "--to", "json").stdout)[
        "shared_mistakes"
    ]
    assert (alone["kind"], alone["written"], alone["expected"]) == ("spelling", "因该", "应该")
