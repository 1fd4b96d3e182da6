"""Comparison, fingerprint and document as plain values for JSON. The keys are stable."""

from dataclasses import asdict
from typing import Any

from simcompare.comparison.subject import Subject
from simcompare.comparison.values import Comparison, ExcludedSentences, Match
from simcompare.document import Block, Document, Span

JsonObject = dict[str, Any]


def comparison_as_dict(comparison: Comparison) -> JsonObject:
    """Return a comparison with every match of sentences that count, and the passages.

    Offsets are code points of the extracted texts. `w` is None where P alone decided, a net similarity
    where all is excluded.
    """
    matches = comparison.matches
    return {
        "left": _side(comparison.left),
        "right": _side(comparison.right),
        "hamming_distance_bits": comparison.hamming_distance_bits,
        "similarity": asdict(comparison.similarity),
        "similarity_net": asdict(comparison.net_similarity),
        "excluded": {
            "left": _excluded(comparison.left, comparison.left_excluded),
            "right": _excluded(comparison.right, comparison.right_excluded),
        },
        "settings": asdict(comparison.settings) | {"recipe_signature": comparison.left.fingerprint.recipe},
        "matches": [_match(comparison, matches[index]) for index in range(len(matches))],
        "passages": [
            {"left": _pair(passage.left), "right": _pair(passage.right)} for passage in comparison.passages
        ],
    }


def _side(subject: Subject) -> JsonObject:
    return {
        "path": str(subject.document.path),
        "title": subject.document.title,
        "units": subject.prepared.unit_count,
        "sentences": subject.prepared.sentence_count,
        "fingerprint": subject.fingerprint.hex,
        "state": subject.document.receipt.state,
        "receipt": asdict(subject.document.receipt),
    }


def _excluded(subject: Subject, excluded: ExcludedSentences) -> list[JsonObject]:
    span = subject.prepared.sentence_span
    return [
        {"start": span(sentence).start, "end": span(sentence).end, "reason": reason.value}
        for sentence, reason in excluded.sentences()
    ]


def _match(comparison: Comparison, match: Match) -> JsonObject:
    return {
        "left": _pair(comparison.left_span(match)),
        "right": _pair(comparison.right_span(match)),
        "kind": match.kind.word,
        "p": match.p,
        "w": match.w,
    }


def _pair(span: Span) -> list[int]:
    return [span.start, span.end]


def fingerprint_as_dict(subject: Subject) -> JsonObject:
    """Return the fingerprint of a file."""
    fingerprint = subject.fingerprint
    return {
        "path": str(subject.document.path),
        "recipe": fingerprint.recipe,
        "bits": fingerprint.bits,
        "hex": fingerprint.hex,
    }


def document_as_dict(document: Document) -> JsonObject:
    """Return a document's text, its blocks and the receipt of what was kept and dropped."""
    return {
        "path": str(document.path),
        "state": document.receipt.state,
        "title": document.title,
        "text": document.text,
        "blocks": [_block(block) for block in document.blocks],
        "receipt": asdict(document.receipt),
    }


def _block(block: Block) -> JsonObject:
    return {
        "kind": block.kind.value,
        "start": block.span.start,
        "end": block.span.end,
        "anchor": {"paragraph": block.anchor.paragraph, "page": block.anchor.page},
    }
