"""Print the hash of a report in every format and of every annotated copy; run as a separate process.

Arguments: the time of the reports, in ISO 8601, and two files for each pair. The result is a list of pairs.
"""

import hashlib
import json
import sys
from datetime import datetime
from pathlib import Path

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.compare_documents import compare
from simcompare.model.settings import ComparisonSettings
from simcompare.report.annotated.annotate import annotated_copy
from simcompare.report.annotated.annotations import marks_of, prepared_document_of
from simcompare.report.evidence import Evidence
from simcompare.report.report_forms import NAMED_FORMS
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, PairReview, index_sentences
from simcompare.text.thesaurus import load_thesaurus


def main(made_at: str, *files: str) -> None:
    pairs = zip(files[::2], files[1::2], strict=True)
    print(json.dumps([hashes(left, right, made_at) for left, right in pairs]))  # noqa: T201


def hashes(left: str, right: str, made_at: str) -> dict[str, str]:
    thesaurus = load_thesaurus("starter")
    prepared_documents = [read_prepared_document(Path(path), "improved") for path in (left, right)]
    comparison = compare(*prepared_documents, ComparisonSettings(), thesaurus)
    keys = [index_sentences(prepared_document.prepared).keys for prepared_document in prepared_documents]
    decisions = {
        MatchKey(keys[0][match.left], keys[1][match.right]): NotedDecision(Decision.COPIED, "seen, 见过")
        for match in (comparison.matches[0], comparison.matches[1])
    }
    review = PairReview(NotedDecision(Decision.COPIED, "both, 都是"), decisions)
    evidence = Evidence(comparison, thesaurus, datetime.fromisoformat(made_at), review)
    return {name: hashlib.sha256(data).hexdigest() for name, data in made(evidence)}


def made(evidence):
    for name, form in NAMED_FORMS.items():
        yield name, form.render(evidence)
    for side in ("left", "right"):
        document = prepared_document_of(evidence.comparison, side).document
        yield f"annotated {side}", annotated_copy(document.path, document, marks_of(evidence, side)).data


if __name__ == "__main__":
    main(*sys.argv[1:])
