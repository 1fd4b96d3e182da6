"""HTML report of a comparison: complete, safe, reproducible."""

import base64
import hashlib
import re
from collections import Counter
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from lxml import html

from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.model.document import Dropped, DropReason, Flag, FlagName, Place
from simcompare.report.facing_passages import PassageMark, cut_at_passages
from simcompare.report.html_report import render_html
from simcompare.report.html_sections import page_view, strongest_passages
from simcompare.report.text_pieces import blocks_in_pieces
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, PairReview, index_sentences
from simcompare.support.i18n import set_language
from tests.report.essays import (
    BRIDGE,
    BRIDGE_REWORDED,
    QUOTING,
    comparison_of,
    evidence_of,
    put_chinese_catalogue,
    review_of_passage,
)

HOSTILE = """A title </title><script>alert(1)</script>
<script>alert("sentence")</script> is what the first sentence of this essay says.
The second sentence says " onmouseover="alert(2) and ' onfocus='alert(3) to whoever reads it.
A third one closes </style></article></p> and opens <img src=x onerror=alert(4)> and <svg onload=alert(5)>.
The last one has {{ 7 * 7 }} and {% raw %} and <!-- and &lt;b&gt; and javascript:alert(6) in it.
"""


def page_of(comparison):
    return render_html(evidence_of(comparison))


@pytest.fixture
def bridges(tmp_path):
    return comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)


@pytest.fixture
def hostile(tmp_path):
    name = '"><script>alert(7)</script><img src=x onerror=alert(8)>.txt'
    return comparison_of(tmp_path, HOSTILE, HOSTILE, names=(name, name))


def words_of(element):
    """Return the text of an element without the numbers of its matches."""
    for number in element.findall(".//sup"):
        number.drop_tree()
    return " ".join(block.text_content() for block in element).split()


def text_without_numbers(element):
    """Return the text of an element without its numbers."""
    return "".join(element.xpath(".//text()[not(ancestor::sup)]"))


def test_that_the_page_contains_both_texts_in_full(bridges):
    tree = html.fromstring(page_of(bridges))
    for side, prepared_document in (("l", bridges.left), ("r", bridges.right)):
        pane = tree.find_class(f"pane {side}")[0]
        assert words_of(pane) == prepared_document.document.text.split()


def test_that_a_matched_sentence_is_marked_by_its_kind_and_linked_to_its_partner(bridges):
    tree = html.fromstring(page_of(bridges))
    marked = [(span.get("id"), span.get("class")) for span in tree.xpath("//span[@id]")]
    assert marked == [
        ("l2", "match exact"),
        ("l3", "match edited"),
        ("l4", "match synonym"),
        ("r3", "match exact"),
        ("r4", "match edited"),
        ("r5", "match synonym"),
    ]


def test_that_passages_are_in_both_texts_with_one_number_that_leads_to_the_other_side(bridges):
    tree = html.fromstring(page_of(bridges))
    passages = numbered_passages(bridges)
    for letter, other, document in (("l", "r", bridges.left.document), ("r", "l", bridges.right.document)):
        [pane] = tree.find_class(f"pane {letter}")
        links = {link.text: (link.get("id"), link.get("href")) for link in pane.xpath(".//sup/a")}
        assert links == {f"{p.number}": (f"p{letter}{p.number}", f"#p{other}{p.number}") for p in passages}
        inside = set()
        for passage in passages:
            runs = pane.xpath(f".//span[@data-run='{passage.number}']")
            assert {run.get("class").split()[1] for run in runs} == {passage.kind}
            span = passage.left if letter == "l" else passage.right
            inside |= set(range(span.start, span.end))
        # where passages overlap, the text is marked once
        marked = "".join(map(text_without_numbers, pane.find_class("run")))
        assert marked == "".join(document.text[at] for at in sorted(inside)).replace("\n", "")


def test_that_a_sentence_cut_by_the_edge_of_a_passage_is_marked_on_both_sides_of_it(bridges):
    blocks = blocks_in_pieces(bridges.left, {}, {})
    document, [first, *_rest] = bridges.left.document, bridges.left.prepared.sentence_spans.tolist()
    mark = PassageMark(1, "edited", None, "")
    runs = cut_at_passages(blocks, document, np.array([[first[0] + 1, first[1] + 3]], np.int32), [mark])
    texts = ["".join(piece.text for run in block.runs for piece in run.pieces) for block in runs]
    assert texts == [block.span.of(document.text) for block in document.blocks]
    inside = [run for block in runs for run in block.runs if run.passage is mark]
    assert "".join(p.text for run in inside for p in run.pieces) == document.text[
        first[0] + 1 : first[1] + 3
    ].replace("\n", "")
    assert [run.starting for run in inside] == [[mark], *[[] for _run in inside[1:]]]
    assert [run.goes_on for run in inside] == [True] * (len(inside) - 1) + [False]


def test_that_text_in_two_passages_has_the_look_of_the_one_that_is_not_of_no_concern(bridges):
    document = bridges.left.document
    whole, inner = [document.blocks[1].span.start, document.blocks[1].span.end], [20, 30]
    blocks = blocks_in_pieces(bridges.left, {}, {})
    copied = PassageMark(1, "reworded", None, "")
    for decision, shown in ((None, 2), (Decision.FINE, 1)):
        marks = [copied, PassageMark(2, "edited", decision, "")]
        runs = cut_at_passages(blocks, document, np.array([whole, inner], np.int32), marks)
        (run,) = [
            run for run in runs[1].runs if "".join(each.text for each in run.pieces) == document.text[20:30]
        ]
        assert run.passage.number == shown


def test_that_the_heading_passages_counts_each_kind(bridges):
    tree = html.fromstring(page_of(bridges))
    [aside] = tree.find_class("middle")
    assert aside.findtext("h2") == "Passages"
    counts = [" ".join(item.text_content().split()) for item in aside.xpath(".//li")]
    kinds = Counter(passage.kind.value for passage in numbered_passages(bridges))
    # kinds of sentences that no passage has explain colours of the matrix
    of_sentences = ["edited only in sentences", "identical only in sentences"]
    assert sorted(counts) == sorted([f"{kind} {count}" for kind, count in kinds.items()] + of_sentences)


def test_that_every_link_has_a_target_on_the_page(bridges):
    tree = html.fromstring(page_of(bridges))
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))
    for address in tree.xpath("//@href"):
        assert address.removeprefix("#") in ids
    assert all(address.startswith("data:image/png;base64,") for address in tree.xpath("//@src | //@srcset"))


def test_that_the_policy_allows_our_style_and_script_and_nothing_else(bridges):
    tree = html.fromstring(page_of(bridges))
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    for directive, tag in (("style-src", "style"), ("script-src", "script")):
        (element,) = tree.xpath(f"//{tag}")
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert rules[directive] == f"'sha256-{digest}'"
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "data:"


def test_that_markup_in_a_text_or_a_name_stays_text(hostile):
    tree = html.fromstring(page_of(hostile))
    assert len(tree.xpath("//script")) == len(tree.xpath("//style")) == len(tree.xpath("//img")) == 1
    assert not tree.xpath("//@*[starts-with(name(), 'on')] | //@style")
    pane = tree.find_class("pane l")[0]
    assert words_of(pane) == hostile.left.document.text.split()
    assert "{{ 7 * 7 }}" in pane.text_content()
    assert hostile.left.name in tree.findtext(".//title")


def test_that_characters_which_reorder_or_hide_text_are_shown_by_name(tmp_path):
    text = "The \u202eesrever\u202c word and the zero\u200bwidth space stand in this sentence.\n"
    comparison = comparison_of(tmp_path, text, text, names=("a\u202etxt.exe", "\x1b[31mred\udcff.txt"))
    page = page_of(comparison)
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\x1b\ud800-\udfff]", page)
    bar = "1 invisible character here, often put in to defeat comparison"
    unseen = f'<span class="unseen" title="{bar}"></span>'
    assert f"The [U+202E]esrever[U+202C] word and the zero{unseen}width space" in page
    assert "a[U+202E]txt.exe" in page
    assert "␛[31mred[U+DCFF].txt" in page


def test_that_the_differing_bits_are_ringed_on_both_sides(bridges):
    tree = html.fromstring(page_of(bridges))
    for strip in tree.find_class("strip"):
        cells = [cell.get("class").split() for cell in strip.iter("rect")]
        assert len(cells) == 64
        assert sum("differs" in cell for cell in cells) == bridges.hamming_distance_bits
    ones = "".join("1" if "one" in cell.get("class").split() else "0" for cell in tree.find_class("strip")[0])
    assert ones == bridges.left.fingerprint.bits


def test_that_the_table_gives_every_match_with_its_reasons(bridges):
    tree = html.fromstring(page_of(bridges))
    rows = tree.xpath("//tbody/tr")
    assert [row.get("id") for row in rows] == ["m1", "m2", "m3"]
    synonym = rows[2]
    passages = numbered_passages(bridges)
    assert [row[0].text_content() for row in rows] == [f"{passages.of_match(n) + 1}" for n in range(3)]
    assert [cell.text_content().strip() for cell in synonym[1:4]] == ["reworded", "0.50", "1.00"]
    paired = [span.text_content() for span in synonym.find_class("paired")]
    assert {"美丽", "漂亮"} <= set(paired)
    assert "美丽 ~ 漂亮" in synonym.find_class("reasons")[0].text_content()


def test_that_the_page_says_how_it_was_made(bridges):
    words = html.fromstring(page_of(bridges)).find_class("made")[0].text_content()
    for fact in (
        "possible from 0.35, sure from 0.55",
        "neighbouring sentences with words in common, at least 25 words, 15 in Chinese",
        "built-in thesaurus",
        "plain text, ",
        "encoding utf-8",
    ):
        assert fact in words


def test_that_excluded_sentences_are_greyed_with_their_reason_and_the_share_after_them_shown(tmp_path):
    tree = html.fromstring(page_of(comparison_of(tmp_path, QUOTING, BRIDGE)))
    pane = tree.find_class("pane l")[0]
    greyed = [(span.text_content(), span.get("title")) for span in pane.find_class("excluded")]
    assert greyed == [
        ("“桥是会说话的，只是说得很慢。”", "Excluded: quotation"),
        ("好美。", "Excluded: short sentence"),
        ("参考文献", "Excluded: reference list"),
        ("王小明，《桥的历史》，河流出版社。", "Excluded: reference list"),
    ]
    # tooltips do not exist on paper and on phones
    reasons = [sup.text_content() for sup in pane.find_class("why")]
    assert reasons == [" [quotation]", " [short sentence]", " [reference list]", " [reference list]"]
    assert words_of(pane) == QUOTING.split()
    assert tree.find_class("card l")[0].find_class("share")[0].text_content() == "Share 0%"
    details = [item.text_content() for item in tree.find_class("detail")[0].find("dl")]
    assert details == [
        *("Share after exclusions", "0%"),
        *("Share before exclusions", "0%"),
        *("Sentence share", "0%"),
    ]
    made = tree.find_class("made")[0].text_content()
    assert "quotation: 1 sentence (12 characters)" in made
    assert (
        "lines with only a title, name, class or date, sentences shorter than 5 characters or words" in made
    )


def test_that_a_quotation_copied_without_quotation_marks_is_grey_with_its_reason(tmp_path):
    copied = "村口的那座老石桥已经站立了一百多年，桥面被脚步磨得发亮，老人都喜欢坐在桥头乘凉。"
    quoted = "村口的那座石桥已经站了一百多年，桥面被人们的脚步磨得发亮，老人们喜欢坐在桥头乘凉。"
    comparison = comparison_of(
        tmp_path, f"河边。\n{copied}", f"书里有这样的一段话。\n“{quoted}”\n后来我就走了。"
    )
    left, right = html.fromstring(page_of(comparison)).xpath("//article")
    (match,), (quotation,) = (side.find_class("match") for side in (left, right))
    assert "excluded" not in match.get("class")
    assert "excluded" in quotation.get("class")
    assert "[quotation]" in right.text_content()
    assert "[quotation]" not in left.text_content()


def test_that_the_two_sides_of_a_passage_are_side_by_side(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE * 2, "题外的一段话，和别的没有关系。\n" * 8 + BRIDGE * 2)
    [section] = html.fromstring(page_of(comparison)).find_class("passages")
    assert [name.text for name in section.find_class("names")[0]] == ["left.txt", "right.txt"]
    [passage] = section.find_class("passage")
    texts = [words_of(side) for side in passage.find_class("excerpt")]
    title, *lines = (BRIDGE * 2).split()
    assert texts == [lines, [title, *lines]]
    marked = passage.find_class("match")
    assert {mark.get("class") for mark in marked} == {"match exact"}
    assert all(mark.get("data-match") for mark in marked)


def test_that_omissions_and_doubts_are_listed(bridges):
    receipt = replace(
        bridges.left.document.receipt,
        dropped=(Dropped(DropReason.PAGE_HEADER, 1200, "Class 3"), Dropped(DropReason.COVERED_TEXT, 1)),
        flags=(Flag(FlagName.GARBLED_PAGE, 2, (Place(3), Place(5))),),
    )
    left = replace(bridges.left, document=replace(bridges.left.document, receipt=receipt))
    page = html.fromstring(page_of(replace(bridges, left=left)))
    facts = [item.text_content() for item in page.find_class("made")[0].iter("dd")]
    assert {"page headers (1,200 characters): “Class 3”", "covered text (1 character)"} <= set(facts)
    assert "garbled pages (2 pages): page 3; page 5" in facts
    (doubt,) = page.xpath("//header/p[@class='doubt']")
    assert doubt.text_content() == "Please check left.txt: garbled pages (2 pages): page 3; page 5"


def test_that_only_the_date_differs_between_two_pages_of_one_comparison(bridges):
    first = page_of(bridges)
    later = render_html(evidence_of(bridges, datetime(2025, 1, 2, 3, 4)))
    assert first.count("6 May 2024, 07:08") == 1
    assert later == first.replace("6 May 2024, 07:08", "2 January 2025, 03:04")


def test_that_two_texts_without_a_match_say_so(tmp_path):
    page = page_of(
        comparison_of(
            tmp_path, "The river froze early this year.", BRIDGE.partition("\n")[2], thesaurus="none"
        )
    )
    assert "No two sentences are similar" in page
    assert not html.fromstring(page).xpath("//table | //sup")


def test_that_the_page_follows_the_language(bridges, tmp_path, monkeypatch):
    put_chinese_catalogue(tmp_path / "i18n", monkeypatch, Hamming_distance="汉明距离", identical="完全相同")
    set_language("zh")
    tree = html.fromstring(page_of(bridges))
    assert tree.get("lang") == "zh-Hans"
    assert tree.find_class("distance")[0].findtext("h2") == "汉明距离"
    assert tree.find_class("chip exact")[0].text == "完全相同"


def test_that_decisions_and_notes_are_with_their_matches_and_the_pair(bridges):
    left, right = (index_sentences(side.prepared).keys for side in (bridges.left, bridges.right))
    first, second = bridges.matches[0], bridges.matches[1]
    decisions = {
        MatchKey(left[first.left], right[first.right]): NotedDecision(Decision.COPIED, "See <page> 3"),
        MatchKey(left[second.left], right[second.right]): NotedDecision(Decision.FINE),
    }
    review = PairReview(NotedDecision(Decision.COPIED, "Both wrote\nit alone?"), decisions)
    tree = html.fromstring(render_html(evidence_of(bridges, review=review)))
    [overall] = tree.xpath("//header//p[contains(@class, 'verdict')]")
    assert "copied" in overall.text_content().split()
    assert overall.xpath(".//bdi")[0].text == "Note: Both wrote\nit alone?"
    verdicts = [
        " ".join(p.text_content().split()) for p in tree.xpath("//td//p[contains(@class, 'verdict')]")
    ]
    assert verdicts == ["copied Note: See <page> 3", "no concern"]
    assert "2 decided" in tree.xpath("//section[@class='matches']/h2")[0].text_content()


def test_that_a_page_without_decisions_mentions_none(bridges):
    words = html.fromstring(page_of(bridges)).xpath("//body")[0].text_content()
    assert "copied" not in words
    assert "no concern" not in words


def test_that_the_files_are_identified_by_size_and_hash(bridges, tmp_path):
    text = html.fromstring(page_of(bridges)).xpath("//section[@class='made']")[0].text_content()
    for file in ("0.txt", "1.txt"):
        data = (tmp_path / file).read_bytes()
        assert hashlib.sha256(data).hexdigest() in text
        assert f"{len(data):,} bytes" in text


def test_that_only_changed_words_are_marked_within_sentences(tmp_path):
    same = html.fromstring(render_html(evidence_of(comparison_of(tmp_path, BRIDGE, BRIDGE))))
    assert same.xpath('//section//p[not(contains(@class, "key"))]//span[@class="changed"]') == []
    changed = BRIDGE.split("\n")[1].replace("，", "，忽然", 1)
    page = html.fromstring(render_html(evidence_of(comparison_of(tmp_path, BRIDGE, changed))))
    marked = page.xpath('//section//p[not(contains(@class, "key"))]//span[@class="changed"]/text()')
    assert marked
    assert set(marked) == {"忽然"}


def test_that_the_texts_mark_changed_words_of_a_passage_that_is_not_side_by_side(tmp_path):
    changed = (BRIDGE * 2).replace("我小时候常坐", "我小时候总坐", 1)
    page = html.fromstring(page_of(comparison_of(tmp_path, BRIDGE * 2, changed)))
    assert not page.find_class("passage")
    left, right = page.find_class("pane")
    assert [side.xpath(".//*[@class='changed']/text()") for side in (left, right)] == [["常"], ["总"]]
    texts = ["".join(text_without_numbers(side).split()) for side in (left, right)]
    assert texts == ["".join(text.split()) for text in (BRIDGE * 2, changed)]
    assert "Changed words are red and underlined." in page.text_content()


@pytest.mark.parametrize("decision", [None, Decision.FINE])
def test_that_a_cleared_passage_has_no_red_words_and_no_note_about_them(tmp_path, decision):
    changed = (BRIDGE * 2).replace("我小时候常坐", "我小时候总坐", 1)
    comparison = comparison_of(tmp_path, BRIDGE * 2, changed)
    review = review_of_passage(comparison, 0, NotedDecision(decision))
    page = html.fromstring(render_html(evidence_of(comparison, review=review)))
    marked = [pane.xpath(".//*[@class='changed']") != [] for pane in page.find_class("pane")]
    assert [*marked, "words are red" in page.text_content()] == [decision is None] * 3


@pytest.mark.parametrize(
    ("most", "end"),
    [(60, "老人们搬着竹椅来桥头乘凉。…"), (20, "桥面被…")],
)
def test_that_an_extract_of_a_passage_ends_with_a_sentence_or_else_a_word(tmp_path, most, end):
    evidence = evidence_of(comparison_of(tmp_path, BRIDGE * 2, BRIDGE * 2))
    (passage,) = strongest_passages(evidence, 1, most)
    for side in (passage.left, passage.right):
        text = "".join(piece.text for block in side for piece in block.pieces)
        assert len(text) <= most + 1
        assert text.endswith(end)


def test_that_a_sentence_that_is_a_passage_is_called_as_the_passage_is(tmp_path):
    texts = (
        f"{other} Nobody at the {place} would have asked {who} for permission to send a message.\n"
        for other, place, who in (
            ("Every lamp in our street went out.", "allotments behind the railway", "our neighbour Wilf"),
            ("She painted blue birds all night.", "garage full of broken bicycles", "my cousin Farouk"),
        )
    )
    view = page_view(evidence_of(comparison_of(tmp_path, *texts)))
    assert [match.kind for match in view.matches] == [kind for kind, _name, _count in view.passage_kinds][-1:]
    assert [match.kind_name for match in view.matches] == ["reworded"]


def test_that_both_sides_of_an_extract_begin_with_sentences_that_match_each_other(tmp_path):
    copied = "".join(f"第{count}位老人每天清晨都要带着孙子走过那座石桥。" for count in "一二三四五六七八")
    own = "石桥老人清晨带着孙子，走过那座的人都说每天要早起才看得见雾里的灯。"
    texts = copied.replace("第", own + "第", 1), copied.replace("第", own * 3 + "第", 1)
    evidence = evidence_of(comparison_of(tmp_path, *(f"{text}\n" for text in texts)))
    (passage,) = strongest_passages(evidence, 1, 90)
    for side in (passage.left, passage.right):
        text = "".join(piece.text for block in side for piece in block.pieces).removeprefix("…")
        assert text.startswith("第一位老人每天清晨都要")


def test_that_apostrophes_of_english_words_in_a_chinese_text_are_marked_as_english(tmp_path):
    text = "老师说：“It’s a bridge that doesn’t <sleep>.” ‘我们’都笑了，因为桥的确从来不睡觉。\n"
    page = render_html(evidence_of(comparison_of(tmp_path, text, text)))
    tree = html.fromstring(page)
    pane = tree.find_class("pane l")[0]
    assert [(mark.text, mark.tail[:1]) for mark in pane.xpath(".//span[@lang='en']")] == [
        ("’", "s"),
        ("’", "t"),
    ]
    assert "It’s a bridge that doesn’t <sleep>.” ‘我们’都" in pane.text_content()


def test_that_apostrophes_of_english_names_are_marked_as_english(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE, names=("Sean O’Brien.txt", "Mary D’Arcy.txt"))
    tree = html.fromstring(page_of(comparison))
    for part in ("result", "card"):
        marks = [mark for each in tree.find_class(part) for mark in each.xpath(".//span[@lang='en']")]
        assert [mark.tail[:1] for mark in marks][:2] == ["B", "A"], part
