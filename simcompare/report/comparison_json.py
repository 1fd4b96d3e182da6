"""A comparison as plain values for JSON, for programs.

Its form is documented in resources/schemas/comparison.schema.json, which output is tested against. What is
added keeps VERSION; whatever else changes raises it.
"""

from dataclasses import asdict
from typing import Any

from simcompare import __version__
from simcompare.comparison.subject import Subject
from simcompare.comparison.values import Comparison, ExcludedSentences, ExclusionReason, Passage
from simcompare.document import Span
from simcompare.report.evidence import Evidence
from simcompare.report.json_values import JsonObject
from simcompare.report.similar_pairs import SimilarPair, similar_pairs
from simcompare.session.review import Judgement
from simcompare.text.thesaurus import Thesaurus
from simcompare.visible import file_name

FORMAT, VERSION = "simcompare-comparison", 1


def evidence_as_dict(evidence: Evidence) -> JsonObject:
    """Return a comparison and what was decided on it; equal but for `made_at` for the same evidence."""
    comparison = evidence.comparison
    pairs = similar_pairs(evidence)
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": {"name": "simcompare", "version": __version__},
        "made_at": evidence.made_at.isoformat(timespec="seconds"),
        "documents": {
            side: _document(subject, name)
            for side, subject, name in zip(
                ("left", "right"), (comparison.left, comparison.right), comparison.names, strict=True
            )
        },
        "settings": _settings(comparison, evidence.thesaurus),
        "hamming_distance_bits": comparison.hamming_distance_bits,
        "coverage": _coverage(comparison),
        "judgement": _judgement(evidence.review.overall),
        "match_count": pairs.total,
        "matches": [_match(comparison, pair) for pair in pairs.written],
        "passages": [_passage(comparison, passage) for passage in comparison.passages],
        "exclusions": {
            "left": _exclusions(comparison.left, comparison.left_excluded),
            "right": _exclusions(comparison.right, comparison.right_excluded),
        },
    }


def _document(subject: Subject, name: str) -> JsonObject:
    document, prepared, fingerprint = subject.document, subject.prepared, subject.fingerprint
    return {
        "name": name,
        "file_name": subject.name,
        "title": document.title,
        "size_bytes": document.size_bytes or None,
        "sha256": document.sha256 or None,
        "unit_count": prepared.unit_count,
        "word_count": len(prepared.word_ids),
        "sentence_count": prepared.sentence_count,
        "fingerprint": {
            "recipe": fingerprint.recipe,
            "size_bits": fingerprint.size_bits,
            "hex": fingerprint.hex,
        },
        "state": document.receipt.state,
        "receipt": asdict(document.receipt),
    }


def _settings(comparison: Comparison, thesaurus: Thesaurus | None) -> JsonObject:
    """Return the settings; of files that they name the name alone, as folders are nobody's business."""
    settings = comparison.settings
    return asdict(settings) | {
        "thesaurus": "none" if thesaurus is None else thesaurus.name,
        "thesaurus_group_count": 0 if thesaurus is None else thesaurus.group_count,
        "prompt": None if settings.prompt is None else file_name(settings.prompt),
    }


def _coverage(comparison: Comparison) -> JsonObject:
    raw, net = comparison.similarity, comparison.net_similarity
    return {
        "left_in_right": {"raw": raw.left_in_right, "net": net.left_in_right},
        "right_in_left": {"raw": raw.right_in_left, "net": net.right_in_left},
    }


def _judgement(judgement: Judgement) -> JsonObject:
    return {"decision": judgement.decision, "note": judgement.note}


def _match(comparison: Comparison, pair: SimilarPair) -> JsonObject:
    match, reasons = pair.match, pair.excluded
    return {
        "number": pair.number,
        "kind": match.kind.word,
        "p": match.p,
        "w": match.w,
        "lcs_units": match.lcs,
        "left": _matched(comparison.left, match.left, reasons[0]),
        "right": _matched(comparison.right, match.right, reasons[1]),
        "is_excluded": not pair.counts,
        **_judgement(pair.judgement),
    }


def _matched(subject: Subject, sentence: int, reason: ExclusionReason | None) -> JsonObject:
    return _sentence(subject, sentence) | {"excluded_as": reason}


def _sentence(subject: Subject, sentence: int) -> JsonObject:
    return {"sentence_index": sentence, **_stretch(subject, subject.prepared.sentence_span(sentence))}


def _stretch(subject: Subject, span: Span) -> dict[str, Any]:
    return {"start": span.start, "end": span.end, "text": span.of(subject.document.text)}


def _passage(comparison: Comparison, passage: Passage) -> JsonObject:
    return {
        "left": _stretch(comparison.left, passage.left),
        "right": _stretch(comparison.right, passage.right),
    }


def _exclusions(subject: Subject, excluded: ExcludedSentences) -> list[JsonObject]:
    return [
        _sentence(subject, sentence) | {"excluded_as": reason} for sentence, reason in excluded.sentences()
    ]
