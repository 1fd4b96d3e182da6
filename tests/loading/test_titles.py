"""Titles: labels on covers and in forms, lines that are never a title, and the name of the file."""

import docx
import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Pt

from simcompare.loading import load_document
from simcompare.loading.shared.title_lines import is_never_title, labelled_title
from tests.helpers import essay_files as files

TITLE = "基于深度学习的石桥识别系统的设计与实现"
COVER = ["河北大学", "本科毕业论文（设计）", f"题    目：{TITLE}", "学    院：河流学院", "姓    名：王小明"]


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ([f"题目：{TITLE}"], TITLE),
        ([f"课题名称：____{TITLE}____"], TITLE),
        (["河北大学", "论文题目：", TITLE, "姓名：王小明"], TITLE),
        ([f"毕业论文（设计）题目 {TITLE}"], TITLE),
        ([f"中文题目：{TITLE}", "英文题目：Recognition of Bridges"], TITLE),
        ([f"一、课题名称：{TITLE}"], TITLE),
        ([f"题目：{TITLE}  姓名：王小明"], TITLE),
        ([f"姓名\t王小明\t论文题目\t{TITLE}\t指导教师\t李红"], TITLE),
        (["题\t目：\t石桥识别系统的", "\t设计与实现", "姓\t名：\t王小明"], "石桥识别系统的设计与实现"),
        (["题目：走向大海", "——河流的历史", "专业：水利"], "走向大海——河流的历史"),
        (
            ["题目：基于深度学习的石桥识别", "系统的设计与实现", "学    院：河流学院"],
            "基于深度学习的石桥识别系统的设计与实现",
        ),
        ([f"课题名称：{TITLE}姓  名：王小明"], TITLE),
        ([f"题目：{TITLE}", "Recognition of Stone Bridges", "姓名：王小明"], TITLE),
        (["Title: The River and the Sea", "Name: Li Hua"], "The River and the Sea"),
        (["Thesis Title:", "How Rivers Shape Cities?"], "How Rivers Shape Cities?"),
    ],
)
def test_that_a_label_names_the_title(lines, title):
    assert labelled_title([*lines, *files.CHINESE_PARAGRAPHS]) == title


@pytest.mark.parametrize(
    "lines",
    [
        ["题目：阅读一则新闻，用自己的话写一篇评述，不少于六百字。"],
        ["题目：（三号黑体）"],
        ["论文题目\t指导教师\t成绩", "河流的历史\t李红\t90"],
        ["题目\t答案", "Title\tYear"],
        ["题目：", "学院：河流学院"],
        ["题目", "学院", "专业"],
        ["题目：____", "摘要"],
        ["摘要", f"题目：{TITLE}"],
        [*files.CHINESE_PARAGRAPHS * 12, f"题目：{TITLE}"],
    ],
)
def test_that_an_assignment_an_empty_field_and_a_late_label_name_no_title(lines):
    assert labelled_title(lines) is None


@pytest.mark.parametrize("text", [
    "摘要", "摘 要", "Abstract", "目  录", "Contents", "关键词：河流", "第一章 绪论", "1 引言",
    "1. Introduction", "一、选题背景", "致谢", "学位论文原创性声明", "本科毕业论文", "毕 业 设 计（论文）",
    "硕士学位论文", "课程设计报告", "本科生毕业论文（设计）开题报告", "开题报告", "任务书",
    "《数据结构》课程设计", "大学语文课程论文", "语文作业", "第三中学 语文作业",
    "河北大学", "河北师范大学河流学院",
    "University of Rivers", "River State University", "Bachelor Thesis", "Final Project Report",
    "Research Proposal", "三年级二班", "三年级二班 王小明", "高一（5）班", "计算机2101班",
    "七年级3班  王伟  2026001", "七（3）班 姓名 王伟", "七年级三班 学号 2026001 王伟", "20260101 王伟",
    "王伟 20260101",
    "第三中学 2025—2026学年第一学期", "姓    名：王小明", "学号 20210001", "Course: English 101",
    "2024年5月", "二〇二四年六月", "May 2024", "题目：", "分类号：TP391",
])  # fmt: skip
def test_that_what_covers_and_chapters_say_is_never_a_title(text):
    assert is_never_title(text)


@pytest.mark.parametrize("text", [
    "我的大学", "走进大学", "理想的大学", "时间", "老师", "我们三班", "三年级的我", "第一次做饭", "1984",
    "10 Things I Hate", "2024年的春节", "班级管理研究", "读《红楼梦》有感", "设计的力量", "作业的烦恼",
    "3D打印技术综述", "三年级二班的运动会", "2026年的春节", "My High School", "School Uniforms",
    "Introduction to Rivers", "Essay on Man",
    "The Date", "Life at University", TITLE, files.CHINESE_TITLE,
])  # fmt: skip
def test_that_titles_with_the_words_of_covers_may_be_titles(text):
    assert not is_never_title(text)


@pytest.mark.parametrize("write", [files.write_text, files.write_html, files.write_docx])
def test_that_the_title_on_a_cover_is_the_title_in_every_format(tmp_path, write):
    path = write(tmp_path / "20210001", COVER[0], [*COVER[1:], "摘要", *files.CHINESE_PARAGRAPHS])
    assert load_document(path).title == TITLE


@pytest.mark.parametrize("write", [files.write_text, files.write_html, files.write_docx])
def test_that_a_cover_without_a_title_has_the_name_of_the_file(tmp_path, write):
    lines = ["本科毕业论文", "姓    名：王小明", "摘要", *files.CHINESE_PARAGRAPHS]
    assert load_document(write(tmp_path / "20210001-王小明", "河北大学", lines)).title == "20210001-王小明"


@pytest.mark.parametrize("write", [files.write_text, files.write_html, files.write_docx])
def test_that_a_line_below_the_lines_of_a_cover_is_the_title(tmp_path, write):
    lines = ["本科毕业论文", TITLE, "姓    名：王小明", "摘要", *files.CHINESE_PARAGRAPHS]
    assert load_document(write(tmp_path / "20210001", "河北大学", lines)).title == TITLE
    lines = ["本科毕业论文", "王小明", "摘要", *files.CHINESE_PARAGRAPHS]
    assert load_document(write(tmp_path / "20210001", "河北大学", lines)).title == "20210001"


def test_that_a_prominent_line_below_the_kind_of_paper_is_the_title(tmp_path):
    document = docx.Document()
    for text, size in [
        ("河北大学", 26),
        ("本科毕业论文", 30),
        (TITLE, 22),
        ("姓名：王小明", 14),
        ("摘要", 30),
    ]:
        line = document.add_paragraph()
        line.alignment = WD_ALIGN_PARAGRAPH.CENTER
        line.add_run(text).font.size = Pt(size)
    for text in files.CHINESE_PARAGRAPHS:
        document.add_paragraph(text)
    document.save(tmp_path / "essay.docx")
    assert load_document(tmp_path / "essay.docx").title == TITLE


def test_that_the_heading_of_a_chapter_is_not_the_title(tmp_path):
    document = docx.Document()
    for heading, text in zip(["摘要", "第一章 绪论", "研究方法"], files.CHINESE_PARAGRAPHS, strict=False):
        document.add_heading(heading, level=1)
        document.add_paragraph(text)
    document.save(tmp_path / "第三稿.docx")
    assert load_document(tmp_path / "第三稿.docx").title == "第三稿"


def test_that_a_title_named_in_the_table_of_a_form_is_the_title(tmp_path):
    document = docx.Document()
    document.add_heading("毕业论文开题报告", level=1)
    table = document.add_table(2, 4)
    for row, cells in zip(
        table.rows, [["姓名", "王小明", "学号", "20210001"], ["论文题目", TITLE, "", ""]], strict=True
    ):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    document.add_paragraph(files.CHINESE_PARAGRAPHS[0])
    document.save(tmp_path / "form.docx")
    assert load_document(tmp_path / "form.docx").title == TITLE
