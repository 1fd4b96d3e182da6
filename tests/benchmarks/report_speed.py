"""Time and memory of the reports of two documents of 300 pages each, in Chinese and in English.

    python tests/benchmarks/report_speed.py [html pdf docx json matches-csv matrix-csv text]

Each format is rendered in a separate process, which has read and compared the documents before: the memory
is the additional memory of rendering. One sentence in five of either document also occurs in the other one.
"""

import os
import random
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare
from simcompare.model.settings import ComparisonSettings
from simcompare.report.evidence import Evidence
from simcompare.report.report_forms import NAMED_FORMS
from simcompare.text.thesaurus import load_thesaurus

CHARACTERS = {"zh": 300_000, "en": 650_000}
SHARED_SENTENCES = 1_500
SHARE_OF_SHARED = 0.2
SAMPLES = Path(__file__).parents[2] / "resources" / "samples"


def ideographs() -> list[str]:
    texts = (
        read_prepared_document(path, "improved").document.text for path in sorted(SAMPLES.glob("*.docx"))
    )
    return sorted({letter for text in texts for letter in text if "\u4e00" <= letter <= "\u9fff"})


def english_words() -> list[str]:
    text = read_prepared_document(SAMPLES / "The last bus.docx", "improved").document.text
    known = sorted({word.strip("“”.,;!?").lower() for word in text.split()} - {""})
    return known + [prefix + word for prefix in ("re", "un", "over", "out") for word in known]


def sentence(chance: random.Random, words: list[str], language: str) -> str:
    if language == "zh":
        return "".join(chance.choices(words, k=chance.randint(12, 40))) + "。"
    return " ".join(chance.choices(words, k=chance.randint(8, 24))).capitalize() + ". "


def document(chance: random.Random, words: list[str], shared: list[str], language: str) -> str:
    paragraphs, size = [], 0
    while size < CHARACTERS[language]:
        sentences = [
            chance.choice(shared) if chance.random() < SHARE_OF_SHARED else sentence(chance, words, language)
            for _number in range(chance.randint(3, 7))
        ]
        paragraphs.append("".join(sentences))
        size += len(paragraphs[-1])
    return "\n".join(paragraphs)


def evidence(language: str) -> Evidence:
    chance, words = random.Random(7), ideographs() if language == "zh" else english_words()
    shared = [sentence(chance, words, language) for _number in range(SHARED_SENTENCES)]
    prepared_documents = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("one.txt", "other.txt"):
            path = Path(folder, name)
            path.write_text(document(chance, words, shared, language), encoding="utf-8")
            prepared_documents.append(read_prepared_document(path, "improved"))
    thesaurus = load_thesaurus("starter")
    return Evidence(
        compare(*prepared_documents, ComparisonSettings(), thesaurus), thesaurus, datetime.now(UTC)
    )


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def measure(form: str, language: str) -> None:
    pair, render = evidence(language), NAMED_FORMS[form].render
    # reset the peak of comparing, to measure that of rendering only
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = resident_mb()
    start, start_cpu = time.perf_counter(), time.process_time()
    report = render(pair)
    seconds, cpu = time.perf_counter() - start, time.process_time() - start_cpu
    high = next(
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")
    )
    peak = int(high.split()[1]) / 1024
    print(
        f"{language} {form:11} {seconds:5.1f} s ({cpu:.1f} s of a processor), {len(report) / 2**20:5.1f} MB; "
        f"memory {before:.0f} MB before, {peak:.0f} MB at most; "
        f"{len(pair.comparison.matches):,} matches; "
        f"load {os.getloadavg()[0]:.1f}"
    )


def main() -> None:
    for form in sys.argv[1:] or NAMED_FORMS:
        for language in CHARACTERS:
            process = get_context("spawn").Process(target=measure, args=[form, language])
            process.start()
            process.join()


if __name__ == "__main__":
    main()
