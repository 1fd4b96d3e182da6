"""The sample documents have the text of their sources, and the intended similarities."""

import re
import subprocess
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import docx
import pypdfium2
import pytest
from docx.oxml.ns import qn
from lxml import html

from simcompare.model.settings import ComparisonSettings

DEFAULT = ComparisonSettings()
JUST_BELOW_CERTAIN = DEFAULT.right_weight - 0.0001
ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "packaging" / "tools" / "make_samples.py"

pytest.importorskip("PySide6", reason="Qt writes the PDF files of the samples")
# the scripts are not in the package; this is the path they have when started
sys.path.insert(0, str(SCRIPT.parent))

import make_samples  # noqa: E402
from sample_files import essays, pdf, variant_similarity  # noqa: E402

SAMPLES = essays.SAMPLES
TARGETS = make_samples.TARGETS
CLASSES = ("Sample class", "示例班级")
CHINESE = sorted({name for name in TARGETS.values() if essays.read_essay(name).is_chinese})
ENGLISH = sorted(set(TARGETS.values()) - set(CHINESE))


def names_ending(suffix):
    return [name for name in TARGETS if name.endswith(suffix)]


def bare(text):
    return re.sub(r"\s", "", text)


def text_of_docx(path):
    return "\n".join(paragraph.text for paragraph in docx.Document(path).paragraphs)


def text_of_html(path):
    return html.fromstring(path.read_bytes()).find("body").text_content()


def text_of_pdf(path):
    with pypdfium2.PdfDocument(path) as document:
        return "\n".join(text_of_page(page) for page in document)


def text_of_page(page):
    text = page.get_textpage().get_text_range()
    return re.sub(r"学生作文选|School essays|第 \d 页|Page \d", "", text)


def text_of_txt(path):
    return path.read_text(encoding="utf-8")


READERS = {".docx": text_of_docx, ".html": text_of_html, ".pdf": text_of_pdf, ".txt": text_of_txt}


def read(path):
    return bare(READERS[path.suffix](path))


def remake(folder):
    made = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, check=False)
    if made.returncode == pdf.NO_FONT:
        pytest.skip("no font for Chinese is installed")
    assert made.returncode == 0, made.stderr.decode()
    return folder


@pytest.fixture(scope="module")
def remade(tmp_path_factory):
    return remake(tmp_path_factory.mktemp("remade"))


def best_values(variant):
    base = essays.read_essay(variant_similarity.VARIANTS[variant])
    return [value for value, _ in variant_similarity.best_matches(essays.read_essay(variant), base)]


def share(values, low, high):
    return sum(low <= value <= high for value in values) / len(values)


@pytest.mark.parametrize("name", TARGETS)
def test_that_a_sample_holds_its_title_and_every_paragraph_in_order(name):
    essay = essays.read_essay(TARGETS[name])
    assert read(SAMPLES / name) == bare("".join((essay.title, *essay.paragraphs)))


@pytest.mark.parametrize("name", names_ending(".html"))
def test_that_a_page_is_named_after_its_essay(name):
    page = html.fromstring((SAMPLES / name).read_bytes())
    title = essays.read_essay(TARGETS[name]).title
    assert (page.findtext("head/title"), page.findtext(".//h1")) == (title, title)


@pytest.mark.parametrize("name", names_ending(".pdf"))
def test_that_a_pdf_is_small_and_numbers_its_pages(name):
    assert (SAMPLES / name).stat().st_size < 300_000
    with pypdfium2.PdfDocument(SAMPLES / name) as document:
        assert len(document) > 1
        for number, page in enumerate(document, 1):
            text = page.get_textpage().get_text_range()
            assert f"第 {number} 页" in text or f"Page {number}" in text


@pytest.mark.parametrize("name", names_ending(".pdf"))
def test_that_no_radical_replaces_a_character_in_a_pdf(name):
    assert not re.search(r"[\u2e80-\u2fdf]", read(SAMPLES / name))


@pytest.mark.parametrize("name", CHINESE)
def test_that_a_chinese_essay_is_as_long_as_a_school_essay(name):
    length = len(essays.HAN.findall("".join(essays.read_essay(name).paragraphs)))
    assert 1000 <= length <= 1300


@pytest.mark.parametrize("name", ENGLISH)
def test_that_an_english_essay_is_as_long_as_a_school_essay(name):
    words = sum(len(text.split()) for text in essays.read_essay(name).paragraphs)
    assert 430 <= words <= 480


def test_that_the_first_essay_has_sentences_that_are_hard_to_split():
    essay = essays.read_essay("old-bridge")
    text = "".join(essay.paragraphs)
    assert 1150 <= len(essays.HAN.findall(text)) <= 1260
    assert 8 <= len(essay.paragraphs) <= 10
    assert 40 <= len(essay.sentences) <= 50
    for pattern in ("“.+?”", r"\d{4}年", r"\d\.\d", "[A-Za-z]{2,}"):
        assert re.search(pattern, text)


def test_that_the_lightly_edited_essay_is_half_kept_and_half_edited():
    values = best_values("stone-bridge-light")
    assert share(values, 1, 1) >= 0.35
    assert share(values, 0.6, 0.99) >= 0.35


def test_that_the_characters_of_the_essay_of_synonyms_decide_for_no_sentence_and_suspect_most():
    values = best_values("bridge-in-my-heart-synonyms")
    assert share(values, DEFAULT.similar_weight, JUST_BELOW_CERTAIN) >= 0.5
    assert max(values) < DEFAULT.right_weight


def test_that_the_moved_essay_has_whole_passages_in_another_order():
    variant, base = essays.read_essay("the-bridge-moved"), essays.read_essay("old-bridge")
    kept = [index for value, index in variant_similarity.best_matches(variant, base) if value == 1]
    breaks = [i for i in range(1, len(kept)) if kept[i] != kept[i - 1] + 1]
    lengths = [end - start for start, end in zip([0, *breaks], [*breaks, len(kept)], strict=True)]
    assert len(kept) / len(variant.sentences) >= 0.45
    assert all(3 <= length <= 6 for length in lengths)
    assert kept != sorted(kept)


def test_that_the_essay_on_another_subject_shares_no_sentence():
    assert max(best_values("autumn-road")) < 0.45


def test_that_the_reworded_english_essay_has_every_kind_of_sentence():
    values = best_values("the-last-bus-reworded")
    bands = (
        (1, 1),
        (DEFAULT.right_weight, 0.99),
        (DEFAULT.similar_weight, JUST_BELOW_CERTAIN),
        (0, DEFAULT.similar_weight - 0.0001),
    )
    assert all(share(values, *band) >= 0.1 for band in bands)


@pytest.mark.parametrize("name", names_ending(".docx"))
def test_that_a_word_document_has_no_personal_metadata(name):
    properties = docx.Document(SAMPLES / name).core_properties
    assert {properties.author, properties.last_modified_by} == {"simcompare"}
    assert not properties.comments
    assert {properties.created, properties.modified} == {datetime(2026, 1, 1, tzinfo=UTC)}
    with zipfile.ZipFile(SAMPLES / name) as parts:
        assert {part.date_time for part in parts.infolist()} == {(2026, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("name", names_ending(".docx"))
def test_that_a_word_document_names_its_chinese_fonts(name):
    styles = docx.Document(SAMPLES / name).styles
    fonts = {style: styles[style].element.rPr.rFonts.get(qn("w:eastAsia")) for style in ("Normal", "Title")}
    assert fonts == {"Normal": "宋体", "Title": "黑体"}


@pytest.mark.parametrize("name", names_ending(".pdf"))
def test_that_a_pdf_has_no_personal_metadata(name):
    with pypdfium2.PdfDocument(SAMPLES / name) as document:
        facts = document.get_metadata_dict(skip_empty=True)
    assert facts["Creator"] == "simcompare"
    assert facts["CreationDate"].startswith("D:20260101000000")
    assert "Author" not in facts


@pytest.mark.parametrize("name", TARGETS)
def test_that_remaking_a_sample_gives_the_same_text(name, remade):
    assert read(remade / name) == read(SAMPLES / name)


def test_that_remaking_twice_gives_the_same_bytes(remade, tmp_path):
    again = remake(tmp_path)
    assert all((again / name).read_bytes() == (remade / name).read_bytes() for name in TARGETS)


def test_that_the_samples_folder_holds_nothing_that_no_source_makes():
    made = {path.relative_to(SAMPLES).as_posix() for path in SAMPLES.rglob("*") if path.is_file()}
    sources = {f"source/{name}.txt" for name in TARGETS.values()}
    assert {name for name in made if not name.startswith(CLASSES)} == set(TARGETS) | sources


@pytest.mark.parametrize("folder", CLASSES)
def test_that_the_essays_of_a_class_are_short_and_begin_with_their_question(folder):
    texts = {path.stem: path.read_text("utf-8") for path in (SAMPLES / folder).iterdir()}
    question = min(texts.values(), key=len)
    assert len(texts) == 8
    assert all(text.startswith(question) and len(text) < 1200 for text in texts.values())
