"""Shingle sketches: estimates compared with exact values of the shingle sets."""

import hashlib

import numpy as np
import pytest

from simcompare.evaluation.retrieval import resemblance, resemblances, shingle_sketch
from simcompare.model.errors import RecipeMismatchError
from simcompare.text.prepared_text import prepare
from tests.helpers.documents import bench_text, document_of, make_document


def prepared_text(*paragraphs):
    return prepare(make_document(*paragraphs))


def plain_shingles(text, width=5):
    units = [text.unit_vocabulary[i] for i in text.unit_ids]
    return {tuple(units[i : i + width]) for i in range(len(units) - width + 1)}


@pytest.fixture(scope="module")
def texts():
    """Articles whose common beginning with the first one becomes shorter and shorter."""
    text = bench_text(40_000)
    return [prepare(document_of(text[:part] + text[20_000 : 24_000 - part])) for part in range(4000, 0, -400)]


def test_that_resemblance_is_1_with_itself_and_near_0_with_another_text(texts):
    sketch = shingle_sketch(texts[0])
    assert resemblance(sketch, shingle_sketch(texts[0])) == 1
    other = shingle_sketch(prepare(document_of(bench_text(40_000)[30_000:])))
    assert resemblance(sketch, other) < 0.05


def test_that_estimates_are_near_the_exact_values(texts):
    """Within four standard errors; the mean of ten pairs within one and a half."""
    size = 256
    sets, sketches = [plain_shingles(t) for t in texts], [shingle_sketch(t, sample_size=size) for t in texts]
    errors = []
    for shingles, sketch in zip(sets, sketches, strict=True):
        exact = len(sets[0] & shingles) / len(sets[0] | shingles)
        error = max((exact * (1 - exact) / size) ** 0.5, 1e-9)
        errors.append((resemblance(sketches[0], sketch) - exact) / error)
    assert max(map(abs, errors)) < 4
    assert abs(np.mean(errors)) < 1.5


def test_that_resemblances_of_many_sketches_equal_those_of_single_pairs(texts):
    sketches = [shingle_sketch(text) for text in texts]
    shares = resemblances(np.stack([sketch.minima for sketch in sketches]), sketches[3].minima)
    assert shares.tolist() == [resemblance(sketch, sketches[3]) for sketch in sketches]


def test_that_the_order_of_units_matters():
    left, right = (shingle_sketch(prepared_text(text), width_units=3) for text in ("春夏秋", "秋夏春"))
    assert resemblance(left, right) == 0


def test_that_a_text_shorter_than_a_shingle_is_one_shingle():
    sketch = shingle_sketch(prepared_text("春天"))
    assert resemblance(sketch, shingle_sketch(prepared_text("春 天！"))) == 1
    assert shingle_sketch(prepared_text("！？")) is None


def test_that_sketches_of_different_widths_or_sample_sizes_cannot_be_compared():
    text = prepared_text("春天来了，我们去河边。")
    plain = shingle_sketch(text)
    for other in (shingle_sketch(text, width_units=4), shingle_sketch(text, sample_size=64)):
        with pytest.raises(RecipeMismatchError):
            resemblance(plain, other)


def mixed(number):
    """Final steps of SplitMix64 with Python integers."""
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    number = (number ^ number >> 27) * 0x94D049BB133111EB % 2**64
    return number ^ number >> 31


def reference_minima(shingles, size):
    step = 0x9E3779B97F4A7C15
    hashes = []
    for shingle in shingles:
        value = 0
        for unit in shingle:
            value = mixed((value + step) % 2**64) ^ int(hashlib.md5(unit.encode()).hexdigest()[-16:], 16)
        hashes.append(mixed(value))
    drawn = [mixed(i * step % 2**64) for i in range(1, 2 * size + 1)]
    permutations = zip(drawn[::2], drawn[1::2], strict=True)
    return [min((h * (factor | 1) + shift) % 2**64 for h in hashes) for factor, shift in permutations]


def test_that_sketches_equal_a_reference_with_python_integers():
    """A change would invalidate stored sketches and needs a new version in the recipe."""
    text = prepare(document_of(bench_text(1000)))
    sketch = shingle_sketch(text, sample_size=20)
    assert sketch.minima.tolist() == reference_minima(plain_shingles(text), 20)
    assert sketch.recipe == "shingle/1-w5-s20"
