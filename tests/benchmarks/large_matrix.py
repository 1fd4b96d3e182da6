"""Time and memory of one large comparison (matrix, matches, passages) with --sentences per side.

python tests/benchmarks/large_matrix.py --sentences 20000
"""

import argparse
import os
import random
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.prepared_document import prepare_document
from simcompare.model.document import Anchor, BlockKind, Document, ExtractionReceipt, join_blocks
from simcompare.model.settings import ComparisonSettings
from simcompare.text.thesaurus import load_thesaurus

BENCH = Path(__file__).parents[3] / "shared" / "bench" / "zh-dev" / "src"


def real_sentences() -> list[str]:
    if not BENCH.is_dir():
        sys.exit("the Chinese development set is not beside this checkout")
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(BENCH.glob("*.txt")))
    return [piece.strip() + "。" for piece in text.replace("\n", "。").split("。") if len(piece) > 8]


def document(name: str, count: int, seed: int) -> Document:
    """Return a document of `count` sentences, each a real one with a few characters changed."""
    pool, maker = real_sentences(), random.Random(seed)
    letters = "".join(pool)
    pieces = []
    for number in range(count):
        sentence = list(pool[maker.randrange(len(pool))])
        for place in maker.sample(range(len(sentence) - 1), k=len(sentence) // 3):
            sentence[place] = maker.choice(letters)
        pieces.append((BlockKind.PARAGRAPH, "".join(sentence), Anchor(number + 1)))
    text, blocks = join_blocks(pieces)
    receipt = ExtractionReceipt("benchmark", "text", len(text), len(blocks))
    return Document(Path(name), name, text, blocks, receipt, "0" * 64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--sentences", type=int, default=20_000)
    count = parser.parse_args().sentences
    settings, thesaurus = ComparisonSettings(), load_thesaurus("starter")
    left, right = (prepare_document(document(f"{n}.txt", count, n), settings.recipe) for n in (1, 2))
    before_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    begin = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        comparison = compare(left, right, settings, thesaurus, map_blocks=pool.map)
    seconds = time.perf_counter() - begin
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{left.prepared.sentence_count} x {right.prepared.sentence_count} sentences: {seconds:.1f} s")
    print(f"memory: {before_mib:.0f} MiB before, {peak_mib:.0f} MiB at the peak")
    print(f"{len(comparison.matrix.cells)} cells, {len(comparison.matches)} matches")
    print(f"{len(comparison.passages)} passages")


if __name__ == "__main__":
    main()
