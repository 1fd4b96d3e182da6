"""Sample files with many names of students, and the roster of these students."""

import shutil
from datetime import datetime
from functools import cache
from io import BytesIO
from pathlib import Path

import docx
from docx.shared import Pt

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.pseudonyms.students import Student
from simcompare.report.evidence import Evidence
from simcompare.session.decisions import (
    Decision,
    MatchKey,
    NotedDecision,
    PairReview,
    PassageKeys,
    index_sentences,
)
from simcompare.text.thesaurus import load_thesaurus

SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
LISTED = (
    Student(("张三",), ("20231234",)),
    Student(("李小明",), ("20231235",)),
    Student(("John Smith",)),
    Student(("Mary-Ann O'Neil",)),
    Student(("欧阳娜娜",)),
)
SECRET = "5e" * 16
ON_PASSAGE = "张三 says that Mary-Ann O'Neil wrote it down in class"


def write_bridges(folder):
    """Write two Word files of real text with names in all parts, and a web page."""
    left = folder / "三年级2班_张三_20231234_作文.docx"
    right = folder / "李小明 石桥记 (Smith, John).docx"
    page = folder / "欧阳娜娜 心中的桥.html"
    plant(SAMPLES / "家乡的石桥.docx", left)
    plant(SAMPLES / "桥的故事.docx", right)
    html = (SAMPLES / "心中的桥.html").read_text(encoding="utf-8")
    page.write_text(html.replace("<p>", "<p>欧阳娜娜和張三说，", 1), encoding="utf-8")
    return left, right, page


def plant(sample, place):
    """Copy a sample and put names into its texts, notes, properties, links and parts."""
    place.write_bytes(planted(sample))


@cache
def planted(sample):
    document = docx.Document(str(sample))
    first = document.paragraphs[0].insert_paragraph_before()
    # a name in three runs, the middle one bold and larger
    first.add_run("作者：李")
    middle = first.add_run("小")
    middle.bold, middle.font.size = True, Pt(20)
    first.add_run("明，学号２０２３ １２３５，和 張三（20231234）、John ")
    first.add_run("Smith 一起写成。")
    for number, paragraph in enumerate(document.paragraphs):
        if number % 3 == 2 and paragraph.runs:
            paragraph.add_run("张 三常和小明、J. Smith 来这里，Mary-Ann O’Neil也来。")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "欧阳娜娜", "SMITH, JOHN"
    section = document.sections[0]
    section.header.paragraphs[0].text = "张三 20231234"
    section.footer.paragraphs[0].text = "john.smith@example.org"
    properties = document.core_properties
    properties.author, properties.last_modified_by = "张三", "李小明"
    properties.title, properties.keywords, properties.comments = "李小明的石桥", "张三", "Mary-Ann O'Neil"
    link = document.part.relate_to(
        "file:///C:/Users/%E5%BC%A0%E4%B8%89/%E6%A1%A5.docx",
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink",
        is_external=True,
    )
    first._p.append(
        docx.oxml.parse_xml(
            f'<w:hyperlink {docx.oxml.ns.nsdecls("w", "r")} r:id="{link}" w:tooltip="张三">'
            "<w:r><w:t>原文</w:t></w:r></w:hyperlink>"
        )
    )
    first._p.append(
        docx.oxml.parse_xml(
            f'<w:ins {docx.oxml.ns.nsdecls("w")} w:id="901" w:author="李小明" w:date="2024-01-01T00:00:00Z">'
            "<w:r><w:t>（张三改）</w:t></w:r></w:ins>"
        )
    )
    called = document.add_paragraph()
    for text in (
        "小欧",
        "阳、李·小",
        "明、明同学和N. Ouy",
        "ang、L.Xiaoming、X. Li、Johnny、Jonh写信到 js99@",
        "school.example，电话138123",
        "45678。",
    ):
        called.add_run(text)
    # a name that is complete once a tracked change is accepted, and one that was complete before a change
    revised = document.paragraphs[-1].insert_paragraph_before()
    for kind, text in (("", "欧"), ("del", "洋"), ("", "阳娜娜，"), ("", "李小"), ("ins", "小"), ("", "明")):
        revised._p.append(docx.oxml.parse_xml(changed_run(kind, text)))
    document.add_comment(first.runs[0], "张三写得好", author="John Smith", initials="JS")
    data = BytesIO()
    document.save(data)
    return data.getvalue()


def changed_run(kind, text):
    """A run in a tracked change ("ins", "del"), or without one."""
    space, tag = docx.oxml.ns.nsdecls("w"), "delText" if kind == "del" else "t"
    run = f"<w:r {space}><w:{tag}>{text}</w:{tag}></w:r>"
    return f'<w:{kind} {space} w:id="902" w:author="李小明">{run}</w:{kind}>' if kind else run


def copy_buses(folder):
    """Copy a Word file and a PDF in English to files named after students."""
    left, right = folder / "Smith_John_essay2.docx", folder / "essay-Mary-Ann O'Neil (12).pdf"
    shutil.copy(SAMPLES / "The last bus.docx", left)
    shutil.copy(SAMPLES / "Waiting for the last bus.pdf", right)
    return left, right


def evidence_of(left, right, **chosen):
    """Compare two files; decisions on the pair, a match and a passage, with notes that name students."""
    thesaurus = load_thesaurus("starter")
    settings = ComparisonSettings(**chosen)
    comparison = compare(
        *(read_prepared_document(path, "improved") for path in (left, right)), settings, thesaurus
    )
    match = comparison.matches[0]
    indexes = [index_sentences(side.prepared) for side in (comparison.left, comparison.right)]
    keys = [index.keys for index in indexes]
    passages = numbered_passages(comparison)
    longest = max(passages, key=lambda passage: len(passage.matches)).number - 1
    passage = PassageKeys(comparison, passages, *indexes).key(longest)
    review = PairReview(
        NotedDecision(Decision.COPIED, "张三 copied from J. Smith, asked 20231235"),
        {
            MatchKey(keys[0][match.left], keys[1][match.right]): NotedDecision(
                None, "问过小明和Mary-Ann O'Neil"
            )
        },
        {passage: NotedDecision(Decision.FINE, ON_PASSAGE)},
    )
    return Evidence(comparison, thesaurus, datetime(2024, 5, 6, 7, 8), review)


def names_of(*files, listed=LISTED, secret=SECRET):
    return make_pseudonyms(propose(files, listed), listed, secret)


def replaced(name, text):
    """Replace the name of the only student of a class in a text."""
    return make_pseudonyms([], [Student((name,))]).replaced(text)
