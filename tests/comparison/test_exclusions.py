"""Exclusions from the share, and the figures that they never change."""

import gc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.comparison import compare_documents as counted_module
from simcompare.comparison.compare_documents import (
    compare,
    counted_passages,
    passages_after_exclusions,
    reclassify,
)
from simcompare.comparison.comparison_result import (
    ExcludedSentences,
    ExclusionCount,
    ExclusionReason,
    PairShares,
    Share,
)
from simcompare.comparison.passages.passage_columns import NO_PASSAGES, Passage, Passages
from simcompare.comparison.prepared_document import prepare_document
from simcompare.comparison.shares import CountedText
from simcompare.loading.shared.reference_lists import marked_references
from simcompare.model.document import Anchor, BlockKind, Document, Span, join_blocks
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText, prepare
from tests.comparison.excluding import comparison_of, excluded, left_out
from tests.helpers.documents import DEFAULT_SETTINGS, compare_texts, make_document, prepared_text_document
from tests.helpers.passages import GARDEN, TRAFFIC, english

PROMPTED = replace(DEFAULT_SETTINGS, prompt="prompt.txt")
QUOTED = replace(DEFAULT_SETTINGS, exclude_quotations=True)
LISTED = replace(DEFAULT_SETTINGS, exclude_references=True)
BODY = "清晨的河面上飘着一层薄薄的雾。渔船慢慢地从芦苇旁边划过去，谁也没有说话。"
LAST_BUS = "On the evening of my birthday I missed the last bus home."


def document_of(*blocks: tuple[BlockKind, str]) -> Document:
    kinds = marked_references([kind for kind, _piece in blocks], [piece for _kind, piece in blocks])
    pieces = [(kinds[n], piece, Anchor(n + 1)) for n, (_kind, piece) in enumerate(blocks)]
    text, laid_out = join_blocks(pieces)
    return replace(make_document("."), text=text, blocks=laid_out)


def sides_of(shares):
    return shares.left_in_right, shares.right_in_left


def sentences(found):
    return [sentence for sentence, _reason in found]


# --- quotations


@pytest.mark.parametrize("marks", ["“”", "「」", "『』", "«»", '""', "＂＂"])
@pytest.mark.parametrize("quote", ["桥是会说话的，只是说得很慢。", "A bridge speaks, only slowly."])
def test_that_a_sentence_in_any_paired_marks_is_a_quotation(marks, quote):
    document = make_document(f"{BODY}{marks[0]}{quote}{marks[1]}{LAST_BUS}")
    ((sentence, reason),) = excluded(document, QUOTED)
    assert (sentence.strip(marks), reason) == (quote, ExclusionReason.QUOTATION)


def test_that_a_block_set_as_a_quotation_is_one_without_marks():
    document = document_of((BlockKind.PARAGRAPH, BODY), (BlockKind.QUOTATION, "桥是会说话的。它说得很慢。"))
    assert sentences(excluded(document, QUOTED)) == ["桥是会说话的。", "它说得很慢。"]


@pytest.mark.parametrize(("quoted", "own", "counts"), [(8, 2, False), (7, 2, True), (7, 3, True)])
def test_that_a_sentence_with_80_percent_in_marks_is_a_quotation(quoted, own, counts):
    sentence = f"“{' '.join(['bridge'] * quoted)}” {' '.join(['said'] * own)}."
    found = excluded(make_document(f"{BODY}{sentence}"), QUOTED)
    assert (sentences(found) == []) == counts


@pytest.mark.parametrize("text", [
    f"“{LAST_BUS} {BODY}",
    f"{LAST_BUS}” {BODY}",
    f'"{LAST_BUS} {BODY}',
    f'"{LAST_BUS}" The screen was 5" wide. {BODY}',
    f"“{LAST_BUS}」{BODY}",
    f'The screen was 5" wide. {LAST_BUS} It was 6" long. {BODY}',
    f'He shouted "no. {LAST_BUS} I called "yes. {BODY}',
    f"“{BODY}“{BODY}",
])  # fmt: skip
def test_that_unpaired_marks_exclude_nothing(text):
    assert excluded(make_document(text, BODY), QUOTED) == []


def test_that_a_mark_left_open_does_not_reach_into_the_next_paragraph():
    assert excluded(make_document(f"“{BODY}", f"{BODY}”"), QUOTED) == []


def test_that_an_open_mark_does_not_affect_the_following_pair():
    assert sentences(excluded(make_document(f"“{BODY}“{LAST_BUS}”{BODY}"), QUOTED)) == [f"“{LAST_BUS}”"]


def test_that_a_mark_left_open_takes_nothing_though_another_one_closes_later():
    document = make_document(f"“{BODY}“{LAST_BUS}”{BODY}那是很久以前的事情了。”{BODY}")
    assert sentences(excluded(document, QUOTED)) == [f"“{LAST_BUS}”"]


@pytest.mark.parametrize("marks", ["''", "‘’"])
def test_that_english_single_marks_quote_but_apostrophes_do_not(marks):
    quote = f"{marks[0]}The river doesn{marks[1]}t remember its bridges.{marks[1]}"
    own = f"The boys{marks[1]} coats were wet, and {marks[1]}tis why they didn{marks[1]}t stay."
    document = make_document(f"My grandmother liked one proverb. {quote} {own}")
    assert sentences(excluded(document, QUOTED)) == [quote]


@pytest.mark.parametrize("word", ["’Twas the night", "'Cause they said so", "‘tis true", "'em boys"])
def test_that_an_apostrophe_before_a_word_opens_no_quotation(word):
    document = make_document(f"We stayed. {word}, and nobody slept in the teachers’ house. We left at nine.")
    assert not sentences(excluded(document, QUOTED))


def test_that_a_quotation_over_several_sentences_excludes_each_of_them():
    document = make_document(f"{BODY}“桥是会说话的。它说得很慢。”{BODY}")
    assert sentences(excluded(document, QUOTED)) == ["“桥是会说话的。", "它说得很慢。”"]


@pytest.mark.parametrize("lead", [
    "正如费孝通在《乡土中国》中所说：",
    "As Carr (2010, p. 118) writes, ",
    "语文课上读到费孝通的句子：",
    "Another line is often credited to Carr: ",
])  # fmt: skip
def test_that_the_words_that_name_the_source_belong_to_the_quotation(lead):
    sentences_of_it = (f"{lead}“桥是会说话的，它说得很慢，河也听得很慢，人听不见。", "没有人听见。”")
    document = make_document(f"{BODY}{''.join(sentences_of_it)}{BODY}")
    assert sentences(excluded(document, QUOTED)) == list(sentences_of_it)


@pytest.mark.parametrize("lead", [
    "那天晚上我一个人在桥上走了很久很久，忽然想起来：",
    "那天晚上我一个人在桥上走了很久很久，后来读完了《边城》才回家，到家时爷爷还没有睡，他坐在门口等我，说：",
    "《边城》是我那天晚上在桥上读的书",
])  # fmt: skip
def test_that_what_the_writer_tells_before_a_quotation_does_not_belong_to_it(lead):
    document = make_document(
        f"{BODY}{lead}“桥是会说话的，它说得很慢，河也听得很慢，人听不见。没有人听见。”{BODY}"
    )
    assert sentences(excluded(document, QUOTED)) == ["没有人听见。”"]


def test_that_two_quotations_of_both_texts_with_other_own_words_between_do_not_count():
    tools = "“We shape our tools and thereafter our tools shape all of us in turn”"
    more = "“We expect more from technology and less from each other every year”"
    left = f"{tools}, a friend of McLuhan wrote long before. Turkle puts it more sadly: {more} (Turkle 2011)."
    between = "I read that aloud at dinner. All four of us looked up from something, even my sister."
    right = f"Turkle, a professor, warns: {more} (Turkle 2011). {between} Some say: {tools}."
    shares = [
        compare_texts([own, english(GARDEN)], [right, english(TRAFFIC)], QUOTED).share.left_in_right
        for own in (left, right)
    ]
    assert shares[0].after_exclusions == 0
    assert shares[1].after_exclusions > 0.1, "with the same words between"


def test_that_an_essay_entirely_in_marks_is_not_a_quotation():
    assert excluded(make_document(f"“{BODY}”"), QUOTED) == []
    assert excluded(make_document(f"“{BODY}”", f"“{LAST_BUS}”"), QUOTED) == []


def test_that_no_quotation_is_longer_than_300_units():
    def found(words):
        return excluded(make_document(f"“{'river ' * words}.” Bridge{' bridge' * 500}."), QUOTED)

    assert len(found(300)) == 1
    assert found(301) == []


# --- reference lists

ENTRIES = ["[1] 王小明. 桥的历史. 北京: 河流出版社, 2019.", "[2] Smith, J. Bridges. London, 2003."]


@pytest.mark.parametrize("heading", [
    "参考文献", "引用文献", "参考资料", "参考文献：", "【参考文献】", "[参考文献]", "参 考 文 献",
    "五、参考文献", "5 参考文献", "參考文獻", "主要参考文献", "References",
    "REFERENCES", "6. References:", "VI. References", "Bibliography", "Works Cited",
    "5.2 Works cited", "Reference List",
])  # fmt: skip
def test_that_a_reference_list_goes_from_its_heading_to_the_end(heading):
    found = excluded(make_document(BODY, heading, *ENTRIES), LISTED)
    assert {reason for _sentence, reason in found} == {ExclusionReason.REFERENCE}
    assert "".join(sentences(found)).replace(" ", "") == "".join([heading, *ENTRIES]).replace(" ", "")


def test_that_a_reference_list_ends_at_the_next_heading():
    document = document_of(
        (BlockKind.PARAGRAPH, BODY),
        (BlockKind.HEADING, "参考文献"),
        (BlockKind.PARAGRAPH, "王小明，桥的历史。"),
        (BlockKind.HEADING, "后记"),
        (BlockKind.PARAGRAPH, BODY),
    )
    assert sentences(excluded(document, LISTED)) == ["参考文献", "王小明，桥的历史。"]


@pytest.mark.parametrize("line", ["附录", "附录一", "致谢", "Appendix A", "Acknowledgements"])
def test_that_in_plain_text_a_line_that_begins_the_back_matter_ends_the_list(line):
    found = sentences(excluded(make_document(BODY, "参考文献", "王小明，桥的历史。", line, BODY), LISTED))
    assert found == ["参考文献", "王小明，桥的历史。"]


def test_that_a_block_marked_as_a_reference_needs_no_heading():
    document = document_of((BlockKind.PARAGRAPH, BODY), (BlockKind.REFERENCE, "王小明，桥的历史。"))
    assert sentences(excluded(document, LISTED)) == ["王小明，桥的历史。"]


@pytest.mark.parametrize("paragraphs", [
    [f"{BODY}参考文献", LAST_BUS],
    ["参考文献要写在最后。", BODY],
    ["References are listed at the end.", LAST_BUS],
    [f"A sentence of references: {LAST_BUS}"],
])  # fmt: skip
def test_that_reference_words_within_a_sentence_start_no_list(paragraphs):
    assert excluded(make_document(BODY, *paragraphs), LISTED) == []


def test_that_a_table_of_contents_does_not_exclude_the_essay():
    found = excluded(make_document("目录", "参考文献", BODY, LAST_BUS, "参考文献", ENTRIES[1]), LISTED)
    assert "渔船" not in "".join(sentences(found))
    assert sentences(found)[0] == "参考文献"


def test_that_a_heading_above_everything_does_not_exclude_the_essay():
    assert excluded(make_document("References", LAST_BUS), LISTED) == []


# --- several reasons


def test_that_the_first_of_several_exclusion_reasons_is_recorded():
    document = document_of(
        (BlockKind.PARAGRAPH, LAST_BUS),
        (BlockKind.QUOTATION, "去吧。"),
        (BlockKind.QUOTATION, "好。"),
        (BlockKind.REFERENCE, "好！"),
        (BlockKind.PARAGRAPH, "好啊。"),
        (BlockKind.PARAGRAPH, "题目：远足"),
        (BlockKind.PARAGRAPH, "行。"),
        (BlockKind.PARAGRAPH, "三年级2班"),
    )
    settings = ComparisonSettings(prompt="prompt.txt", left_out=left_out("去吧。"))
    comparison = comparison_of(document, settings, prompt="好。好啊。")
    texts = [comparison.left.prepared.sentence_span(i).of(document.text) for i in range(8)]
    common = np.array(["0" * 16 if text in {"好。", "题目：远足"} else "" for text in texts])
    candidates = replace(comparison.exclusion_candidates[0], common=common)
    comparison = reclassify(comparison, settings, (candidates, candidates))
    assert {reason for _i, reason in comparison.left_excluded.sentences()} == set(ExclusionReason)
    counts = [comparison.left_excluded.count(reason) for reason in ExclusionReason]
    assert counts == [ExclusionCount(1, units) for units in (2, 1, 1, 2, 4, 5, 1)]


# --- shares and matches

LEFT = ["天地人和一二三。“桥是会说话的啊。”甲乙丙丁戊己。"]
RIGHT = ["天地人和一二三。“桥是会说话的啊。”子丑寅卯辰巳午未。"]


def test_that_excluded_sentences_leave_both_sides_of_the_fraction():
    comparison = compare(prepared_text_document(*LEFT), prepared_text_document(*RIGHT), QUOTED, None)
    assert comparison.left.prepared.sentence_lengths.tolist() == [7, 7, 6]
    assert comparison.right.prepared.sentence_lengths.tolist() == [7, 7, 8]
    assert comparison.sentence_share == PairShares(Share(14 / 20, 7 / 13), Share(14 / 22, 7 / 15))
    assert [(m.left, m.right) for m in map(comparison.matches.__getitem__, range(1))] == [(0, 0)]
    assert len(comparison.matches) == 1


def test_that_a_quotation_taken_over_without_marks_counts_only_in_the_text_that_does_not_mark_it():
    left = prepared_text_document("“桥是会说话的石头啊。”甲乙丙丁戊己。天地人和一二三四。")
    right = prepared_text_document("桥是会说话的石头啊。子丑寅卯辰巳。")
    comparison = compare(left, right, QUOTED, None)
    assert comparison.share == PairShares(Share(9 / 23, 0.0), Share(9 / 15, 9 / 15))
    assert comparison.sentence_share == comparison.share
    assert comparison.matches.best_of_right.tolist() == [0, -1]
    assert comparison.left_excluded.reason(0) is ExclusionReason.QUOTATION


def test_that_a_sentence_whose_only_partner_is_excluded_otherwise_is_not_similar():
    left = prepared_text_document("好的。天地人和一二三四。")
    right = prepared_text_document("好的呀。子丑寅卯辰巳。")
    comparison = compare(left, right, replace(DEFAULT_SETTINGS, minimum_units=3), None)
    assert comparison.sentence_share == PairShares(Share(2 / 10, 0.0), Share(3 / 9, 0.0))
    assert comparison.matches.best_of_right.tolist() == [-1, -1]


def test_that_excluding_everything_gives_no_share():
    comparison = comparison_of(make_document("好。走吧。"), replace(DEFAULT_SETTINGS, minimum_units=3))
    assert comparison.share == comparison.sentence_share == PairShares(Share(1.0, None), Share(1.0, None))
    assert len(comparison.matches) == 0


SENTENCES = st.lists(
    st.sampled_from([
        "清晨的河面上飘着雾。", "“清晨的河面上飘着雾。”", "清晨的河面飘着一层雾。", "好。", "走吧。",
        "“好。”", "We missed the last bus home.", '"We missed the last bus home."', "Oh!",
        "We missed a last bus home.",
    ]),
    min_size=1, max_size=8,
)  # fmt: skip
PARAGRAPHS = st.lists(st.one_of(SENTENCES.map("".join), st.just("参考文献")), min_size=1, max_size=5)
SETTINGS = st.builds(
    ComparisonSettings,
    exclude_quotations=st.booleans(),
    exclude_references=st.booleans(),
    minimum_units=st.integers(0, 12),
    left_out=st.sampled_from([(), left_out("清晨的河面上飘着雾。"), left_out("好。", "Oh!")]),
    prompt=st.sampled_from([None, "prompt.txt"]),
)


@given(PARAGRAPHS, PARAGRAPHS, SETTINGS, SENTENCES.map("".join))
def test_that_exclusions_never_raise_a_share_above_100_per_cent(left, right, settings, prompt):
    sides = [prepared_text_document(*side) for side in (left, right)]
    comparison = compare(*sides, settings, None, prompt=prepare(make_document(prompt)))
    plain = reclassify(comparison, DEFAULT_SETTINGS)
    for shares, without_exclusions in (
        (comparison.share, plain.share),
        (comparison.sentence_share, plain.sentence_share),
    ):
        for share, whole, excluded_sentences in zip(
            sides_of(shares), sides_of(without_exclusions), comparison.excluded, strict=True
        ):
            assert share.raw == whole.raw == whole.after_exclusions
            assert (share.after_exclusions is None) == (not excluded_sentences.kept.any())
            assert share.after_exclusions is None or 0 <= share.after_exclusions <= 1
    for index in range(len(comparison.matches)):
        match = comparison.matches[index]
        reasons = comparison.left_excluded.reason(match.left), comparison.right_excluded.reason(match.right)
        assert reasons.count(None) == 2 or set(reasons) == {None, ExclusionReason.QUOTATION}


@given(PARAGRAPHS, SETTINGS, SENTENCES.map("".join))
def test_that_a_text_is_wholly_similar_to_itself_whatever_is_excluded(paragraphs, settings, prompt):
    comparison = comparison_of(make_document(*paragraphs), settings, prompt=prompt)
    for share in sides_of(comparison.share):
        assert share in (Share(1.0, 1.0), Share(1.0, None))


@pytest.mark.parametrize(("before", "after", "counts"), [(0, 0, False), (1, 0, True), (0, 1, True)])
def test_that_a_passage_counts_only_for_sentences_that_it_reaches_into(before, after, counts):
    prepared = prepare(make_document("河水清清。石桥很老。渔船慢慢。"))
    start, end = prepared.sentence_spans[1].tolist()
    assert prepared.sentence_spans[:, 0].tolist() == [0, start, end], "no gap between the sentences"
    passages = Passages.of([Passage(Span(start - before, end + after), Span(start, end))])
    middle = ExcludedSentences(np.array([0, 1, 0], np.int8), prepared.sentence_lengths)
    none = ExcludedSentences(np.zeros(3, np.int8), prepared.sentence_lengths)
    sides = CountedText(prepared, middle), CountedText(prepared, none)
    assert len(counted_passages(passages, *sides)) == counts


def first_excluded(text: PreparedText, code: int) -> ExcludedSentences:
    """Exclude the first sentence of a text."""
    codes = np.zeros(text.sentence_count, np.int8)
    codes[0] = code
    return ExcludedSentences(codes, text.sentence_lengths)


def test_that_a_passage_which_begins_in_the_prompt_counts_only_where_their_own_text_is_similar():
    prompt = "请以“难忘的一天”为题，写一篇六百字以上的记叙文，把事情的经过写完整。"
    copied = "村口的那座石桥已经站了一百多年，桥面被来来往往的脚步磨得发亮，我每天都要从桥上走过去上学。"
    code = 1 + list(ExclusionReason).index(ExclusionReason.PROMPT)
    for own in ("爷爷在院子里修自行车，扳手掉进了水缸。", copied):
        texts = [make_document(prompt, own), make_document(prompt, f"图书馆的猫睡着了。{copied}")]
        left, right = (CountedText(text, first_excluded(text, code)) for text in map(prepare, texts))
        whole = Passage(Span(0, len(texts[0].text)), Span(0, len(texts[1].text)))
        found = passages_after_exclusions(Passages.of([whole]), left, right, DEFAULT_SETTINGS.passages)
        expected = [copied] if own == copied else []
        assert [passage.left.of(texts[0].text) for passage in found] == expected
        assert [passage.right.of(texts[1].text) for passage in found] == expected


def test_that_the_second_search_is_freed_with_its_texts():
    prompt = "请以“难忘的一天”为题，写一篇六百字以上的记叙文，把事情的经过写完整。"
    code = 1 + list(ExclusionReason).index(ExclusionReason.PROMPT)
    gc.collect()
    before = len(counted_module._own_terms), len(counted_module._find_passages)
    texts = [make_document(prompt, "爷爷在修车。"), make_document(prompt, "图书馆的猫睡着了。")]
    sides = [CountedText(text, first_excluded(text, code)) for text in map(prepare, texts)]
    whole = Passages.of([Passage(*(Span(0, len(text.text)) for text in texts))])
    passages_after_exclusions(whole, *sides, DEFAULT_SETTINGS.passages)
    assert len(counted_module._own_terms) == before[0] + 2
    assert len(counted_module._find_passages) == before[1] + 1
    del sides
    gc.collect()
    assert (len(counted_module._own_terms), len(counted_module._find_passages)) == before


def test_that_a_passage_of_excluded_sentences_is_hidden_and_restored():
    shared = (
        "村口的那座石桥已经站了一百多年，桥面被来来往往的脚步磨得发亮，我小时候每天都要从桥上走过去上学。"
    )
    own = "今天的天气很好，操场上有很多同学在踢足球，老师站在旁边看着大家。"
    quoting = document_of((BlockKind.PARAGRAPH, own), (BlockKind.QUOTATION, shared))
    settings = ComparisonSettings()
    prepared_document = prepare_document(quoting, settings.recipe)
    other = prepare_document(
        document_of((BlockKind.PARAGRAPH, LAST_BUS), (BlockKind.QUOTATION, shared)), settings.recipe
    )
    comparison = compare(prepared_document, other, settings, None)
    assert comparison.passages == NO_PASSAGES
    with_quotations = reclassify(comparison, replace(settings, exclude_quotations=False))
    assert [p.left.of(quoting.text) for p in with_quotations.passages] == [shared]
    assert reclassify(with_quotations, settings).passages == NO_PASSAGES
