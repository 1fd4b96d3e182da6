"""Comparisons of short texts, and a small Chinese catalogue of messages."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.model.settings import ComparisonSettings
from simcompare.report.evidence import Evidence
from simcompare.session.decisions import PairReview, PassageKeys, index_sentences
from simcompare.text.thesaurus import load_thesaurus

BRIDGE = """家乡的石桥
村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。每到夏天傍晚，老人们搬着竹椅来桥头乘凉。

它没有美丽的花纹，也没有著名的来历，可是大家都非常喜欢它。我小时候常坐在栏杆上数过路的船。
"""
BRIDGE_REWORDED = """石桥记
我的老家在一条小河边。村口的那座石桥已经站了一百多年，桥面被脚步磨得发亮。

每到夏天的傍晚，老人们搬着竹椅来到桥头乘凉。大家都十分喜爱它，不过它没有漂亮的花纹，也没有有名的来历。
"""

QUOTING = """我的老家在一条小河边，河上有一座石桥。爷爷总说：好桥不说话。
“桥是会说话的，只是说得很慢。”好美。
参考文献
王小明，《桥的历史》，河流出版社。
"""
"""Two compared sentences; a quotation and a short sentence; a reference list of two sentences."""


def comparison_of(
    folder, left, right, *, names=("left.txt", "right.txt"), settings=None, thesaurus="starter"
):
    """Compare two texts read from files; `names` become the file names of the comparison."""
    prepared_documents = []
    for number, (text, name) in enumerate(zip((left, right), names, strict=True)):
        path = folder / f"{number}.txt"
        path.write_text(text, encoding="utf-8")
        prepared_document = read_prepared_document(path, "improved")
        prepared_documents.append(
            replace(prepared_document, document=replace(prepared_document.document, path=Path(name)))
        )
    return compare(*prepared_documents, settings or ComparisonSettings(), load_thesaurus(thesaurus))


def put_chinese_catalogue(folder, monkeypatch, **texts):
    """Replace the Chinese messages by these texts; keywords are the English texts with _ for spaces."""
    catalogue = Catalog(locale="zh")
    for english, chinese in texts.items():
        catalogue.add(english.replace("_", " "), chinese)
    place = folder / "zh" / "LC_MESSAGES" / "simcompare.mo"
    place.parent.mkdir(parents=True)
    with place.open("wb") as file:
        write_mo(file, catalogue)
    monkeypatch.setattr("simcompare.support.i18n.resource_path", lambda *parts: folder)


def evidence_of(comparison, made_at=datetime(2024, 5, 6, 7, 8), **fields):
    """Evidence of a comparison for reports."""
    return Evidence(comparison, load_thesaurus(comparison.settings.thesaurus), made_at, **fields)


def review_of_passage(comparison, index, noted_decision):
    """Return a review with a decision on one passage, by its index."""
    sides = (index_sentences(side.prepared) for side in (comparison.left, comparison.right))
    keys = PassageKeys(comparison, numbered_passages(comparison), *sides)
    return PairReview(passages={keys.key(index): noted_decision})
