"""Lines of a task, cover, form or declaration that are equal in two texts: found, and nothing else."""

import pytest

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.comparison.exclusions.name_lines import equal_form_lines
from simcompare.model.settings import ComparisonSettings
from tests.helpers.documents import prepared_text_document, unrelated_essays

SETTINGS = ComparisonSettings(thesaurus="none")
CHINESE = (
    "河滨中学2025—2026学年第二学期",
    "指导教师：（略）",
    "作文题目：写一次难忘的远足。",
    "【要求】叙事完整，语言通顺；不少于六百字。",
    "提示：可以从准备、途中和归来三个方面来写。",
    "诚信承诺：本人保证这篇作文由我独立完成，没有抄袭。",
)
ENGLISH = (
    "Riverside High School",
    "Assignment 2: A day in the hills",
    "Question: Which walk do you remember best, and why?",
    "Write an essay of at least 600 words about a walk in the hills.",
    "I hereby declare that this essay is my own work.",
)
SHEETS = (
    (
        (
            "Riverside High School – English Language and Literature",
            "Coursework Task 3: Personal Narrative",
            "Task: Write about a journey that changed the way you see a place. Write 250 to 400 words.",
            "Question: How does the place change, and what does the change show about the narrator?",
        ),
        (
            "Declaration of authorship",
            "I declare that this work is my own and that no part of it is copied from another student.",
            "I understand that work which is not my own will receive no marks and may be reported.",
        ),
    ),
    (
        (
            "滨江中学 语文作业",
            "第三次写作练习：记叙文",
            "题目：请写一次改变了你对某个地方看法的旅程，不少于四百字，文体为记叙文。",
            "思考：文中的地方前后有什么变化？这种变化说明了叙述者怎样的内心成长？",
        ),
        (
            "诚信声明",
            "我承诺本文由本人独立完成，没有抄袭其他同学的作业或任何公开发表的文章。",
            "我知道如果作业不是本人独立完成，将不予计分，并上报教务处处理。",
        ),
    ),
)
"""Lines of a sheet above and below the essay."""
MATERIAL = "一位老人每天清晨在河边种一棵树，二十年以后，河边成了一片树林。"
ORDER = "阅读下面的材料，根据要求写作。"
RULES = "要求：选好角度，确定立意；不得抄袭；不少于800字。"
LONG_TASK = f"题目：远足。{'我们沿着山路慢慢地走，谁也没有说话，只听见风吹过松林。' * 6}"
OWN = unrelated_essays(2, 7)


def left_out(lines, *ends):
    """Return the text of the sentences that are equal lines of forms in two essays that begin with lines."""
    left, right = (prepared_text_document(*lines, *own, *ends) for own in OWN)
    found = equal_form_lines((left, right))[0]
    if found is None:
        return ""
    spans = [left.prepared.sentence_span(number) for number in range(len(found)) if found[number]]
    return "".join(span.of(left.document.text) for span in spans)


@pytest.mark.parametrize("lines", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_that_the_equal_lines_of_cover_task_and_declaration_are_found(lines):
    assert left_out(lines).replace(" ", "") == "".join(lines).replace(" ", "")


@pytest.mark.parametrize("line", [CHINESE[-1], "我承诺本文由我独立完成。", ENGLISH[-1], "原创性声明"])
def test_that_a_declaration_at_the_end_is_found(line):
    assert left_out((), line) == line


@pytest.mark.parametrize(("above", "below"), SHEETS, ids=["en", "zh"])
def test_that_a_sheet_of_two_essays_is_left_out_and_its_share_is_none(above, below):
    assert left_out(above, *below).replace(" ", "") == "".join(above + below).replace(" ", "")
    left, right = (
        prepared_text_document(*above, f"Name: {name}", *own, *below, f"Signature: {name}")
        for name, own in zip(("Emma Smith", "Liam Jones"), OWN, strict=True)
    )
    assert compare(left, right, SETTINGS, None).share.left_in_right.after_exclusions == 0


@pytest.mark.parametrize(
    "line",
    [
        "Signature: {name} Date: {day} March 2024",
        "I, {name}, declare that this essay is my own original work.",
        "Statement of originality. By submitting this work I certify that it is entirely my own.",
        "Declaration: I confirm that nothing here is copied. Signed: {name} Date: {day} March 2024",
        "本人{name}郑重声明：本文由本人独立完成，没有抄袭他人的作品。",
        "诚信承诺：本人承诺本文由本人独立完成。签名：{name} 日期：2024年3月{day}日",
        "学生签名（手写）：{name}　　日期：2024.3.{day}",
    ],
)
@pytest.mark.parametrize("is_below", [True, False])
def test_that_declarations_and_signatures_differ_only_in_what_is_filled_in(line, is_below):
    names = ("Ann Fields", "Bo Carter") if line.isascii() else ("王伟", "李小明")
    filled_in = [line.format(name=name, day=day) for name, day in zip(names, (12, 13), strict=True)]
    left, right = (
        prepared_text_document(*([*own, text] if is_below else [text, *own]))
        for own, text in zip(OWN, filled_in, strict=True)
    )
    assert compare(left, right, SETTINGS, None).share.left_in_right.after_exclusions == 0


def test_that_the_lines_of_a_poem_between_a_task_and_a_signature_count():
    poem = ("远山如黛", "溪水清清", "松风入梦", "月照归人")
    found = left_out(("题目：山行。", *poem), "原创性声明")
    assert found == "题目：山行。原创性声明"


def test_that_the_rules_below_the_material_and_the_list_below_a_label_are_found():
    assert left_out((ORDER, MATERIAL, RULES)) == ORDER + RULES
    listed = ("Instructions:", "1. Name your sources.", "2. Use your own words.")
    assert left_out(listed) == "".join(listed)


@pytest.mark.parametrize(
    "line",
    [
        "问题：我们为什么要远足？",
        "问题：什么是幸福？怎样得到幸福？",
        "题目：难忘的远足。不少于600字。",
        "题目：什么是幸福？请结合生活谈谈看法。",
        "材料：一位老人在河边种树。近年来，我国的河边多了许多树林。",
        "Question 1: What is happiness? Why do people look for it?",
        "Essay question: Is walking good for people? Discuss.",
        "Topic: Walking. Write at least 600 words.",
    ],
)
def test_that_a_task_of_several_sentences_is_found(line):
    assert left_out((line,)).replace(" ", "") == line.replace(" ", "")


@pytest.mark.parametrize(
    "lines",
    [
        (MATERIAL,),
        ("我的远足", MATERIAL),
        ("The walk we remember best began before sunrise, when the hills were still grey.",),
        ("老师要求我们写一篇不少于六百字的作文，我却一个字也写不出来。",),
        ("根据老师的提示，写作文要先想好题目。",),
        ("I declare that spring has come, and the whole valley agrees with me.",),
        ("题目：远足有什么好处？答：远足使人健康，也使人快乐。",),
        ("Question: What is a walk? Answer: A walk is a journey on foot.",),
        (LONG_TASK,),
        ("问题：什么是幸福？我认为幸福是有人在家里等你。",),
        ("题目：远足。远足使人健康，也使人快乐。这说明远足有益。",),
        ("材料：河边有一片树林。本人去年在那里种过树。",),
        ("Question: What is happiness? I think that it is a cup of tea at home.",),
        ("I would declare that the hill was my own kingdom, had anybody asked me.",),
        ("我向妈妈保证以后独立完成作业，那年夏天却没有一个人去远足。",),
        ("Topic: Walking. Walking makes people healthy. It makes them happy too.",),
        ("Assignment 2: A day in the hills. My father woke us before sunrise.",),
        (MATERIAL, "提示：下雨天路滑，大家走得很慢，老师不停地回头看我们。"),
        ("题目：", "1、远足使人健康，这是我们都知道的道理。"),
        ("要求：", "1、不少于600字。", "2、不得抄袭。", "一、远足使人健康，也使人快乐。"),
        ("注意事项：", f"1. {LONG_TASK}"),
        ("提示：", "1、我认为远足使人健康。"),
        ("我保证过妈妈要学会独立，那年夏天却没有一个人去远足。",),
        ("我承诺过不再抄袭同桌的作业，可是那天早上还是伸手拿了他的本子。",),
        ("参考文献",),
        ("思考：远足使人健康，也使人快乐。",),
        ("我知道抄袭不好，可是那天早上还是伸手拿了他的本子。",),
        ("I understand that the valley was my own world when nobody else was awake.",),
    ],
)
def test_that_a_paragraph_that_both_have_counts(lines):
    assert lines[-1].replace(" ", "") not in left_out(lines).replace(" ", "")


def test_that_only_equal_lines_are_left_out_and_only_on_both_sides():
    left = prepared_text_document(*CHINESE, *OWN[0])
    right = prepared_text_document(CHINESE[2], "【要求】叙事完整，语言通顺；不少于八百字。", *OWN[1])
    found = [digests[digests != ""] for digests in equal_form_lines((left, right))]
    assert found[0].tolist() == found[1].tolist()
    assert len(found[0]) == 2  # the title, and the first half of the rules
    assert equal_form_lines((left, prepared_text_document(*OWN[1]))) == [None, None]


def test_that_two_sheets_of_a_form_alone_are_compared():
    sheet = prepared_text_document(*CHINESE)
    assert compare(sheet, sheet, SETTINGS, None).share.left_in_right.after_exclusions == 1


def test_that_equal_lines_do_not_count_unless_they_are_to():
    left, right = (prepared_text_document(*CHINESE, *own) for own in OWN)
    comparison = compare(left, right, SETTINGS, None)
    assert comparison.share.left_in_right.after_exclusions == 0
    assert comparison.left_excluded.count(ExclusionReason.COMMON).sentences >= len(CHINESE)
    counting = ComparisonSettings(thesaurus="none", exclude_common=False)
    assert compare(left, right, counting, None).share.left_in_right.after_exclusions > 0.2


def test_that_a_passage_from_one_name_line_into_unlike_texts_is_none():
    name = ("姓名：王小明", "班级：高一（5）班")
    left, right = (prepared_text_document(*name, *CHINESE, *own) for own in OWN)
    assert compare(left, right, SETTINGS, None).share.left_in_right.after_exclusions == 0


def test_that_a_story_that_begins_like_instructions_counts():
    story = "Instructions: to bake the loaf my grandmother taught me, forgive whoever annoyed you today."
    assert not left_out((story, "Then cover it with her blue cloth."))
