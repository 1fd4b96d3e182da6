"""Reference lists: which lines belong to them, and where the writer's own text begins again."""

import docx
import pytest

from simcompare.loading import load_document
from simcompare.loading.shared.reference_lists import LineForm, line_form, marked_references
from simcompare.model.document import BlockKind
from tests.helpers import essay_files as files

STANDARD = [
    "[1] 王小明, 李红. 基于深度学习的桥梁识别方法研究[J]. 河流学报, 2019, 42(3): 512-525.",
    "[2] 赵河，罗江．桥的概念：力学［M］．北京：河流出版社，1995．",
    "[3] 张石. 我国农村石桥保护问题研究[D]. 武汉: 江河大学, 2018.",
    "[4] 谢桥.创造学习的新思路[N].河流日报,1998-12-25(10).",
    "[5] 萧渡. 古桥信息化迈入快车道[EB/OL]. (2001-12-19)[2002-04-15]. http://www.example.org/200112190019.html.",
    "[6] Ford J, Bridge A, Stone B, et al. Rivers are all you need[C]//Advances in Rivers. 2017: 5998-6008.",
]
OLD_CHINESE = [
    "1. 王小明：《桥的历史》，北京：河流出版社，2019年版，第12页。",
    "2、费石：《河边中国》，江河人民出版社2006年版。",
    "（3）李渡《河的历程》，河流出版社，1981年",
    "④ 朱舟：《谈桥》，载《河流心理学》，江河大学出版社，2005年。",
    "吴桥，石拱桥传，三河书店，1965年。",
    "5. 《中华人民共和国河流法》，2020年5月28日通过。",
]
APA = [
    "Smith, J. A., & Jones, B. C. (2019). The rivers of the north and what they tell us. Journal of Rivers, "
    "45(3), 123–145. https://doi.org/10.1016/j.rivers.2019.01.001",
    "World River Organization. (2021, March 4). Floods and what you should know.",
    "van der Berg, P. (1998). Bridges of the south. River Press.",
    "Brown, T. (n.d.). How we learn to swim. Retrieved May 4, 2018, from http://www.example.org",
    "Office for Rivers (2018) Estimates of water. London: ONS.",
]
MLA = [
    "Achebe, Maria. Rivers Fall Apart. Heinemann, 1958.",
    '---. "Conflicting Bridges: The Voice of the River." Tulsa Studies, vol. 15, no. 1, 1996, pp. 41-50.',
    "“How to Cross a River.” eHow, www.example.org/how_10727.html. Accessed 24 Feb. 2009.",
    "Gill, Paula, and Neal Lerner. The Guide to Rivers. Allyn and Bacon, 2000.",
]
IEEE = [
    '[1] J. K. Stone, "Name of a river," Trans. Rivers, vol. 1, no. 2, pp. 1-9, Jan. 2013.',
    "[2] B. Klaus and P. Horn, River Vision. Cambridge, MA, USA: River Press, 1986.",
    "Satoshi Kawa. 2006. On-Demand Rivers. In Proceedings of RIVER 2006, Sydney.",
    "Brook AM (1950) Computing rivers and intelligence. Water 59:433–460",
    "1. Brook JD, Ford FH. Structure of water. Rivers. 1953;171(4356):737-8.",
]
STYLES = {"standard": STANDARD, "old": OLD_CHINESE, "apa": APA, "mla": MLA, "ieee": IEEE}
BIOGRAPHY = (
    "Jane Stone received the Ph.D. degree in hydrology from River University, Cambridge, in 2010. She is "
    "currently a professor with the University of the North. Her research interests include bridges."
)
OWN_TEXT = [
    "本课题设计一个古桥档案系统，系统采用前后端分离的架构，数据库选择MySQL 8.0。",
    "王小明（2019）认为，桥梁的历史反映了城市的发展；李红（2020）则指出，这一观点需要更多的史料支持[3]。",
    "根据《2023年河流报告》，我国内河货运量达到50.2亿吨，同比增长10.3%，占总量的41.5%。",
    "According to Smith et al. (2019), the number of bridges doubled between 1850 and 1900.",
    "Rivers have been central to the growth of cities (Smith, 2019; Jones & Brown, 2020).",
    BIOGRAPHY,
]
SCHEDULE = [
    "四、研究进度安排",
    "2024年3月1日—3月15日：查阅文献资料，完成开题报告；",
    "第3-8周 建立古桥档案，设计系统",
]


def referenced(texts, *, kinds=None):
    """Return the lines marked as references."""
    marked = marked_references(kinds or [BlockKind.PARAGRAPH] * len(texts), texts)
    return [text for text, kind in zip(texts, marked, strict=True) if kind is BlockKind.REFERENCE]


def referenced_in(path):
    document = load_document(path)
    return [b.span.of(document.text) for b in document.blocks if b.kind is BlockKind.REFERENCE]


@pytest.mark.parametrize("entry", [entry for style in STYLES.values() for entry in style])
def test_that_an_entry_of_any_style_is_recognised(entry):
    assert line_form(entry) is LineForm.ENTRY


@pytest.mark.parametrize("text", [*OWN_TEXT, *files.CHINESE_PARAGRAPHS, *files.ENGLISH_PARAGRAPHS])
def test_that_running_text_with_citations_is_no_entry(text):
    assert line_form(text) is LineForm.TEXT


@pytest.mark.parametrize("write", [files.write_text, files.write_html, files.write_docx])
def test_that_a_list_in_the_middle_of_a_proposal_ends_before_the_next_section(tmp_path, write):
    before = ["一、选题背景", *OWN_TEXT[:3], "二、研究内容", *files.CHINESE_PARAGRAPHS]
    entries = ["三、主要参考文献（不少于6篇）", *STANDARD]
    path = write(tmp_path / "essay", "开题报告", [*before, *entries, *SCHEDULE, *files.CHINESE_PARAGRAPHS])
    assert referenced_in(path) == entries


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("behind", [OWN_TEXT[:1], ["五、进度安排", *OWN_TEXT[1:3]], [BIOGRAPHY], SCHEDULE])
def test_that_a_list_of_any_style_ends_where_its_entries_end(style, behind):
    entries = ["四、参考文献" if behind[0].startswith("五") else "三、参考文献", *STYLES[style]]
    assert referenced([*OWN_TEXT, *entries, *behind]) == entries


def test_that_materials_named_in_an_introduction_end_at_the_next_chapter():
    materials = ["1.4 参考资料", "《河流系统需求说明书》", "MySQL 官方文档", "桥梁设计规范"]
    texts = ["1 引言", OWN_TEXT[0], *materials, "2 总体设计", "2.1 需求规定", *OWN_TEXT, "3 接口设计"]
    assert referenced(texts) == materials
    assert referenced([*texts[:6], "1.5 术语", *texts[6:]]) == materials


def test_that_a_running_header_within_a_list_does_not_begin_it_again():
    entries = ["参考文献", *STANDARD[:3], "参考文献", *STANDARD[3:]]
    assert referenced([*OWN_TEXT, *entries, *files.CHINESE_PARAGRAPHS]) == entries


def test_that_entries_with_a_heading_style_are_in_the_list(tmp_path):
    document = docx.Document()
    document.add_paragraph(OWN_TEXT[0])
    for text in ["参考文献", *STANDARD, "附件"]:
        document.add_heading(text, level=2)
    document.add_paragraph(OWN_TEXT[1])
    document.save(tmp_path / "essay.docx")
    assert referenced_in(tmp_path / "essay.docx") == ["参考文献", *STANDARD]


@pytest.mark.parametrize(
    "heading", ["Appendix A: Questions", "About the Authors", "Author biographies", "Acknowledgments"]
)
def test_that_back_matter_behind_english_references_is_own_text(heading):
    texts = [*files.ENGLISH_PARAGRAPHS, "References", *APA, heading, "Did you cross the river?", BIOGRAPHY]
    assert referenced(texts) == ["References", *APA]


def test_that_biographies_without_a_heading_end_the_list():
    assert referenced([*files.ENGLISH_PARAGRAPHS, "References", *IEEE, BIOGRAPHY]) == ["References", *IEEE]


def test_that_the_lines_of_an_entry_are_in_the_list():
    lines = [
        "References",
        "[1] J. K. Stone and A. Ford, “The long name of a river that flows",
        "through the northern plains and into",
        "the sea,” Trans. Rivers, vol. 1, pp. 1-9, 2013.",
        "Gill, Paula, and Neal Lerner. The Guide to Rivers, Allyn and",
        "Bacon Brothers, 2000.",
    ]
    assert referenced([*files.ENGLISH_PARAGRAPHS, *lines, *files.ENGLISH_PARAGRAPHS]) == lines


def test_that_a_line_of_an_entry_with_the_words_of_a_sentence_does_not_end_the_list():
    lines = [
        "3. References",
        "Müller, H.-J., & Åström, K. (2005). Is",
        "it possible to know what they think? In",
        "R. Adams (Ed.), Minds and rivers (pp. 12-40). Oxford: Stone.",
        APA[0],
    ]
    assert referenced([*files.ENGLISH_PARAGRAPHS, *lines, BIOGRAPHY]) == lines


def test_that_numbered_materials_are_not_taken_for_chapters():
    materials = [
        "1.4 参考资料",
        "1. 《河流系统设计》，河流出版社，2015年",
        "2. 桥梁设计规范",
        "3. MySQL 官方文档",
    ]
    texts = ["1 引言", OWN_TEXT[0], *materials, "1.5 术语", *OWN_TEXT]
    assert referenced(texts) == materials


def test_that_the_fields_behind_a_list_in_a_proposal_are_not_in_it():
    fields = ["指导教师意见：", "签名：", "年 月 日"]
    texts = [OWN_TEXT[0], "参考文献", *STANDARD, *fields, "附录", OWN_TEXT[1]]
    assert referenced(texts) == texts[1:8]
    rows = ["阶段\t时间\t内容", "1\t2024.3.1-2024.3.31\t查阅文献", "2\t2024.4\t设计系统"]
    texts = [OWN_TEXT[0], "参考文献", *STANDARD, *rows, "系统设计", OWN_TEXT[1]]
    kinds = [*[BlockKind.PARAGRAPH] * 8, *[BlockKind.TABLE_ROW] * 3, BlockKind.HEADING, BlockKind.PARAGRAPH]
    assert referenced(texts, kinds=kinds) == texts[1:8]


def test_that_headings_of_parts_of_a_list_are_in_it():
    lines = ["参考文献", "一、中文文献", *STANDARD[:3], "二、外文文献", *APA]
    assert referenced([*OWN_TEXT, *lines, "后记", OWN_TEXT[0]]) == lines


def test_that_remarks_on_the_sources_are_own_text():
    remarks = [OWN_TEXT[0], BIOGRAPHY]
    texts = [OWN_TEXT[1], "Annotated Bibliography", APA[0], remarks[0], APA[2], remarks[1], APA[3]]
    assert referenced(texts) == [text for text in texts[1:] if text not in remarks]


def test_that_the_list_in_a_row_of_a_form_is_marked():
    row = "主要参考文献\t" + " ".join(STANDARD)
    rows = ["选题意义\t" + OWN_TEXT[0], row, "进度安排\t2024年3月：查阅文献", "预期成果\t" + OWN_TEXT[1]]
    assert referenced(rows, kinds=[BlockKind.TABLE_ROW] * 4) == [row]
    assert referenced([OWN_TEXT[0], "参考文献：" + OWN_TEXT[1]]) == []


def test_that_a_table_of_contents_marks_nothing():
    contents = ["绪论", "三、参考文献", "四、致谢", "参考文献", "附录"]
    assert referenced([OWN_TEXT[0], *contents, *OWN_TEXT[1:]]) == []


def test_that_footnotes_behind_the_list_are_marked_if_they_are_entries():
    texts = [OWN_TEXT[0], "参考文献", STANDARD[0], OWN_TEXT[1], STANDARD[1]]
    kinds = [*[BlockKind.PARAGRAPH] * 3, *[BlockKind.FOOTNOTE] * 2]
    assert referenced(texts, kinds=kinds) == [*texts[1:3], STANDARD[1]]


@pytest.mark.parametrize("heading", [[], ["§¶†‡"]])
@pytest.mark.parametrize("mark", ["[{}] ", "［{}］", "{}. ", "({}) "])
def test_that_a_list_is_known_by_its_entries_alone(heading, mark):
    entries = [
        mark.format(n) + entry.partition("] ")[2]
        for n, entry in enumerate(STANDARD[:1] + STANDARD[2:3] + STANDARD[5:], 1)
    ]
    assert referenced([*OWN_TEXT[:2], *heading, *entries, "致谢", OWN_TEXT[0]]) == entries


@pytest.mark.parametrize("write", [files.write_text, files.write_html, files.write_docx])
def test_that_a_list_without_a_heading_is_marked_in_files(tmp_path, write):
    suffix = {"write_text": "txt", "write_html": "html", "write_docx": "docx"}[write.__name__]
    path = write(tmp_path / f"essay.{suffix}", "古桥", [*OWN_TEXT[:2], *(STANDARD[n] for n in (0, 1, 2, 3))])
    assert referenced_in(path) == STANDARD[:4]


@pytest.mark.parametrize(
    "arguments",
    [
        [
            "[1] 首先，桥梁的历史反映了城市的发展，这一点在2019年的报告中得到证明。",
            "[2] 其次，李红（2020）指出，这一观点需要更多的史料支持。",
            "[3] 最后，我们还应该看到江河大学出版社的作用。",
        ],
        [
            "1. In 2019, the University of the North opened its press.",
            "2. In 2020, the Journal of Rivers followed, and people read it.",
            "3. In 2021, all was well.",
        ],
        ["1. 《骆驼祥子》", "2. 《四世同堂》", "3. 《茶馆》"],
    ],
)
def test_that_numbered_arguments_are_no_list_of_references(arguments):
    assert referenced([OWN_TEXT[0], *arguments, OWN_TEXT[1]]) == []
