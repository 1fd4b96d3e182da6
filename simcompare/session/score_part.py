"""Scores and figures of the pairs of a session, and its common text, so that nothing is scored again.

The members `scores/facts.json` and `scores/columns.bin`; the format is in the docstring of the package.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from simcompare.comparison.figures import SUMMARY_FIELDS
from simcompare.session.json_fields import BrokenValueError, as_bytes, checked, parsed
from simcompare.session.school_class import CommonSentence
from simcompare.session.session_data import FIGURES, SavedScores
from simcompare.session.session_limits import SCORE_COLUMNS

FACTS, COLUMNS = "facts.json", SCORE_COLUMNS

_Digest = Annotated[str, Meta(pattern=r"\A(?:[0-9a-f]{32})?\Z")]
_Count = Annotated[int, Meta(ge=0, le=1 << 31)]


class _ScoreFacts(Struct):
    stamp: _Digest
    figures_stamp: _Digest
    texts: tuple[_Digest, ...]
    common: tuple[CommonSentence, ...]
    pairs: _Count
    cells: _Count
    passages: _Count
    sentences: _Count


_INTEGERS, _FLOATS = np.dtype("<i4"), np.dtype("<f8")


def _shapes(facts: _ScoreFacts) -> Mapping[str, tuple[np.dtype[Any], tuple[int, ...]]]:
    """Return type and shape of each column, in the order of the file."""
    return {
        "weights": (_FLOATS, (facts.cells, 2)),
        "figures": (FIGURES, (facts.pairs,)),
        "pairs": (_INTEGERS, (facts.pairs, 2)),
        "cell_counts": (_INTEGERS, (facts.pairs,)),
        "passage_counts": (_INTEGERS, (facts.pairs,)),
        "cells": (_INTEGERS, (facts.cells, 3)),
        "spans": (_INTEGERS, (facts.passages, 4)),
        "sentence_counts": (_INTEGERS, (len(facts.texts),)),
        "common_numbers": (_INTEGERS, (facts.sentences,)),
        "summaries": (np.dtype(np.int8), (facts.passages,)),
        "evidence": (np.dtype("<f4"), (facts.passages,)),
    }


def members_of_scores(scores: SavedScores) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each member."""
    facts = _ScoreFacts(
        scores.stamp,
        scores.figures_stamp,
        scores.texts,
        scores.common,
        len(scores.pairs),
        len(scores.cells),
        len(scores.spans),
        len(scores.common_numbers),
    )
    yield (
        FACTS,
        as_bytes(
            {
                **{name: getattr(facts, name) for name in facts.__struct_fields__},
                "common": list(map(asdict, scores.common)),
            }
        ),
    )
    columns = (
        np.ascontiguousarray(getattr(scores, name), kind) for name, (kind, _shape) in _shapes(facts).items()
    )
    yield COLUMNS, b"".join(column.tobytes() for column in columns)


def scores_from(members: Mapping[str, bytes], documents: int) -> SavedScores:
    """Convert the members of the scores of this number of documents. Raises BrokenValueError."""
    facts = checked(parsed(members[FACTS]), _ScoreFacts)
    data = members.get(COLUMNS, b"")
    shapes = _shapes(facts)
    sizes = [kind.itemsize * int(np.prod(shape)) for kind, shape in shapes.values()]
    if len(facts.texts) != documents or sum(sizes) != len(data):
        raise BrokenValueError(COLUMNS)
    columns, offset = {}, 0
    for (name, (kind, shape)), size in zip(shapes.items(), sizes, strict=True):
        column = np.frombuffer(data, kind, int(np.prod(shape)), offset).reshape(shape)
        columns[name] = column.astype(kind.newbyteorder("="))
        offset += size
    scores = SavedScores(facts.stamp, facts.figures_stamp, facts.texts, facts.common, **columns)
    if not (_are_pairs(scores) and _are_scores(scores) and _are_figures(scores) and _is_common(scores)):
        raise BrokenValueError(COLUMNS)
    return scores


def _are_pairs(scores: SavedScores) -> bool:
    left, right = scores.pairs.T.astype(np.int64)
    count = len(scores.texts)
    has_text = np.array([bool(text) for text in scores.texts], np.bool_)
    is_valid = (left >= 0) & (left < right) & (right < count)
    if not is_valid.all():
        return False
    is_once = len(np.unique(left * count + right)) == len(left)
    return is_once and bool((has_text[left] & has_text[right]).all())


def _are_scores(scores: SavedScores) -> bool:
    counts, passages = scores.cell_counts.astype(np.int64), scores.passage_counts.astype(np.int64)
    if (counts < 0).any() or (passages < -1).any():
        return False
    if counts.sum() != len(scores.cells) or np.maximum(passages, 0).sum() != len(scores.spans):
        return False
    pair = np.repeat(np.arange(len(counts)), counts)
    rows, columns = scores.cells[:, 0].astype(np.int64), scores.cells[:, 1].astype(np.int64)
    is_later = (np.diff(pair) > 0) | (np.diff(rows) > 0) | ((np.diff(rows) == 0) & (np.diff(columns) > 0))
    spans = scores.spans
    return bool(
        (scores.cells >= 0).all()
        and is_later.all()
        and _are_shares(scores.weights).all()
        and (spans >= 0).all()
        and (spans[:, [0, 2]] <= spans[:, [1, 3]]).all()
        and np.isin(scores.summaries, (0, 1, 2)).all()
        and (np.isfinite(scores.evidence) & (scores.evidence >= 0)).all()
        and ((scores.evidence == 0) | (scores.summaries == 0)).all()
    )


def _are_figures(scores: SavedScores) -> bool:
    shares = [scores.figures[name] for name in SUMMARY_FIELDS if FIGURES[name].kind == "f"]
    counts = [scores.figures[name] for name in SUMMARY_FIELDS if FIGURES[name].kind == "i"]
    return bool(
        all((_are_shares(share) | np.isnan(share)).all() for share in shares)
        and all((count >= -1).all() for count in counts)
        and (scores.figures["is_known"] <= 1).all()
    )


def _is_common(scores: SavedScores) -> bool:
    counts, numbers = scores.sentence_counts.astype(np.int64), scores.common_numbers
    holders = [number for sentence in scores.common for number in sentence.documents]
    return bool(
        (counts >= 0).all()
        and counts.sum() == len(numbers)
        and ((numbers >= -1) & (numbers < len(scores.common))).all()
        and all(number < len(scores.texts) for number in holders)
    )


def _are_shares(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    within: NDArray[np.bool_] = (values >= 0) & (values <= 1)
    return within
