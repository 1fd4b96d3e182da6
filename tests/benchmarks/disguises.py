"""Copies that are short, cut into lines or disguised: what is found of them.

    python -m tests.benchmarks.disguises [--bench FOLDER] [--parts short,disguises]

"short": plagdet on passages of two or three sentences (60 to 86 characters) of one article of `zh-dev` put
into another one, verbatim, with sentences exchanged, or with a character in ten dropped. "disguises": share
and sentence share of a text in its source after exclusions, of which it is a verbatim copy but for the
disguise; mean of 12 texts. Prints Markdown.
"""

import argparse
import random
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import cycle, islice
from pathlib import Path

from pypinyin import lazy_pinyin

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.passages.passage_detection import find_passages
from simcompare.comparison.prepared_document import prepare_document
from simcompare.loading import load_document
from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.text.prepared_text import words_of_text
from simcompare.text.thesaurus import load_thesaurus
from tests.benchmarks.detection import GoldSpans, Text, load_bench, load_scorer
from tests.helpers.documents import SHARED, document_of
from tests.helpers.essay_files import write_body_xml
from tests.helpers.passages import terms_of

SHORT_PAIRS = 120
SHORTEST, LONGEST = 60, 86

TEXTS, CHARACTERS = 12, {"pan13-dev": 3_000, "zh-dev": 1_000}
SENTENCE = re.compile(r"[^。！？\n]{8,}[。！？]")
HAN = re.compile("[\u4e00-\u9fff]")
WHITE = '<w:color w:val="FFFFFF"/>'
TINY = '<w:sz w:val="2"/>'


def short_copies(texts: Sequence[str]) -> Iterator[tuple[str, str, GoldSpans]]:
    """Yield texts, sources, and the spans of a short passage that the first one has from the second."""
    draw = random.Random(5)
    for kind in islice(cycle(("verbatim", "exchanged", "dropped")), SHORT_PAIRS):
        while True:
            host, source = draw.sample(texts, 2)
            passage = _short_passage(source, draw)
            places = [match.end() for match in SENTENCE.finditer(host)]
            if passage and places:
                break
        copy = _altered(passage, kind, draw)
        start, begin = draw.choice(places), source.index(passage)
        yield (
            host[:start] + copy + host[start:],
            source,
            (start, start + len(copy), begin, begin + len(passage)),
        )


def _short_passage(text: str, draw: random.Random) -> str | None:
    found = list(SENTENCE.finditer(text))
    passages = [
        text[found[n].start() : found[n + count - 1].end()]
        for count in (2, 3)
        for n in range(len(found) - count + 1)
    ]
    passages = [each for each in passages if SHORTEST <= len(each) <= LONGEST and "\n" not in each]
    return draw.choice(passages) if passages else None


def _altered(passage: str, kind: str, draw: random.Random) -> str:
    if kind == "exchanged":
        sentences = SENTENCE.findall(passage)
        return "".join(sentences[1:] + sentences[:1])
    if kind == "dropped":
        return "".join(c for c in passage if c in "。！？" or draw.random() > 0.1)
    return passage


def print_short(folder: Path) -> None:
    texts = [
        text.document.text for text in load_bench(folder, "zh-dev").texts() if text.path.parent.name == "src"
    ]
    pairs = list(short_copies(texts))
    plagdet = load_scorer(folder).plagdet
    print("\n| least words in Chinese | plagdet | precision | recall | granularity |\n|--:|--:|--:|--:|--:|")
    usual = PRESETS["balanced"].passages
    assert usual is not None
    for least in (usual.least_words, usual.least_words_chinese):
        settings = replace(usual, least_words_chinese=least)
        entries = [
            (
                [gold],
                [
                    (p.left.start, p.left.end, p.right.start, p.right.end)
                    for p in find_passages(terms_of(left), terms_of(right), settings)
                ],
            )
            for left, right, gold in pairs
        ]
        print(f"| {least} | {' | '.join(f'{figure:.4f}' for figure in plagdet(entries))} |")


# --- disguises: each makes the body of a Word file of a text


def _run(text: str, look: str = "") -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def _paragraphs(lines: Sequence[str]) -> str:
    return "".join(f"<w:p>{_run(line)}</w:p>" for line in lines if line.strip())


def _lines(paragraph: str, width: int) -> list[str]:
    """Wrap a paragraph: English at blanks, Chinese at a width."""
    if HAN.search(paragraph):
        return re.findall(rf".{{1,{width // 2}}}[，。；、！？]?", paragraph)
    return re.findall(rf"\S.{{0,{width}}}(?=\s|$)", paragraph)


def _each_line(width: int) -> Callable[[str], str]:
    return lambda text: _paragraphs([line for p in text.split("\n") for line in _lines(p, width)])


def _shift_enter(text: str) -> str:
    return "".join(
        f"<w:p>{'<w:r><w:br/></w:r>'.join(map(_run, _lines(p, 60)))}</w:p>"
        for p in text.split("\n")
        if p.strip()
    )


def _for_blanks(look: str) -> Callable[[str], str]:
    return lambda text: "".join(
        f"<w:p>{_run('x', look).join(map(_run, p.split()))}</w:p>" for p in text.split("\n") if p.strip()
    )


def _white_stops(text: str) -> str:
    return "".join(
        f"<w:p>{_run('。', WHITE).join(map(_run, re.findall('.{1,6}', p)))}</w:p>"
        for p in text.split("\n")
        if p.strip()
    )


def _changed(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: _paragraphs([change(line) for line in text.split("\n")])


def _stops_inside(line: str) -> str:
    return "。".join(re.findall(".{1,4}", line)) if HAN.search(line) else line


def _shuffled(line: str) -> str:
    draw = random.Random(3)
    parts = [list(part) for part in re.findall(".{1,8}", line)] if HAN.search(line) else []
    for part in parts:
        draw.shuffle(part)
    return "".join(c for part in parts for c in part) or line


@cache
def _homophones() -> dict[str, list[str]]:
    sounds = defaultdict(list)
    for code in range(0x4E00, 0x8000):
        character = chr(code)
        if len(character.encode("gb2312", "ignore")) == 2:
            sounds[lazy_pinyin(character)[0]].append(character)
    return sounds


def _homophonous(line: str) -> str:
    draw = random.Random(4)

    def sounding_alike(match: re.Match[str]) -> str:
        if draw.random() >= 0.6:
            return match[0]
        sounds = zip(lazy_pinyin(match[0]), match[0], strict=True)
        return "".join(draw.choice(_homophones().get(sound) or [c]) for sound, c in sounds)

    return re.sub("[\u4e00-\u9fff]{1,2}", sounding_alike, line)


def _replaced(line: str) -> str:
    """Replace three quarters of the words by words of the same length from the end of the list."""
    draw = random.Random(6)
    words = words_of_text(line)
    others = words_of_text("".join(reversed(line))) if HAN.search(line) else [w[::-1] for w in words]
    mixed = [w if draw.random() > 0.75 or not others else draw.choice(others) for w in words]
    end = "。" if HAN.search(line) else "."
    return ("" if HAN.search(line) else " ").join(mixed) + end


DISGUISES = {
    "none": _changed(lambda line: line),
    "lines of 20 letters or 10 characters": _each_line(20),
    "lines of 34 letters or 17 characters": _each_line(34),
    "lines of 72 letters or 36 characters": _each_line(72),
    "Shift+Enter after 60 letters or 30 characters": _shift_enter,
    "white letters for blanks": _for_blanks(WHITE),
    "tiny letters for blanks": _for_blanks(TINY),
    "white full stops after six characters": _white_stops,
    "a full stop after four characters (zh)": _changed(_stops_inside),
    "characters shuffled in eights (zh)": _changed(_shuffled),
    "homophones for 60% of the words (zh)": _changed(_homophonous),
    "three quarters of the words replaced": _changed(_replaced),
}


def _shares(body: str, source: str, settings: ComparisonSettings) -> tuple[float, float, bool]:
    """Return share and sentence share of a disguised text, and whether its receipt has a doubt."""
    with tempfile.TemporaryDirectory() as folder:
        document = load_document(write_body_xml(Path(folder) / "case.docx", body))
    sides = prepare_document(document, "improved"), prepare_document(document_of(source), "improved")
    comparison = compare(*sides, settings, load_thesaurus(settings.thesaurus))
    shares = comparison.share.left_in_right, comparison.sentence_share.left_in_right
    share, sentence_share = (each.after_exclusions or 0.0 for each in shares)
    return share, sentence_share, any(flag.doubtful for flag in document.receipt.flags)


def _texts(folder: Path, name: str, characters: int) -> list[str]:
    texts = [Text(path).document.text for path in sorted((folder / name / "src").glob("*.txt"))]
    long_enough = [text for text in texts if len(text) >= characters]
    return [re.sub(r"[\t ]*\n\s*", "\n", text[:characters]) for text in long_enough[:TEXTS]]


def print_disguises(folder: Path) -> None:
    settings = ComparisonSettings()
    sets = [_texts(folder, name, characters) for name, characters in CHARACTERS.items()]
    print("\n| disguise | English: share / sentences | Chinese: share / sentences | with a doubt |")
    print("|---|--:|--:|--:|")
    for name, disguise in DISGUISES.items():
        found = [[_shares(disguise(text), text, settings) for text in texts] for texts in sets]
        shares = [
            " / ".join(f"{100 * sum(row[column] for row in rows) / len(rows):.0f}%" for column in (0, 1))
            for rows in found
        ]
        doubts = sum(row[2] for rows in found for row in rows)
        print(f"| {name} | {' | '.join(shares)} | {doubts} of {sum(map(len, found))} |", flush=True)


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bench", type=Path, default=SHARED / "bench")
    parser.add_argument("--parts", default="short,disguises")
    options = parser.parse_args()
    parts = {"short": print_short, "disguises": print_disguises}
    for part in options.parts.split(","):
        parts[part](options.bench)


if __name__ == "__main__":
    main()
