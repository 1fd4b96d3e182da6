"""Two texts' units or words in one numbering, as strings that rapidfuzz compares fastest."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Int32Array = NDArray[np.int32]
_FIRST_SURROGATE, _SURROGATES = 0xD800, 0x800


def joint_ids(
    left_vocabulary: Sequence[str],
    left_ids: Int32Array,
    right_vocabulary: Sequence[str],
    right_ids: Int32Array,
) -> tuple[Int32Array, Int32Array, list[str]]:
    """Give the entries of both texts common numbers, by falling frequency.

    Common characters get numbers below 256, which makes strings of one byte a character wherever a
    sentence is made of them, and the comparison several times faster. Returns the new ids of both sides
    and the joint vocabulary in the new order.
    """
    joint: dict[str, int] = {}
    left_map = np.array([joint.setdefault(text, len(joint)) for text in left_vocabulary], dtype=np.int64)
    right_map = np.array([joint.setdefault(text, len(joint)) for text in right_vocabulary], dtype=np.int64)
    left, right = left_map[left_ids], right_map[right_ids]
    counts = np.bincount(np.concatenate([left, right]), minlength=len(joint))
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(len(joint), dtype=np.int32)
    rank[order] = np.arange(len(joint), dtype=np.int32)
    texts = list(joint)
    return rank[left], rank[right], [texts[i] for i in order]


def as_strings(ids: Int32Array, bounds: Int32Array) -> list[str]:
    """Return one string a sentence, a character an id; bounds has one entry more than sentences."""
    codes = ids.astype("<u4")
    codes[codes >= _FIRST_SURROGATE] += _SURROGATES
    text = codes.tobytes().decode("utf-32-le")
    return [text[a:b] for a, b in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)]
