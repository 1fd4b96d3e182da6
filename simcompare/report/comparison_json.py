"""Comparison, document and fingerprint as JSON, for programs.

The format is documented in resources/schemas/comparison.schema.json, against which output is tested.
Additions keep VERSION; any other change raises it.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from simcompare import __version__
from simcompare.comparison.citations.citation import CitationGroup, PassageCitation, check_references
from simcompare.comparison.comparison_result import Comparison, ExcludedSentences, ExclusionReason
from simcompare.comparison.passages.numbered_passages import NumberedPassage
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.simhash import multilevel_fingerprints
from simcompare.model.document import Block, Document, FilePicture, Span
from simcompare.report.evidence import Evidence
from simcompare.report.pair_tables import SimilarPair, similar_pairs
from simcompare.report.wording import listed_matches
from simcompare.support.display_text import file_name
from simcompare.text.thesaurus import Thesaurus

JsonObject = dict[str, Any]
FORMAT, VERSION = "simcompare-comparison", 2


def evidence_as_dict(evidence: Evidence) -> JsonObject:
    """Return a comparison with its decisions as a JSON object.

    Equal evidence gives an equal object except for `made_at`.
    """
    comparison = evidence.comparison
    pairs = similar_pairs(evidence)
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": {"name": "simcompare", "version": __version__},
        "made_at": evidence.made_at.isoformat(timespec="seconds"),
        "documents": {
            side: _document(prepared_document, name)
            for side, prepared_document, name in zip(
                ("left", "right"), (comparison.left, comparison.right), comparison.file_labels, strict=True
            )
        },
        "settings": _settings(comparison, evidence.thesaurus),
        "hamming_distance_bits": comparison.hamming_distance_bits,
        "share": _share(evidence),
        "sentence_share": asdict(comparison.sentence_share),
        "kinship": evidence.facts.kinship and asdict(evidence.facts.kinship),
        "shared_pictures": [
            {"kind": each.kind, "left": _picture(each.left), "right": _picture(each.right)}
            for each in evidence.facts.pictures
        ],
        "shared_mistakes": list(map(asdict, evidence.facts.mistakes)),
        "shared_tables": list(map(asdict, evidence.facts.tables)),
        "shared_formulas": list(map(asdict, evidence.facts.formulas)),
        "judgement": evidence.review.overall.as_json(),
        "match_count": pairs.total,
        "matches": [_match(comparison, pair) for pair in pairs.written],
        "passages": _passages(evidence),
        "citation_counts": _citation_counts(evidence),
        "exclusions": {
            "left": _exclusions(comparison.left, comparison.left_excluded),
            "right": _exclusions(comparison.right, comparison.right_excluded),
        },
    }


def _picture(picture: FilePicture) -> JsonObject:
    return {name: getattr(picture, name) for name in ("number", "page", "width", "height")}


def fingerprint_as_dict(prepared_document: PreparedDocument) -> JsonObject:
    fingerprint = prepared_document.fingerprint
    return {
        "path": str(prepared_document.document.path),
        "recipe": fingerprint.recipe,
        "bits": fingerprint.bits,
        "hex": fingerprint.hex,
    }


def parts_as_dicts(prepared_document: PreparedDocument, recipe: str) -> list[JsonObject]:
    """Return the fingerprints of paragraphs, each before those of its sentences, as JSON objects.

    "bits" and "hex" are null if the recipe finds no term in a part.
    """
    document, prepared = prepared_document.document, prepared_document.prepared
    return [
        {
            "level": level.name.lower(),
            **asdict(span),
            "text": span.of(document.text),
            "bits": fingerprint and fingerprint.bits,
            "hex": fingerprint and fingerprint.hex,
        }
        for level, span, _, fingerprint in multilevel_fingerprints(document, prepared, recipe)[1:]
    ]


def document_as_dict(document: Document) -> JsonObject:
    """Return a document's text, blocks and receipt as a JSON object."""
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


def _document(prepared_document: PreparedDocument, name: str) -> JsonObject:
    document, prepared, fingerprint = (
        prepared_document.document,
        prepared_document.prepared,
        prepared_document.fingerprint,
    )
    return {
        "name": name,
        "file_name": prepared_document.name,
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
        "references": asdict(check_references(document)),
    }


def _settings(comparison: Comparison, thesaurus: Thesaurus | None) -> JsonObject:
    """Return the settings; of files only the name, as folders are private.

    Of the sentences left out by hand only their number, as they may come from other documents.
    """
    settings, own = comparison.settings, comparison.settings.user_words
    named = settings.as_dict()
    del named["left_out"], named["counted_common"]
    if own is not None:
        named["user_words"] = {"file": file_name(own.file), "count": own.count, "digest": own.digest}
    return named | {
        "left_out_count": len(settings.left_out),
        "thesaurus": "none" if thesaurus is None else thesaurus.name,
        "thesaurus_group_count": 0 if thesaurus is None else thesaurus.group_count,
        "prompt": None if settings.prompt is None else file_name(settings.prompt),
    }


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
        **pair.noted_decision.as_json(),
    }


def _matched(
    prepared_document: PreparedDocument, sentence: int, reason: ExclusionReason | None
) -> JsonObject:
    return _sentence(prepared_document, sentence) | {"excluded_as": reason}


def _sentence(prepared_document: PreparedDocument, sentence: int) -> JsonObject:
    return {
        "sentence_index": sentence,
        **_text_range(prepared_document, prepared_document.prepared.sentence_span(sentence)),
    }


def _text_range(prepared_document: PreparedDocument, span: Span) -> dict[str, Any]:
    return {"start": span.start, "end": span.end, "text": span.of(prepared_document.document.text)}


def _share(evidence: Evidence) -> JsonObject:
    sides = zip(asdict(evidence.comparison.share).items(), evidence.shares_after_decisions, strict=True)
    return {direction: share | {"after_decisions": decided} for (direction, share), decided in sides}


def _passages(evidence: Evidence) -> list[JsonObject]:
    listed = listed_matches(evidence.comparison.matches)
    numbers = {match: number for number, match in enumerate(listed, start=1)}
    return [
        _passage(evidence.comparison, passage, numbers)
        | _citation(citation)
        | evidence.decision_on(passage).as_json()
        for passage, citation in zip(evidence.passages, evidence.citations, strict=True)
    ]


def _citation(found: PassageCitation | None) -> JsonObject:
    if found is None or not found.citation.text:
        return {"citation": found and found.group, "citing": None, "citing_side": None}
    return {"citation": found.group, "citing": found.citation.text, "citing_side": found.side}


def _citation_counts(evidence: Evidence) -> JsonObject | None:
    if not any(evidence.comparison.copying):
        return None
    groups = [found.group for found in evidence.citations if found is not None]
    return {group.value: groups.count(group) for group in CitationGroup}


def _passage(comparison: Comparison, passage: NumberedPassage, numbers: Mapping[int, int]) -> JsonObject:
    return {
        "number": passage.number,
        "kind": passage.kind,
        "summary": passage.summary,
        "left": _text_range(comparison.left, passage.left) | {"units": passage.left_units},
        "right": _text_range(comparison.right, passage.right) | {"units": passage.right_units},
        "common_words": passage.common_words,
        "p": passage.p,
        "in_order": passage.in_order,
        "matches": [numbers[match] for match in passage.matches if match in numbers],
    }


def _exclusions(prepared_document: PreparedDocument, excluded: ExcludedSentences) -> list[JsonObject]:
    return [
        _sentence(prepared_document, sentence) | {"excluded_as": reason}
        for sentence, reason in excluded.sentences()
    ]


def as_json(value: Any) -> str:
    """Serialise a value as indented JSON with a final line end."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def as_json_line(value: Any) -> str:
    """Serialise a value as JSON on one line, with the line end."""
    return json.dumps(value, ensure_ascii=False) + "\n"
