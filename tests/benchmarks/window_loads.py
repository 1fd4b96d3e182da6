"""Difficult texts for the window: many sentences, many characters, many files, many similar lines."""

import random
from pathlib import Path

BENCH = Path(__file__).parents[3] / "shared" / "bench" / "zh-dev" / "src"


def write_load(name: str, folder: Path) -> list[Path]:
    """Write the files of a load and return them; the first two are the pair to compare."""
    if name == "300 files":
        return _many_files(folder, 300)
    pair = {
        "2,000 sentences": lambda: _sentence_lists(2000),
        "8,000 sentences": lambda: _sentence_lists(8000),
        "300,000 characters": lambda: _paragraphs(300_000),
        "10,000 sentences": lambda: _sentence_lists(10_000),
        "3,000 like lines": lambda: ([_LIKE_LINE] * 3000, [_LIKE_LINE] * 3000),
    }[name]()
    return [
        _write(folder / f"{side}.txt", lines) for side, lines in zip(("left", "right"), pair, strict=True)
    ]


LOADS = (
    "2,000 sentences",
    "8,000 sentences",
    "300,000 characters",
    "10,000 sentences",
    "300 files",
    "3,000 like lines",
)
_LIKE_LINE = "我们在操场上练习跳绳。"


def _write(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _sentence_lists(count: int) -> tuple[list[str], list[str]]:
    """Return two lists of real sentences, one per paragraph, a third of them in both and some reworded."""
    pool = _sentences(2 * count)
    left, right = pool[:count], pool[count:]
    right[::3] = left[::3]
    right[1::6] = [_reworded(sentence) for sentence in left[1::6]]
    return left, right


def _reworded(sentence: str) -> str:
    maker = random.Random(sentence)
    letters = list(sentence)
    for place in maker.sample(range(len(letters)), k=len(letters) // 4):
        letters[place] = maker.choice(letters)
    return "".join(letters)


def _paragraphs(characters: int) -> tuple[list[str], list[str]]:
    """Return two texts of this number of characters, in paragraphs of five sentences."""
    count = characters // 20
    texts = []
    for sentences in _sentence_lists(count):
        paragraphs = ["".join(sentences[n : n + 5]) for n in range(0, count, 5)]
        texts.append("\n".join(paragraphs)[:characters].split("\n"))
    return texts[0], texts[1]


def _many_files(folder: Path, count: int) -> list[Path]:
    sentences = _sentences(30 * count)
    essays = [sentences[30 * n : 30 * (n + 1)] for n in range(count)]
    essays[1][::3] = essays[0][::3]
    return [_write(folder / f"essay-{n:03d}.txt", ["".join(essay)]) for n, essay in enumerate(essays)]


def _sentences(count: int) -> list[str]:
    """Return distinct sentences, real ones as far as available."""
    pool = _real_sentences()
    random.Random(7).shuffle(pool)
    letters = "".join(pool) or "".join(chr(0x4E00 + i) for i in range(2000))
    return [*pool[:count], *_made_up_sentences(count - len(pool), letters)]


def _real_sentences() -> list[str]:
    if not BENCH.is_dir():
        return []
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(BENCH.glob("*.txt")))
    pieces = (piece.strip() for piece in text.replace("\n", "。").split("。"))
    return list(dict.fromkeys(f"{piece}。" for piece in pieces if len(piece) > 10))


def _made_up_sentences(count: int, letters: str) -> list[str]:
    maker = random.Random(3)
    return ["".join(maker.choices(letters, k=maker.randint(15, 60))) + "。" for _ in range(max(0, count))]
