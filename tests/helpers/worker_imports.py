"""Import for side effects in the fork server: all that workers need, whatever they do and read.

It also fills caches that a worker would fill at its first task: thesaurus, pinyin, templates, list of fonts.
"""

from datetime import UTC, datetime
from pathlib import Path

import pypdfium2  # noqa: F401

import simcompare.cohort.preloaded
import simcompare.evaluation.batch_worker
import simcompare.export.export_tasks
import simcompare.loading.formats.docx.docx_reader
import simcompare.loading.formats.pdf.pdf_reader
import simcompare.loading.formats.plain.text_reader
import simcompare.loading.formats.web.html_page
import simcompare.redaction.redacted_class
import simcompare.report.annotated.annotations
import simcompare.report.pdf_report
import simcompare.report.word_report  # noqa: F401
from simcompare.comparison.compare_documents import compare
from simcompare.comparison.prepared_document import prepare_document
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.chinese_names import pinyin_keys
from simcompare.report.evidence import Evidence
from simcompare.report.html_report import render_html
from simcompare.report.pdf_report import report_fonts
from simcompare.text.thesaurus import STARTER, load_thesaurus

load_thesaurus(STARTER)
pinyin_keys("Li Xiaoming")
report_fonts()
_TEXT = prepare_document(load_pasted(Path("text"), PastedText("雾锁石桥。")), "improved")
render_html(
    Evidence(compare(_TEXT, _TEXT, ComparisonSettings(), None), None, datetime(2024, 5, 6, tzinfo=UTC))
)
