"""Scores, figures and common text of a class, to the columns of a session and back; what makes them stale."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from simcompare import __version__
from simcompare.cohort.class_check import ClassCheck, joined_text
from simcompare.cohort.cohort_scoring import CohortDocuments, UnreadDocument
from simcompare.cohort.common_text import find_common_text
from simcompare.cohort.pair_facts import facts_of_class
from simcompare.cohort.pair_scores import NO_CELLS, PairScores, lack_vectors, scored_text_digest
from simcompare.comparison.comparison_result import Cells
from simcompare.comparison.figures import figures_of
from simcompare.comparison.passages.passage_columns import NO_PASSAGES, Passages
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.model.settings import ComparisonSettings
from simcompare.session.school_class import APART, CommonSentence, DocumentRole, Pair, Roster, SchoolClass
from simcompare.session.session_data import FIGURES, SavedScores, Session, SessionDocument
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import CILIN, NONE, STARTER

_SCORES_VERSION = 9
"""Rises when the same texts get other scores or figures within a version of the program."""
_STAMP_BYTES = 16
Fact = TypeVar("Fact")


def scores_stamp(settings: ComparisonSettings) -> str:
    """Return a stamp of the program and the settings that scores depend on; reads a thesaurus file."""
    passages = None if settings.passages is None else asdict(settings.passages)
    thesaurus, meaning = _thesaurus(settings.thesaurus), bool(settings.meaning)
    return _digest([_SCORES_VERSION, __version__, thesaurus, passages, meaning])


def figures_stamp(settings: ComparisonSettings, prompt: PreparedText | None) -> str:
    """Return a stamp of the settings and the prompt that classification depends on."""
    values = settings.as_dict() | {"recipe": "", "prompt": settings.prompt is not None}
    return _digest([values, "" if prompt is None else scored_text_digest(prompt).hex()])


def _thesaurus(source: str) -> str:
    if source in {STARTER, CILIN, NONE}:
        return source
    try:
        return blake2b(Path(source).read_bytes(), digest_size=_STAMP_BYTES).hexdigest()
    except OSError:
        return ""


def _digest(values: object) -> str:
    return blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=_STAMP_BYTES).hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class ScoredClass:
    """Scores and figures of pairs of documents, by the keys of the documents, the lower one first.

    figures: shape (pairs,), FIGURES, in the order of `scores`, under these settings, prompt and common text.
    common: with the keys of the documents; by_text: digest of the common sentence that each sentence is, ""
    if none. unused: scores of a session that are not among these, as texts are not prepared yet.
    """

    texts: Mapping[int, PreparedText]
    scores: Mapping[Pair, PairScores]
    figures: NDArray[np.void]
    settings: ComparisonSettings
    prompt: PreparedText | None
    common: Sequence[CommonSentence]
    by_text: Mapping[PreparedText, NDArray[np.str_]]
    unused: "RestoredScores | None" = None


@dataclass(frozen=True, slots=True, eq=False)
class RestoredScores:
    """Scores of a session by the keys of its documents; a text with another digest has none of them.

    figures: shape (pairs,), FIGURES, in the order of `scores`; they belong to settings and prompt with
    `figures_stamp`. by_document: digest of the common sentence that each sentence is, "" if none.
    """

    digests: Mapping[int, bytes]
    scores: Mapping[Pair, PairScores]
    figures: NDArray[np.void]
    figures_stamp: str
    common: tuple[CommonSentence, ...]
    by_document: Mapping[int, NDArray[np.str_]]

    def with_keys(self, keys: Sequence[int]) -> "RestoredScores":
        """Replace the numbers of the documents by ascending keys."""
        return replace(
            self,
            digests={keys[number]: digest for number, digest in self.digests.items()},
            scores={(keys[left], keys[right]): held for (left, right), held in self.scores.items()},
            common=tuple(sentence.renumbered(dict(enumerate(keys))) for sentence in self.common),
            by_document={keys[number]: digests for number, digests in self.by_document.items()},
        )


# --- to columns


def saved_scores(scored: ScoredClass, keys: Sequence[int]) -> SavedScores:
    """Return the columns of a session whose documents have these keys, in ascending order."""
    number = {key: place for place, key in enumerate(keys)}
    digests = {key: scored_text_digest(text) for key, text in scored.texts.items()}
    stamp = figures_stamp(scored.settings, scored.prompt)
    scores, figures = scored.scores, scored.figures
    if scored.unused is not None:
        stamp = stamp if scores else scored.unused.figures_stamp or stamp
        scores, figures = _with_unused(scored, scored.unused, digests, stamp)
        digests = {**scored.unused.digests, **digests}
    texts, meaning = scored.texts, scored.settings.meaning
    places = [
        place
        for place, pair in enumerate(scores)
        if number.keys() >= set(pair)
        and not (texts.keys() >= set(pair) and lack_vectors(meaning, *map(texts.__getitem__, pair)))
    ]
    listed = list(scores.items())
    pairs = [(number[left], number[right]) for (left, right), _scores in map(listed.__getitem__, places)]
    kept = [listed[place][1] for place in places]
    found = [scores.detected_passages for scores in kept]
    cells = [scores.cells for scores in kept]
    counts, numbers = _common_numbers(scored, keys)
    return SavedScores(
        scores_stamp(scored.settings),
        stamp,
        tuple(digests[key].hex() if key in digests else "" for key in keys),
        tuple(sentence.renumbered(number) for sentence in scored.common),
        np.array(pairs, np.int32).reshape(-1, 2),
        np.array([len(each) for each in cells], np.int32),
        np.array([-1 if each is None else len(each) for each in found], np.int32),
        _joined([np.stack([each.rows, each.columns, each.lcs], axis=1) for each in cells], (0, 3), np.int32),
        _joined([np.stack([each.p, each.w], axis=1) for each in cells], (0, 2), np.float64),
        _joined([each.spans for each in found if each is not None], (0, 4), np.int32),
        _joined([each.summaries for each in found if each is not None], (0,), np.int8),
        _joined([each.evidence for each in found if each is not None], (0,), np.float32),
        figures[places],
        counts,
        numbers,
    )


def _with_unused(
    scored: ScoredClass, unused: RestoredScores, digests: Mapping[int, bytes], stamp: str
) -> tuple[Mapping[Pair, PairScores], NDArray[np.void]]:
    """Add the unused scores of texts that are still the same, and their figures if they have this stamp."""
    changed = {key for key, digest in unused.digests.items() if digests.get(key, digest) != digest}
    known = digests.keys() | unused.digests.keys()
    added = [
        (place, pair)
        for place, pair in enumerate(unused.scores)
        if pair not in scored.scores and known >= set(pair) and changed.isdisjoint(pair)
    ]
    figures = unused.figures[[place for place, _pair in added]]
    if stamp != unused.figures_stamp:
        figures["is_known"] = 0
    scores = {**scored.scores, **{pair: unused.scores[pair] for _place, pair in added}}
    return scores, np.concatenate([scored.figures, figures])


def _joined(parts: Sequence[NDArray[Any]], empty: tuple[int, ...], kind: type) -> NDArray[Any]:
    return np.concatenate([np.zeros(empty, kind), *parts]).astype(kind)


def _common_numbers(scored: ScoredClass, keys: Sequence[int]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the sentences of each text with candidates, and the index of the common sentence of each."""
    place = {each.digest: count for count, each in enumerate(scored.common)}
    known = [_common_of(scored, key) for key in keys]
    numbers = [place.get(digest, -1) for each in known if each is not None for digest in each.tolist()]
    counts = [0 if each is None else len(each) for each in known]
    return np.array(counts, np.int32), np.array(numbers, np.int32)


def _common_of(scored: ScoredClass, key: int) -> NDArray[np.str_] | None:
    """Return the digest of the common sentence that each sentence of a document is, if it is known."""
    text = scored.texts.get(key)
    own = None if text is None else scored.by_text.get(text)
    if own is not None or scored.unused is None:
        return own
    awaited = scored.unused.by_document.get(key)
    is_same = text is None or (awaited is not None and len(awaited) == text.sentence_count)
    return awaited if is_same else None


# --- from columns


def restored_scores(saved: SavedScores | None, settings: ComparisonSettings) -> RestoredScores | None:
    """Return the scores by the numbers of the documents; None if they are not those of these settings."""
    if saved is None or saved.stamp != scores_stamp(settings):
        return None
    pairs = list(map(tuple, saved.pairs.tolist()))
    scores = map(PairScores, _cells(saved), _passages(saved))
    return RestoredScores(
        {number: bytes.fromhex(text) for number, text in enumerate(saved.texts) if text},
        dict(zip(pairs, scores, strict=True)),
        saved.figures,
        saved.figures_stamp,
        saved.common,
        {number: digests for number, digests in enumerate(_common_by_document(saved)) if len(digests)},
    )


def _common_by_document(saved: SavedScores) -> list[NDArray[np.str_]]:
    """Return for each document the digest of the common sentence that each sentence is, "" if none."""
    digests = np.array([*(each.digest for each in saved.common), ""], np.str_)
    return [digests[part] for part in np.split(saved.common_numbers, np.cumsum(saved.sentence_counts)[:-1])]


def _cells(saved: SavedScores) -> list[Cells]:
    integers = [np.ascontiguousarray(column) for column in saved.cells.T]
    weights = [np.ascontiguousarray(column) for column in saved.weights.T]
    ends = np.cumsum(saved.cell_counts).tolist()
    return [
        Cells(
            *(column[end - count : end] for column in integers),
            *(column[end - count : end] for column in weights),
        )
        if count
        else NO_CELLS
        for count, end in zip(saved.cell_counts.tolist(), ends, strict=True)
    ]


def _passages(saved: SavedScores) -> list[Passages | None]:
    counts = np.maximum(saved.passage_counts, 0)
    ends = np.cumsum(counts).tolist()
    spans, summaries, evidence = saved.spans, saved.summaries, saved.evidence
    return [
        None
        if count < 0
        else Passages(spans[end - count : end], summaries[end - count : end], evidence[end - count : end])
        if count
        else NO_PASSAGES
        for count, end in zip(saved.passage_counts.tolist(), ends, strict=True)
    ]


def session_of(
    check: ClassCheck,
    unread: Sequence[UnreadDocument],
    scores: Mapping[Pair, PairScores],
    rosters: Sequence[Roster] = (),
) -> Session:
    """Return a session of all documents, and of the files that could not be read, with the scores."""
    cohort, school = check.cohort, check.school
    documents = (
        *(
            SessionDocument(each.document.path, document=each.document, meanings=each.kept_meanings)
            for each in cohort.documents
        ),
        *(SessionDocument(each.path, error=each.error) for each in unread),
    )
    # roles that the caller of a check gave; the others are found again
    roles = {place: role for place, role in school.roles.items() if role in APART}
    school = replace(school, roles=roles, rosters=tuple(rosters))
    return Session(
        documents,
        settings=cohort.settings,
        school_class=school.renumbered({place: place for place in range(len(cohort.documents))}),
        scores=saved_scores(_scored(check, scores), range(len(documents))),
    )


def _scored(check: ClassCheck, scores: Mapping[Pair, PairScores]) -> ScoredClass:
    cohort = check.cohort
    summaries = {(pair.left, pair.right): pair.summary for pair in cohort.pairs}
    candidates = zip(cohort.documents, cohort.exclusion_candidates, strict=False)
    return ScoredClass(
        {number: document.prepared for number, document in enumerate(cohort.documents)},
        scores,
        np.array([(*figures_of(summaries[pair]), summaries[pair] is not None) for pair in scores], FIGURES),
        cohort.settings,
        cohort.prompt,
        check.school.common,
        {document.prepared: each.common for document, each in candidates if each.common is not None},
    )


def class_of_session(
    session: Session, documents: CohortDocuments, settings: ComparisonSettings
) -> tuple[SchoolClass, CohortDocuments]:
    """Return the class of a session, by the places of the documents that were prepared, some or all.

    The documents get the templates as a part of their prompt, and the common text as saved, or found again.
    """
    places = {id(entry.document): number for number, entry in enumerate(session.documents)}
    texts = documents.prepared_documents
    numbers = [places[id(each.document)] for each in texts]
    school = session.school_class.arranged()
    prompt = _prompt(session, school.with_role(DocumentRole.TEMPLATE), settings) or documents.prompt
    place_of = {number: place for place, number in enumerate(numbers)}
    read = {n: each.document for n, each in enumerate(session.documents) if each.document}
    facts = {
        (place_of[left], place_of[right]): each
        for (left, right), each in facts_of_class(read, school).items()
        if {left, right} <= place_of.keys()
    }
    school = school.renumbered(place_of)
    essays = school.with_role(DocumentRole.CURRENT, range(len(texts)))
    if (common := _restored_common(session.scores, numbers, texts)) is None:
        found = find_common_text(texts, essays, settings.common_share, school.not_compared)
        common = found.by_text(texts) if found.sentences else {}
    documents = replace(documents, prompt=prompt, common=common, essays=essays, facts=facts)
    return school, documents


def _restored_common(
    saved: SavedScores | None, numbers: Sequence[int], texts: Sequence[PreparedDocument]
) -> dict[PreparedText, NDArray[np.str_]] | None:
    """Return the candidates that a session holds, or None unless it has them for these texts."""
    if saved is None:
        return None
    by_document, found = _common_by_document(saved), {}
    for number, text in zip(numbers, (each.prepared for each in texts), strict=True):
        if saved.texts[number] != scored_text_digest(text).hex():
            return None
        if len(by_document[number]) == text.sentence_count:
            found[text] = by_document[number]
    return found


def _prompt(session: Session, templates: Sequence[int], settings: ComparisonSettings) -> PreparedText | None:
    """Return the prompt and the templates as one text, None without templates or if none are excluded."""
    texts = [text for number in sorted(templates) if (text := session.documents[number].document) is not None]
    if settings.prompt is None or not texts:
        return None
    own = [] if session.prompt is None else [session.prompt]
    return prepare_document(joined_text([*own, *texts]), settings.recipe, settings.user_words).prepared
