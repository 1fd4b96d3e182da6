"""Fingerprint and document as plain values for JSON. The keys are stable."""

from dataclasses import asdict
from typing import Any

from simcompare.comparison.subject import Subject
from simcompare.document import Block, Document

JsonObject = dict[str, Any]


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
