"""`simcompare evaluate` on a folder of documents."""

import json
from itertools import pairwise

import pytest
from lxml import etree

from simcompare.report.pair_tables import terminal_width
from simcompare.text.prepared_text import prepare
from tests.helpers.documents import document_of
from tests.report.essays import BRIDGE

METHODS = ["shingle", "traditional", "improved"]
RIVER = "家乡的河\n\n我的家乡有一条小河。春天，河边的柳树发芽了，孩子们在河边放风筝。现在河水变脏了。\n"
BRIDGE_SENTENCES = prepare(document_of(BRIDGE)).sentence_count
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def topics(tmp_path, monkeypatch):
    """Two groups of near-copies, one of them in a nested folder, and an unrelated text."""
    files = {
        "石桥/a.txt": BRIDGE,
        "石桥/b.txt": BRIDGE,
        "river/2020/a.txt": RIVER,
        "river/2021/b.txt": RIVER.replace("现在", "如今"),
        "bus.txt": "The last bus. On the evening of my birthday, I missed the last bus home.",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_that_the_tables_give_precision_recall_and_times(topics, run):
    # temporary and hidden files are not documents
    (topics / "石桥" / "~$a.docx").write_bytes(b"\0")
    (topics / ".git").mkdir()
    (topics / ".git" / "HEAD").write_text("x", encoding="utf-8")
    result = run("evaluate", ".", "--threads", "1,2")
    assert (result.exit_code, result.stderr) == (0, "")
    head, precision, recall, similar, times, matrix = result.stdout.strip().split("\n\n")
    assert head.startswith("5 documents, 2 groups, 1 in no group\n")
    for table in (precision, recall):
        lines = table.splitlines()
        assert lines[0].split()[1:] == METHODS
        assert [line.split()[0] for line in lines[1:]] == ["river", "石桥", "all"]
        assert len(set(map(terminal_width, lines))) == 1
    assert recall.splitlines()[2].split() == ["石桥", "1.000", "1.000", "1.000"]
    rows = [line.split() for line in similar.splitlines()]
    assert similar.splitlines()[0].split("   ")[0] == "Texts similar to another one"
    assert [row[0] + "".join(row[2:]) for row in rows[1:]] == ["2000", "3000", "4222", "5444"]
    assert [line.split()[0] for line in times.splitlines()[1:]] == ["2", "3", "4", "5", "of"]
    assert matrix.splitlines()[0].endswith("1 thread   2 threads")


def test_that_a_damaged_file_has_an_error_and_the_others_are_evaluated(topics, run):
    (topics / "river" / "broken.docx").write_bytes(b"PK\x03\x04 no more")
    result = run("evaluate", ".", "--to", "json", "--recipes", "improved", "--output", "result.json")
    assert (result.exit_code, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("broken.docx ")
    value = json.loads((topics / "result.json").read_bytes())
    assert (value["documents"], value["ungrouped"], value["groups"]) == (5, 1, {"river": 2, "石桥": 2})
    assert [retrieval["documents"] for retrieval in value["retrievals"]] == [2, 3, 4, 5]
    whole = value["retrievals"][-1]
    assert whole["signature"].startswith("improved/background")
    assert whole["groups"]["石桥"] == {
        "retrieved": 2, "correct": 2, "relevant": 2, "precision": 1.0, "recall": 1.0,
    }  # fmt: skip
    assert value["similar_texts"][-1] == {
        "documents": 5, "retrieved": 4, "correct": 4, "relevant": 4, "precision": 1.0, "recall": 1.0,
    }  # fmt: skip
    assert list(value["matrices"][0]["seconds"]) == ["1", "2", "4", "8"]


def test_that_the_figures_are_drawn(topics, run):
    names = "improved/collection,levels,shingle,levels"
    result = run("evaluate", ".", "--recipes", names, "--threads", "2,1", "--plot", "figures.svg")
    assert result.exit_code == 0
    svg = etree.parse(topics / "figures.svg").getroot()
    panels = svg.findall(f"{SVG}g")
    assert len(panels) == 4
    words = [[text.text for text in panel.findall(f"{SVG}text")] for panel in panels]
    methods = ["improved/collection", "levels", "shingle"]
    assert [panel_words[0] for panel_words in words[:2]] == ["Precision", "Recall"]
    for panel_words in words[:3]:
        assert panel_words[1:4] == methods
    # a bar for each method in each group and for all, if there are hits
    titles = [title.text for title in panels[1].iter(f"{SVG}title")]
    assert "shingle, 石桥: 1" in titles
    assert len(titles) == 3 * len(methods)
    assert [len(line.findall(f"{SVG}circle")) for line in panels[2:]] == [4 * len(methods), 2 * 2]
    for dots in panels[2:]:
        heights = {dot.get("cy") for dot in dots.findall(f"{SVG}circle")}
        assert len(heights) > 1


def test_that_k_and_resemblance_change_the_number_of_hits(topics, run):
    arguments = ["evaluate", ".", "--to", "json", "--recipes", "shingle,improved", "--threads", "1"]
    value = json.loads(run(*arguments, "--k", "64", "--resemblance", "0").stdout)
    assert (value["distance_bits"], value["lowest_resemblance"]) == (64, 0)
    for retrieval in value["retrievals"]:
        found = retrieval["documents"] * (retrieval["documents"] - 1)
        assert retrieval["overall"]["retrieved"] == found


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--recipes", "sha"], "There is no fingerprint recipe called sha."),
        (["--recipes", "traditional/collection"], "There is no fingerprint recipe called traditional/coll"),
        (["--threads", "1,two"], "--threads cannot be 1,two."),
        (["--threads", "0"], "--threads cannot be 0."),
        (["--plot", "missing/p.svg"], "missing/p.svg cannot be written"),
        (["--plot", "bus.txt"], "bus.txt cannot be written: it is one of the files to read"),
        (["--plot", "x", "--output", "x"], "x cannot be written: the tables go there"),
    ],
)
def test_that_wrong_use_is_refused_before_files_are_read(topics, run, arguments, message):
    result = run("evaluate", ".", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(message)


@pytest.mark.parametrize("folder", ["missing", "bus.txt", "2020"])
def test_that_a_folder_without_groups_is_refused(topics, run, folder):
    (topics / "2020").mkdir()
    result = run("evaluate", folder)
    assert (result.exit_code, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"{folder} ")


def test_that_only_text_tables_omit_small_groups(topics, run):
    for number in range(20):
        (topics / f"g{number:02}").mkdir()
        (topics / f"g{number:02}" / "a.txt").write_text(f"{RIVER}{number}", encoding="utf-8")
    arguments = ["evaluate", ".", "--recipes", "traditional", "--threads", "1"]
    result = run(*arguments)
    assert "10 smaller groups are left out here" in result.stdout
    precision = result.stdout.split("\n\n")[1].splitlines()
    assert len(precision) == 1 + 12 + 1
    assert {"river", "石桥"} <= {line.split()[0] for line in precision}
    value = json.loads(run(*arguments, "--to", "json").stdout)
    assert len(value["retrievals"][-1]["groups"]) == 22


def test_that_matrices_grow_up_to_the_whole_text(topics, run):
    for number in range(12):
        (topics / "river" / f"{number}.txt").write_text(RIVER * (number + 1), encoding="utf-8")
    value = json.loads(run("evaluate", ".", "--to", "json", "--threads", "1").stdout)
    sizes = [(matrix["left_sentences"], matrix["right_sentences"]) for matrix in value["matrices"]]
    assert len(sizes) == 3
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(sizes))
    # every text is on one side: the bridge twice, the bus, and all rivers
    rivers = 4 * (sum(range(1, 13)) + 2)
    assert sum(sizes[-1]) == rivers + 2 * BRIDGE_SENTENCES + 2
