"""Contents that every report has in each format for readers."""

import ctypes
import re
from dataclasses import replace
from io import BytesIO

import docx
import pypdfium2
import pypdfium2.raw
import pytest
from lxml import html

from simcompare import __version__
from simcompare.model.document import Dropped, DropReason, Flag, FlagName, Place
from simcompare.report.look_alikes import look_alikes_hint
from simcompare.report.report_forms import FORMS
from simcompare.report.wording import listed_matches
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, PairReview, index_sentences
from simcompare.support.display_text import percent
from simcompare.support.i18n import set_language
from tests.comparison.test_summaries import BEYOND, SCATTERED, SUMMARY
from tests.helpers.passages import LIGHTHOUSE, english
from tests.report.essays import (
    BRIDGE,
    BRIDGE_REWORDED,
    QUOTING,
    comparison_of,
    evidence_of,
    review_of_passage,
)
from tests.report.words import WORDS, squeezed

NAMES = ("桥.txt", "bridge.pdf")
HOSTILE = """A title </title><script>alert(1)</script>
<w:p> & "quotes" and ]]> and &amp; {{ 7 * 7 }} are what this sentence says.
(unbalanced \\( brackets) Tj ET endstream endobj << /Type /Page >> is what the next sentence says.
The \u202eesrever\u202c word and the zero\u200bwidth space stand in this sentence.
"""


@pytest.fixture(params=list(WORDS))
def suffix(request):
    return request.param


@pytest.fixture
def words_in(suffix):
    """Function that returns the words of a report of some evidence."""
    return lambda evidence: WORDS[suffix](FORMS[suffix].render(evidence))


@pytest.fixture
def bridges(tmp_path):
    return comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED, names=NAMES)


def test_that_a_report_contains_all_facts_of_the_pair(tmp_path, words_in):
    comparison = comparison_of(tmp_path, QUOTING + BRIDGE, BRIDGE_REWORDED, names=NAMES)
    receipt = replace(
        comparison.left.document.receipt,
        flags=(
            Flag(FlagName.GARBLED_PAGE, 2, (Place(3), Place(5))),
            Flag(FlagName.PICTURES, 4, doubtful=False),
        ),
        dropped=(Dropped(DropReason.PAGE_HEADER, 1200, "Class 3"),),
    )
    left = replace(comparison.left, document=replace(comparison.left.document, receipt=receipt))
    comparison = replace(comparison, left=left)
    words = words_in(evidence_of(comparison))
    shares = comparison.share.left_in_right, comparison.share.right_in_left
    sentence_shares = comparison.sentence_share.left_in_right, comparison.sentence_share.right_in_left
    assert shares[0].raw != shares[0].after_exclusions
    documents = comparison.left.document, comparison.right.document
    for phrase in (
        *NAMES,
        "家乡的石桥",
        "Please check 桥.txt: garbled pages (2 pages): page 3; page 5",
        "page headers (1,200 characters): “Class 3”",
        "pictures (4)",
        *(f"Share {percent(share.after_exclusions)}" for share in shares),
        f"{percent(shares[0].after_exclusions)} of the text of “{NAMES[0]}” is also in that of",
        "A share is no verdict",
        *(side.fingerprint.hex for side in (comparison.left, comparison.right)),
        *(document.sha256 for document in documents),
        *(f"{document.size_bytes:,} bytes" for document in documents),
        "plain text, ",
        "encoding utf-8",
        "possible from 0.35, sure from 0.55",
        "neighbouring sentences with words in common, at least 25 words, 15 in Chinese",
        "lines with only a title, name, class or date, sentences shorter than 5 characters or words",
        "quotation: 1 sentence (12 characters)",
        "[quotation]",
        "built-in thesaurus (3",
        "Improved Simhash (rarity, kind and length of words)",
        f"Made by simcompare {__version__} on 6 May 2024, 07:08.",
    ):
        assert squeezed(phrase) in words, phrase
    distance = comparison.hamming_distance_bits
    assert any(squeezed(f"Hamming distance{between}{distance}") in words for between in (":", ""))
    for share, sentence_share in zip(shares, sentence_shares, strict=True):
        for name, figure in (
            ("Share after exclusions", share.after_exclusions),
            ("Share before exclusions", share.raw),
            ("Sentence share", sentence_share.after_exclusions),
        ):
            assert any(squeezed(f"{name}{mark}{percent(figure)}") in words for mark in (":", ""))


def test_that_a_report_contains_both_texts_and_every_match_with_reasons(bridges, words_in):
    words = words_in(evidence_of(bridges))
    for line in (*BRIDGE.split("\n"), *BRIDGE_REWORDED.split("\n")):
        for sentence in filter(None, line.split("。")):
            assert squeezed(sentence) in words
    assert squeezed("美丽 ~ 漂亮") in words
    assert "Passage1" in words
    # before the passage in both texts
    assert words.count("1村口的那座石桥已经") == 2


def test_that_a_report_contains_decisions_and_notes(bridges, suffix, words_in):
    left, right = index_sentences(bridges.left.prepared).keys, index_sentences(bridges.right.prepared).keys
    first = bridges.matches[0]
    review = PairReview(
        NotedDecision(Decision.COPIED, "Both admit it."),
        {MatchKey(left[first.left], right[first.right]): NotedDecision(Decision.FINE, "a proverb")},
    )
    # the signs and the dash come from the style sheet of the page
    evidence = evidence_of(bridges, review=review)
    words = words_in(evidence).translate(dict.fromkeys(map(ord, "⚑✓–")))
    assert squeezed("Decision on the pair: copied Note: Both admit it.") in words
    assert squeezed("no concern Note: a proverb") in words
    # the matches on the page, otherwise the passages, of which none is decided as a whole
    assert (squeezed("3 · 1 decided") in words) is (suffix == ".html")
    without_fine = "Share after decisions"
    decided = evidence.shares_after_decisions
    for share in decided:
        assert any(squeezed(f"{without_fine}{mark}{percent(share)}") in words for mark in (":", ""))
    assert squeezed(without_fine) not in words_in(evidence_of(bridges))


def test_that_the_decision_on_a_passage_and_its_note_are_at_its_head(bridges, suffix, words_in):
    evidence = evidence_of(bridges)
    noted = NotedDecision(Decision.FINE, "from the question sheet")
    decided = evidence_of(bridges, review=review_of_passage(bridges, 0, noted))
    assert len(decided.passages[0].matches) > 1
    words = words_in(decided)
    assert squeezed("no concern · Note: from the question sheet") in words
    assert (squeezed("2 · 1 decided") in words) is (suffix != ".html")
    matches = decided.passages[0].matches
    assert {decided.decision_of(match).decision for match in matches} == {Decision.FINE}
    before, after = evidence.shares_after_decisions, decided.shares_after_decisions
    assert after[0] < before[0]
    assert after[1] < before[1]


def test_that_the_note_on_a_passage_of_one_sentence_is_with_its_match(tmp_path, words_in):
    same = "桥面被脚步磨得发亮，谁都记得它。"
    left = f"{same}\n" + "山上的树一年四季都是绿的。\n" * 6
    right = "河里的鱼在夏天游得很快。\n" * 6 + f"{same}\n"
    comparison = comparison_of(tmp_path, left, right, thesaurus="none")
    noted = NotedDecision(Decision.FINE, "a line of the song")
    words = words_in(evidence_of(comparison, review=review_of_passage(comparison, 0, noted)))
    # the signs and the dash come from the style sheet of the page
    words = words.translate(dict.fromkeys(map(ord, "⚑✓–")))
    assert words.count(squeezed("no concern Note: a line of the song")) == 1


def test_that_a_passage_of_one_sentence_is_only_in_the_list_of_matches(tmp_path, words_in):
    same = "桥面被脚步磨得发亮，谁都记得它。"
    left = f"{same}\n" + "山上的树一年四季都是绿的。\n" * 6
    right = "河里的鱼在夏天游得很快。\n" * 6 + f"{same}\n"
    words = words_in(evidence_of(comparison_of(tmp_path, left, right, thesaurus="none")))
    assert squeezed("Passage 1 is a single sentence; see the list below.") in words
    assert "Passage1·" not in words


def test_that_decisions_are_marked_in_the_texts_and_explained_in_the_legend(bridges, suffix, words_in):
    left, right = index_sentences(bridges.left.prepared).keys, index_sentences(bridges.right.prepared).keys
    first, second = bridges.matches[0], bridges.matches[1]
    review = PairReview(
        matches={
            MatchKey(left[first.left], right[first.right]): NotedDecision(Decision.COPIED),
            MatchKey(left[second.left], right[second.right]): NotedDecision(Decision.FINE),
        }
    )
    words = words_in(evidence_of(bridges, review=review))
    # the signs come from the style sheet; the page repeats them in words for screen readers
    copied, fine = (
        len(re.findall(f"。({sign}|{word})", words)) for sign, word in (("⚑", "copied"), ("✓", "noconcern"))
    )
    # the page has the first one also in the table, directly behind the sentence
    assert (copied, fine) == ((5, 4) if suffix == ".html" else (4, 4))
    assert squeezed("copied: a flag at the number of the passage, or behind a single sentence") in words
    assert squeezed("no concern: pale, with a tick at the number or behind a single sentence") in words
    assert "aflagat" not in words_in(evidence_of(bridges))


def test_that_a_passage_decided_as_a_whole_has_one_sign_in_each_text(bridges, suffix, words_in):
    words = words_in(
        evidence_of(bridges, review=review_of_passage(bridges, 0, NotedDecision(Decision.COPIED)))
    )
    sign = "copied" if suffix == ".html" else "⚑"
    assert words.count(f"{sign}1村口") == 2
    assert not re.search(f"。{sign}(?!1)", words)


def test_that_a_passage_is_explained_in_one_line(bridges, words_in):
    line = "Passage 1 · reworded · 60% of the words in common, up to 28 characters in a row"
    assert squeezed(line) in words_in(evidence_of(bridges))


def test_that_a_passage_covering_both_texts_is_not_printed_twice(tmp_path, suffix, words_in):
    words = words_in(evidence_of(comparison_of(tmp_path, BRIDGE * 2, BRIDGE * 2, names=NAMES)))
    whole = "Passage 1 · identical · word for word, 171 characters. It covers nearly all of both texts,"
    assert squeezed(whole) in words
    if suffix == ".html":
        # twice in each text, and in the table the two sentences of four matches
        assert words.count("桥面被脚步磨得发亮。") == 2 * 2 + 4 * 2
    else:
        assert words.count("桥面被脚步磨得发亮。") == 2 * 2


def test_that_a_report_explains_its_figures(bridges, words_in):
    words = words_in(evidence_of(bridges))
    for phrase in (
        "How to read this",
        "similar, not necessarily identical",
        "Share of the longer sentence that agrees with the other one in the same order",
        "synonyms counted as equal",
        "The small bars show a text as 64 bits: dark for 1, light for 0",
        "Number of bits in which the two fingerprints differ.",
    ):
        assert squeezed(phrase) in words, phrase


def test_that_a_report_without_matches_says_so(tmp_path, words_in):
    comparison = comparison_of(tmp_path, "The river froze early this year.", BRIDGE, thesaurus="none")
    assert squeezed("No two sentences are similar") in words_in(evidence_of(comparison))


def test_that_only_the_best_match_of_each_sentence_is_listed_if_there_are_too_many(
    tmp_path, suffix, words_in
):
    text = "。".join(["同一句话说了很多遍"] * 50) + "。"
    comparison = comparison_of(tmp_path, text, text, thesaurus="none")
    words = words_in(evidence_of(comparison))
    listed = len(listed_matches(comparison.matches))
    # PDF and Word show the passage instead
    is_told = suffix == ".html"
    assert (squeezed(f"Matches {listed} of 2,500") in words) == is_told
    assert (squeezed(f"{2500 - listed:,} further matches are not shown") in words) == is_told


def test_that_control_characters_are_shown_by_name_and_markup_is_escaped(tmp_path, words_in):
    name = "a\u202etxt)\ufffe\x1b&<.exe"
    comparison = comparison_of(tmp_path, HOSTILE, HOSTILE, names=(name, name), thesaurus="none")
    words = words_in(evidence_of(comparison))
    for phrase in (
        "</title><script>alert(1)</script>",
        '<w:p> & "quotes" and ]]> and &amp;',
        "{{ 7 * 7 }} are what this sentence says.",
        "(unbalanced \\( brackets) Tj ET endstream endobj << /Type /Page >>",
        "The [U+202E]esrever[U+202C] word and the zero",
        "width space stand in this sentence",
        "a[U+202E]txt)[U+FFFE]␛&<.exe",
    ):
        assert squeezed(phrase) in words, phrase


def test_that_a_report_is_in_the_current_language(bridges, words_in):
    set_language("zh")
    assert "两篇文章的比对" in words_in(evidence_of(bridges))


def test_that_a_report_with_only_a_summary_says_that_it_does_not_count(tmp_path, words_in):
    words = words_in(evidence_of(comparison_of(tmp_path, english(LIGHTHOUSE, SUMMARY), SCATTERED + BEYOND)))
    said = "1 passage of one text sums up text of the other; it does not count towards the share."
    assert squeezed(said) in words
    assert squeezed("No similar sentences or passages were found") not in words


@pytest.mark.parametrize("suffix", list(WORDS))
def test_that_words_with_look_alike_letters_have_a_box_which_the_report_explains_once(tmp_path, suffix):
    plain = "The quiet reader in the corner sounds harsh but feels fair. Nobody denies the long corridor.\n"
    disguised = plain.replace("corner", "cоrner").replace("Nobody", "Nоbоdy").replace("harsh", "hаrsh")
    lines = "人生像大海，我一个人在山上看日出，心里有话。大家走来走去，没有人说话，只有老牛在门口。\n"
    plain, disguised = plain + lines, disguised + lines.replace("人", "⼈")
    body = FORMS[suffix].render(evidence_of(comparison_of(tmp_path, plain, disguised)))
    if suffix == ".html":
        found = html.fromstring(body).xpath("//article//*[@class='look-alike']")
        boxed = [each.text for each in found]
        tips = {each.text: each.get("title") for each in found}
        assert "“о” is Cyrillic and looks like Latin “o”" in tips["cоrner"]
        assert "“⼈” is not the character “人” but U+2F08" in tips["⼈"]
    elif suffix == ".docx":
        runs = (run for each in docx.Document(BytesIO(body)).paragraphs for run in each.runs)
        boxed = [run.text for run in runs if run._r.xpath("./w:rPr/w:bdr") and run.text != "Aa"]
    else:
        boxed = ["cоrner", "hаrsh", "Nоbоdy", "⼈"] if _boxes(body) > 6 else []
    assert {"cоrner", "hаrsh", "Nоbоdy", "⼈"} == set(boxed)
    words = "".join(WORDS[suffix](body).split())
    assert words.count("".join(look_alikes_hint().split())) == 1


def _boxes(body):
    with pypdfium2.PdfDocument(body) as document:
        colours = []
        for page in document:
            for each in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_PATH]):
                parts = [ctypes.c_uint() for _part in range(4)]
                pypdfium2.raw.FPDFPageObj_GetStrokeColor(each.raw, *map(ctypes.byref, parts))
                colours.append(tuple(part.value for part in parts[:3]))
    return colours.count((0x8A, 0x5A, 0))
