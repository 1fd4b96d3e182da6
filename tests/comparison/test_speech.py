"""Direct speech in a story is the writer's own text; a quotation names its source or is set apart."""

from dataclasses import replace

import pytest

from simcompare.comparison.comparison_result import QUOTED_SHARE, ExclusionReason
from simcompare.comparison.exclusions.excluded_sentences import find_exclusion_candidates
from simcompare.model.settings import ComparisonSettings
from tests.helpers.documents import compare_texts, prepared_text_document

BODY = "清晨的河面上有一层薄薄的雾，渔船慢慢地从芦苇旁边划过去，谁也没有说话。"
ENGLISH_BODY = "On the evening of my fourteenth birthday I missed the last bus home, and it was raining hard."


def quoted(text: str) -> list[str]:
    prepared_document = prepared_text_document(BODY if text[0] > "\u2000" else ENGLISH_BODY, text)
    marked = find_exclusion_candidates(prepared_document).quoted_shares >= QUOTED_SHARE
    return [
        prepared_document.document.text[a:b]
        for a, b in prepared_document.prepared.sentence_spans[marked].tolist()
    ]


@pytest.mark.parametrize(
    "text",
    [
        "父亲回答：“东西旧了可以修理，记忆丢了就很难找回来。”",
        "妈妈笑着对我说：“你看那朵最高的，像不像你踮脚看戏的样子？”",
        "“你怎么现在才回来，天都黑了。”妈妈着急地问。",
        "“今天的作业我已经写完了，”小明说，“我们一起去河边钓鱼吧。”",
        "我心想：“这一次可不能再输给他们班了。”",
        "爷爷喊道：“快上桥来，河水要涨了！往后退，别站在石头上。”",
        "“阿姨，您这是干什么？”",
        "“快跑！要下大雨了！”",
        "爷爷常说：“桥是会说话的，只是说得很慢，要静下来听。”",
        "“桥是会说话的，只是说得很慢。”爷爷总这样说。",
        "“粥怕急火，人怕急躁。”外婆总是这样说。",
        "王老師說：「大家把書翻到第三頁，跟著我讀。」",
        "“Somebody else may come,” he said, “and it is not pleasant to wait alone.”",
        'She said, "The bridge is the oldest in the county and it was built by two brothers."',
        'My mother shouted, "Come down from that old bridge before it gets dark."',
        '"Are you going to wait for the last bus all night?"',
    ],
)
def test_that_direct_speech_in_a_story_is_no_quotation(text):
    assert quoted(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "爱因斯坦曾经说：“想象力比知识更重要，因为知识是有限的，而想象力概括着世界上的一切。”",
        "“桥是会说话的，只是说得很慢。”有一位诗人总这样说。",
        "鲁迅说过：“其实地上本没有路，走的人多了，也便成了路。”",
        "鲁迅先生说：“其实地上本没有路，走的人多了，也便成了路。”",
        'Nelson Mandela said, "Education is the most powerful weapon which you can use to change the world."',
        "俗话说：“只要功夫深，铁杵磨成针，滴水石也穿。”",
        "《论语》中说：“学而时习之，不亦说乎？有朋自远方来，不亦乐乎？”",
        "“问渠那得清如许，为有源头活水来。”（朱熹《观书有感》）",
        "高尔基写道：“书籍是人类进步的阶梯，终生的伴侣，最诚挚的朋友。”",
        "“桥是会说话的，只是说得很慢。”",
        "有句名言：“时间就像海绵里的水，只要愿挤，总还是有的。”",
        "一位历史学家说：“战争的种子早已埋在那份条约里，只等二十年后发芽。”",
        'As one historian said, "The bridge is the oldest in the county and was built by two brothers who '
        'never spoke to each other again."',
        'Shakespeare once said, "All the world is a stage, and all the men and women merely players '
        'that have their exits."',
        '"The bridge is the oldest in the county and was built by two brothers." (Miller, 1998)',
        'Miller writes, "The bridge is the oldest in the county and was built by two brothers."',
    ],
)
def test_that_sourced_or_unspoken_text_in_marks_is_a_quotation(text):
    assert quoted(text), text


def test_that_very_long_speech_is_a_quotation():
    speech = "我们这座桥是清朝的时候修起来的，那时候全村的人都来抬石头，" * 3
    assert quoted(f"爷爷说：“{speech}一直抬到了冬天。”")


def test_that_copied_dialogue_counts_and_does_not_raise_the_net_share():
    own = "清晨的河面上有一层薄薄的雾。父亲回答：“东西旧了可以修理，记忆丢了就很难找回来。”村口的老井干了。"
    other = (
        "秋天的风吹过空荡荡的操场。爸爸回答：“东西旧了可以修理，记忆丢了就很难找回来。”妹妹在门口等我放学。"
    )
    settings = replace(ComparisonSettings(), minimum_units=0)
    comparison = compare_texts(own, other, settings)
    assert len(comparison.matches) == 1
    assert comparison.share.left_in_right.after_exclusions == comparison.share.left_in_right.raw
    assert comparison.left_excluded.count(ExclusionReason.QUOTATION).sentences == 0


@pytest.mark.parametrize(("words", "is_speech"), [(59, True), (62, False)])
def test_that_a_speech_of_more_than_sixty_words_is_a_quotation(words, is_speech):
    text = f"My mother shouted, “Come{' down' * (words - 1)}!”"
    assert (quoted(text) == []) is is_speech
