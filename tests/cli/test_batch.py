"""`simcompare batch`: results of many pairs, failed files, and resuming an interrupted run."""

import json
import os
import xml.etree.ElementTree as ET
from itertools import product
from pathlib import Path

import docx
import pytest

from simcompare.comparison.passages.passage_columns import Passage, Passages
from simcompare.evaluation import batch_run, batch_worker
from simcompare.evaluation.batch_worker import BatchPair, compare_pairs
from simcompare.loading import load_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.model.document import Span
from tests.benchmarks.detection import load_scorer
from tests.comparison.test_summaries import FILLER, SUMMARY, TOLD
from tests.helpers.documents import SHARED
from tests.helpers.passages import GARDEN, LIGHTHOUSE, TRAFFIC, english
from tests.report.essays import BRIDGE, put_chinese_catalogue

STORY = (
    "The keeper climbed the hundred and twelve steps of the lighthouse every evening before the storm. "
    "He trimmed the wick, polished the brass and wrote the hour of the lighting into a heavy ledger. "
    "When the fishing boats returned from the northern banks, their lanterns answered his beam in turn. "
)
HARVEST = (
    "秋天的果园里弥漫着苹果的香味，爷爷背着竹筐走在最前面，小黄狗跟在他的脚后。"
    "我们踩着梯子把熟透的果子一个一个摘下来，轻轻放进铺着稻草的木箱里。"
    "傍晚的时候，拖拉机把装满的箱子运到镇上的合作社，大家坐在田埂上喝着热茶。"
)
AROUND = "Nothing in this paragraph has to do with the sea, as it is about the prices of tea.\r\n\r\n"


@pytest.fixture(scope="module")
def processes_kept_between_tests():
    """Keep no processes: those of a batch have the texts they have read in memory."""


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """Folders left and right, and a list of four pairs: a copy, a Chinese copy, a Word file, an unrelated
    text.
    """
    for name in ("left", "right"):
        (tmp_path / name).mkdir()
    texts = {
        "left/a.txt": AROUND + STORY,
        "left/秋.txt": f"题记\n\n{HARVEST}",
        "left/none.txt": BRIDGE,
        "right/b.txt": f"{STORY}\r\nThat is all.",
        "right/果园.txt": f"{BRIDGE}\n{HARVEST}\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    document = docx.Document()
    for line in ("On lighthouses", STORY.strip()):
        document.add_paragraph(line)
    document.save(str(tmp_path / "right/story.docx"))
    put_pairs(tmp_path, "a.txt b.txt", "秋.txt\t果园.txt", "a.txt   story.docx", "none.txt b.txt")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put_pairs(folder, *lines):
    (folder / "pairs").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def batch(run):
    return lambda *more, to="pan", output="out": run(
        "batch", "pairs", "left", "right", "--to", to, "--output", output, *more
    )


def names_in(folder):
    return sorted(path.name for path in Path(folder).iterdir())


def features(path):
    keys = ("this_offset", "this_length", "source_offset", "source_length")
    return [tuple(int(feature.get(key)) for key in keys) for feature in ET.parse(path).getroot()]


def lines_of(path):
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def test_that_every_pair_gets_a_detection_file_with_offsets_into_the_decoded_file(corpus, batch):
    result = batch()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("4 pairs: 3 with passages, 0 failed, 0 finished before; ")
    assert names_in("out") == ["a-b.xml", "a-story.xml", "none-b.xml", "秋-果园.xml"]
    story = len(STORY.strip())
    assert features("out/a-b.xml") == [(len(AROUND), story, 0, story)]
    assert features("out/秋-果园.xml") == [(4, len(HARVEST), len(BRIDGE) + 1, len(HARVEST))]
    assert features("out/none-b.xml") == []


def test_that_detection_files_have_the_format_of_pan_scorers(corpus, batch):
    batch()
    root = ET.parse("out/秋-果园.xml").getroot()
    assert (root.tag, root.get("reference")) == ("document", "秋.txt")
    (feature,) = root
    assert (feature.tag, feature.get("name")) == ("feature", "detected-plagiarism")
    assert feature.get("source_reference") == "果园.txt"


def test_that_a_passage_inside_a_summary_is_not_detected_a_second_time(corpus, batch):
    copied = english(TRAFFIC[:2])
    summary = english(SUMMARY[:3], [copied], SUMMARY[3:])
    scattered = english(TOLD[:1], FILLER, TOLD[1:3], TRAFFIC, TOLD[3:4], FILLER, TOLD[4:])
    (corpus / "left/a.txt").write_text(english(LIGHTHOUSE, GARDEN, [summary]), encoding="utf-8")
    (corpus / "right/b.txt").write_text(scattered, encoding="utf-8")
    put_pairs(corpus, "a.txt b.txt")
    assert batch().exit_code == 0
    text = (corpus / "left/a.txt").read_text(encoding="utf-8")
    found = [text[start : start + length] for start, length, *_ in features("out/a-b.xml")]
    assert found == [summary]


def test_that_a_copy_that_only_begins_in_a_summary_is_a_detection_of_its_own():
    summary = Passage(Span(100, 200), Span(0, 900), "left")
    inside, beginning = Passage(Span(120, 150), Span(30, 60)), Passage(Span(190, 400), Span(950, 1160))
    found = batch_worker.detections(Passages.of([inside, beginning, summary]))
    assert list(found) == [beginning, summary]

    # the same if the right text has the summary
    summary = Passage(Span(0, 900), Span(100, 200), "right")
    inside, beginning = Passage(inside.right, inside.left), Passage(beginning.right, beginning.left)
    found = batch_worker.detections(Passages.of([summary, inside, beginning]))
    assert list(found) == [summary, beginning]


def test_that_what_words_find_of_a_translation_is_no_detection_of_its_own():
    translated = Passage(Span(100, 200), Span(500, 900), evidence=5.0)
    inside, elsewhere = Passage(Span(120, 150), Span(530, 560)), Passage(Span(160, 190), Span(0, 30))
    found = batch_worker.detections(Passages.of([translated, inside, elsewhere]))
    assert list(found) == [translated, elsewhere]


@pytest.mark.skipif(not (SHARED / "bench").exists(), reason="the development sets are not here")
@pytest.mark.parametrize(("name", "plagdet"), [("pan13-dev", 0.943), ("zh-dev", 0.992)])
def test_that_the_detection_files_score_as_the_readme_says(run, tmp_path, name, plagdet):
    root = SHARED / "bench" / name
    folders = [str(root / part) for part in ("pairs", "susp", "src")]
    run("batch", *folders, "--to", "pan", "--output", str(tmp_path))
    scorer = load_scorer(SHARED / "bench")
    pairs = [(scorer.spans(gold), scorer.spans(tmp_path / gold.name)) for gold in root.glob("*/*.xml")]
    assert round(scorer.plagdet(pairs)[0], 3) == plagdet


def test_that_offsets_into_a_word_file_are_those_of_its_extracted_text(corpus, batch):
    batch()
    ((_, _, start, length),) = features("out/a-story.xml")
    text = load_document(corpus / "right/story.docx").text
    assert Span(start, start + length).of(text) == STORY.strip()


def test_that_json_lines_come_in_the_order_of_the_pairs_with_all_figures(corpus, batch):
    result = batch(to="jsonl", output="out.jsonl")
    assert (result.exit_code, result.stderr) == (0, "")
    values = lines_of("out.jsonl")
    assert [value["right"] for value in values] == ["b.txt", "果园.txt", "story.docx", "b.txt"]
    first, second, _, nothing = values
    assert first["passages"] == [
        {"left": [len(AROUND), len(AROUND + STORY) - 1], "right": [0, len(STORY) - 1]}
    ]
    for share in (second["share"], second["sentence_share"]):
        assert 0.9 < share["left_in_right"]["raw"] <= 1 > share["right_in_left"]["raw"]
    assert 0 <= second["hamming_distance_bits"] <= 64
    assert nothing["passages"] == []
    none = {"raw": 0.0, "after_exclusions": 0.0}
    assert nothing["share"] == nothing["sentence_share"] == {"left_in_right": none, "right_in_left": none}


def test_that_copied_dialogue_counts_as_in_a_comparison_of_the_two_files(corpus, batch, run):
    first, second, third = HARVEST.split("。")[:3]
    told = (
        f"{first}。“那一年的洪水把半个村子都冲走了，我抱着门板在水里漂了一天一夜。”{second}。"
        f"“后来大家凑钱修了这座桥，石头是一块一块从山上背下来的。”{third}。"
    )
    for name in ("left/own.txt", "right/copy.txt"):
        (corpus / name).write_text(f"{told if 'copy' in name else told + BRIDGE}\n", encoding="utf-8")
    put_pairs(corpus, "own.txt copy.txt")
    batch(to="jsonl", output="out.jsonl")
    (value,) = lines_of("out.jsonl")
    compared = json.loads(run("compare", "left/own.txt", "right/copy.txt", "--to", "json").stdout)
    for key, side in product(("share", "sentence_share"), ("left_in_right", "right_in_left")):
        assert value[key][side].items() <= compared[key][side].items()
    assert value["share"]["right_in_left"] == {"raw": 1.0, "after_exclusions": 1.0}


@pytest.mark.parametrize("preset", ["balanced", "paper"])
def test_that_results_do_not_depend_on_the_number_of_workers(corpus, batch, monkeypatch, preset):
    monkeypatch.setattr(batch_run, "_MOST_PAIRS_PER_TASK", 1)
    for workers in ("1", "3"):
        batch("--workers", workers, "--preset", preset, output=f"out{workers}")
        batch("--workers", workers, "--preset", preset, to="jsonl", output=f"{workers}.jsonl")
    for name in names_in("out1"):
        assert Path("out1", name).read_bytes() == Path("out3", name).read_bytes()
    assert Path("1.jsonl").read_bytes() == Path("3.jsonl").read_bytes()
    assert [len(value["passages"]) for value in lines_of("1.jsonl")] == [1, 1, 1, 0]


def test_that_both_forms_have_the_same_passages(corpus, batch):
    batch()
    batch(to="jsonl", output="out.jsonl")
    for value in lines_of("out.jsonl"):
        name = f"{Path(value['left']).stem}-{Path(value['right']).stem}.xml"
        spans = [(*p["left"], *p["right"]) for p in value["passages"]]
        assert features(Path("out", name)) == [(a, b - a, c, d - c) for a, b, c, d in spans]


def test_that_an_unreadable_file_has_one_error_and_fails_only_its_own_pairs(corpus, batch):
    (corpus / "right/b.txt").write_bytes("价格".encode("gb18030"))
    put_pairs(corpus, "a.txt b.txt", "none.txt b.txt", "missing.txt 果园.txt", "秋.txt 果园.txt")
    result = batch()
    assert result.exit_code == 1
    assert result.stdout.startswith("4 pairs: 1 with passages, 3 failed, 0 finished before; ")
    wrong, missing = result.stderr.splitlines()
    assert wrong.startswith("b.txt is damaged (it is not UTF-8 text)")
    assert missing.startswith("missing.txt cannot be opened")
    assert names_in("out") == ["秋-果园.xml"]


def test_that_a_text_without_words_fails(corpus, batch):
    (corpus / "right/b.txt").write_text("— — —")
    assert batch().stderr.startswith("b.txt holds no words")


def test_that_control_characters_do_not_make_a_text_unreadable(corpus, batch):
    (corpus / "right/b.txt").write_text("\0\0\x08" + STORY, encoding="utf-8")
    assert batch().exit_code == 0
    assert features("out/a-b.xml") == [(len(AROUND), len(STORY) - 1, 0, len(STORY) + 2)]


def test_that_utf_16_is_not_read_as_utf_8(corpus, batch):
    (corpus / "right/b.txt").write_bytes(STORY.encode("utf-16-le"))
    assert "it is not UTF-8 text" in batch().stderr


def test_that_a_second_run_keeps_finished_pairs(corpus, batch):
    batch()
    before = {path.name: path.stat().st_mtime_ns for path in Path("out").iterdir()}
    (corpus / "out/a-b.xml").write_text("<document reference='a.txt'><feat")
    result = batch()
    assert result.stdout.startswith("4 pairs: 3 with passages, 0 failed, 3 finished before; ")
    after = {path.name: path.stat().st_mtime_ns for path in Path("out").iterdir()}
    assert [name for name in before if before[name] != after[name]] == ["a-b.xml"]
    assert len(features("out/a-b.xml")) == 1


def test_that_complete_lines_are_kept_and_an_incomplete_last_line_recomputed(corpus, batch):
    batch(to="jsonl", output="out.jsonl")
    whole = Path("out.jsonl").read_bytes()
    first, second, rest = whole.split(b"\n", 2)
    # as after an interruption: in the order of work, the last line incomplete
    Path("out.jsonl").write_bytes(second + b"\n" + first + b"\n" + rest[:40])
    result = batch(to="jsonl", output="out.jsonl")
    assert result.stdout.startswith("4 pairs: 3 with passages, 0 failed, 2 finished before; ")
    assert Path("out.jsonl").read_bytes() == whole


@pytest.mark.parametrize(("to", "output"), [("pan", "out"), ("jsonl", "out.jsonl")])
def test_that_results_of_another_preset_are_recomputed(corpus, batch, to, output):
    batch("--preset", "paper", to=to, output=output)
    assert ", 0 finished before; " in batch(to=to, output=output).stdout
    assert ", 4 finished before; " in batch(to=to, output=output).stdout


@pytest.mark.parametrize(
    ("to", "output", "content"),
    [
        ("pan", "out/a-b.xml", '<document reference="a.txt"/>'),
        ("jsonl", "out/notes", "my notes"),
        ("jsonl", "out/notes", "[1]\n"),
        ("jsonl", "left/a.txt", AROUND),
    ],
)
def test_that_files_of_other_programs_are_not_overwritten(corpus, batch, to, output, content):
    place = corpus / output
    place.parent.mkdir(exist_ok=True)
    place.write_text(content, newline="")
    result = batch(to=to, output=output if to == "jsonl" else "out")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "cannot be written" in result.stderr
    assert place.read_bytes() == content.encode()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a.txt", "pairs, line 2: there must be two file names"),
        ("my essay.txt b.txt", "pairs, line 2: there must be two file names"),
        ("a.txt\tb.txt\tc.txt", "pairs, line 2: there must be two file names"),
        ("\tb.txt", "pairs, line 2: there must be two file names"),
    ],
)
def test_that_the_error_for_an_invalid_line_has_its_number(corpus, batch, line, message):
    put_pairs(corpus, "a.txt b.txt", line)
    result = batch()
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(message)
    assert not Path("out").exists()


def test_that_tabs_separate_names_with_spaces_and_repeated_pairs_count_once(corpus, batch):
    (corpus / "left/a.txt").rename(corpus / "left/my essay & <notes>.txt")
    name = "my essay & <notes>.txt"
    put_pairs(corpus, "", f"{name}\tb.txt\r", f"{name}\tb.txt")
    assert batch().stdout.startswith("1 pairs: 1 with passages")
    root = ET.parse("out/my essay & <notes>-b.xml").getroot()
    assert root.get("reference") == name
    batch(to="jsonl", output="out.jsonl")
    assert [value["left"] for value in lines_of("out.jsonl")] == [name]


def test_that_pairs_with_the_same_result_file_are_refused(corpus, batch):
    put_pairs(corpus, "a.txt b.txt", "a.docx b.txt")
    result = batch()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(
        "The results of a.txt, b.txt and of a.docx, b.txt would both be called a-b"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\n \n", "pairs is empty"),
        ("甲.txt 乙.txt".encode("gb18030"), "pairs is damaged (it is not UTF-8 text)"),
    ],
)
def test_that_an_unusable_list_has_an_error(corpus, batch, content, message):
    (corpus / "pairs").write_bytes(content)
    assert batch().stderr.startswith(message)
    (corpus / "pairs").unlink()
    assert batch().stderr.startswith("pairs cannot be opened")


def test_that_a_missing_folder_has_one_error(corpus, run):
    result = run("batch", "pairs", "nowhere", "right", "--to", "pan", "--output", "out")
    assert result.exit_code == 1
    assert result.stderr.startswith("nowhere cannot be opened")
    assert len(result.stderr.splitlines()) == 1


def _work_or_die(first, pairs, plan):
    # a crash in a C library
    if any("deadly" in pair.right for pair in pairs):
        os._exit(3)
    return compare_pairs(first, pairs, plan)


def _compare_one(first, pairs, plan):
    return compare_pairs(first, pairs[:1], plan)


def _check_or_die(path, settings, options):
    if "deadly" in path.name:
        os._exit(3)


def _hold(path, settings, options):
    """Replacement of `check_file` that accepts every file."""


def test_that_a_file_that_crashes_its_worker_fails_only_its_own_pairs(corpus, batch, monkeypatch):
    (corpus / "right/deadly.txt").write_text(STORY)
    put_pairs(corpus, "a.txt b.txt", "a.txt deadly.txt", "none.txt deadly.txt", "秋.txt 果园.txt")
    monkeypatch.setattr(batch_run, "_LEAST_TASKS_PER_WORKER", 1)
    monkeypatch.setattr(batch_run, "compare_pairs", _work_or_die)
    monkeypatch.setattr(batch_worker, "check_file", _check_or_die)
    result = batch("--workers", "1")
    assert result.stdout.startswith("4 pairs: 2 with passages, 2 failed")
    assert result.stderr == (
        "deadly.txt is damaged (the reader stopped unexpectedly). Open it in the program that made it, "
        "save it again and add the new file.\n"
    )


def test_that_the_error_for_a_pair_that_crashes_its_worker_has_both_names(corpus, batch, monkeypatch):
    (corpus / "right/deadly.txt").write_text(STORY)
    put_pairs(corpus, "a.txt deadly.txt", "秋.txt 果园.txt")
    monkeypatch.setattr(batch_run, "compare_pairs", _work_or_die)
    monkeypatch.setattr(batch_worker, "check_file", _hold)
    result = batch("--workers", "1")
    assert result.stderr == "a.txt and deadly.txt cannot be compared: the reader stopped unexpectedly.\n"
    assert (result.exit_code, names_in("out")) == (1, ["秋-果园.xml"])


@pytest.fixture
def files_read(corpus, monkeypatch):
    """Return a function that compares pairs in this process and returns the names of the files read."""
    read = []
    monkeypatch.setattr(
        batch_worker, "load_verbatim", lambda path: read.append(path.name) or load_document(path)
    )
    plan = batch_worker.BatchPlan(
        *(corpus / "left", corpus / "right", "pan"),
        *(batch_worker.ComparisonSettings(), ReadingOptions(), "simcompare"),
    )

    def compare(*names, most_characters=100_000):
        monkeypatch.setattr(batch_worker, "_cache", batch_worker._TextCache(most_characters))
        compare_pairs(corpus, [BatchPair(*pair) for pair in names], plan)
        return read

    return compare


def test_that_a_text_is_read_once_for_all_its_pairs(files_read):
    read = files_read(("a.txt", "b.txt"), ("a.txt", "果园.txt"), ("none.txt", "b.txt"))
    assert sorted(read) == ["a.txt", "b.txt", "none.txt", "果园.txt"]


def test_that_texts_too_long_to_be_kept_are_read_again(files_read):
    names = ("a.txt", "b.txt"), ("a.txt", "果园.txt"), ("a.txt", "b.txt")
    assert files_read(*names, most_characters=1) == ["a.txt", "b.txt", "果园.txt", "b.txt"]


def test_that_pairs_that_a_worker_does_not_reach_in_its_time_are_compared_later(corpus, batch, monkeypatch):
    batch(to="jsonl", output="whole.jsonl")
    monkeypatch.setattr(batch_run, "_LEAST_TASKS_PER_WORKER", 1)
    monkeypatch.setattr(batch_run, "compare_pairs", _compare_one)
    result = batch("--workers", "1", to="jsonl", output="parts.jsonl")
    assert result.stdout.startswith("4 pairs: 3 with passages, 0 failed")
    assert Path("parts.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()


def test_that_the_pairs_of_many_texts_are_split_so_that_few_texts_are_needed_at_a_time():
    names = [f"{number:03}" for number in range(100)]
    pairs = [BatchPair(left, right) for left in names for right in names]
    tasks = list(batch_run._tasks(pairs, 2))
    assert sorted(pair for task in tasks for pair in task) == sorted(pairs)
    assert max(len({*(p.left for p in task), *(p.right for p in task)}) for task in tasks) <= 128


def test_that_the_help_and_the_summary_are_translated(corpus, batch, run, monkeypatch):
    put_chinese_catalogue(
        corpus, monkeypatch, **{"A text file with two file names per line.": "文本文件，每行两个文件名。"}
    )
    assert "文本文件，每行两个文件名。" in run("batch", "--language", "zh", "--help").stdout
