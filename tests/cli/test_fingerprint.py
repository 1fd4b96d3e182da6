"""`simcompare fingerprint` and `simcompare extract`."""

import json


def test_that_a_damaged_file_does_not_stop_the_others(essays, run):
    result = run("fingerprint", "bridge.txt", "broken.docx", "bus.html")
    assert result.exit_code == 1
    assert [line.split("  ")[2] for line in result.stdout.splitlines()] == ["bridge.txt", "bus.html"]
    (line,) = result.stderr.splitlines()
    assert line.startswith("broken.docx is damaged")


def test_that_json_gives_bits_and_digits_in_the_order_of_the_files(essays, run):
    files = ["reworded.docx", "bridge.txt", "reworded.docx"]
    result = run("fingerprint", *files, "--to", "json", "--recipe", "md5-32")
    assert result.exit_code == 0
    value = json.loads(result.stdout)
    assert [entry["path"] for entry in value] == files
    assert list(value[1]) == ["path", "recipe", "bits", "hex"]
    assert int(value[1]["bits"], 2) == int(value[1]["hex"], 16)
    assert len(value[1]["bits"]) == 32


def test_that_fingerprints_are_written_to_a_file(essays, run):
    result = run("fingerprint", "bridge.txt", "--to", "json", "--output", "bits.json")
    assert (result.exit_code, result.stdout) == (0, "")
    assert json.loads((essays / "bits.json").read_bytes())[0]["recipe"].startswith("improved/")


def test_that_levels_print_each_paragraph_and_sentence_below_its_document(tmp_path, run):
    path = tmp_path / "river.txt"
    path.write_text("我的家乡有一条小河。\n\n———\n\n河水变脏了。我的家乡有一条小河。\n", encoding="utf-8")
    result = run("fingerprint", str(path), "--levels", "--recipe", "levels")
    document, *lines = [line.split("  ", 1) for line in result.stdout.splitlines()]
    assert document[1] == f"levels/background-1  {path}"
    parts = {rest.split()[0]: (bits, rest.split()[1]) for bits, rest in lines}
    # the second paragraph has no words
    assert list(parts) == ["1", "1.1", "3", "3.1", "3.2"]
    assert parts["3.2"] == parts["1.1"] == parts["1"]
    assert parts["3.1"][1] == "河水变脏了。"
    value = json.loads(run("fingerprint", str(path), "--levels", "--recipe", "levels", "--to", "json").stdout)
    listed = value[0]["parts"]
    assert [part["level"][0] for part in listed] == ["p", "s", "p", "p", "s", "s"]
    assert (listed[2]["text"], listed[2]["bits"], listed[2]["hex"]) == ("———", None, None)
    assert int(listed[5]["bits"], 2) == int(parts["3.2"][0], 16)


def test_that_an_unknown_recipe_is_wrong_use(essays, run):
    result = run("fingerprint", "bridge.txt", "--recipe", "sha")
    assert result.exit_code == 2
    assert "improved, traditional, md5-32" in result.stderr


def test_that_the_text_of_a_word_file_is_printed(essays, run):
    result = run("extract", "reworded.docx")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "石桥记"


def test_that_json_has_blocks_and_receipt(essays, run):
    value = json.loads(run("extract", "bus.html", "--to", "json").stdout)
    assert list(value) == ["path", "state", "title", "text", "blocks", "receipt"]
    assert list(value["blocks"][0]) == ["kind", "start", "end", "anchor"]
    assert list(value["blocks"][0]["anchor"]) == ["paragraph", "page"]
    assert value["receipt"]["format"] == "html"


def test_that_a_file_that_cannot_be_extracted_has_an_error(essays, run):
    result = run("extract", "broken.docx")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("broken.docx is damaged")
