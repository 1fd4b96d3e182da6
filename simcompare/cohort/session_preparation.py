"""Prepare the documents of a session for comparison, isolated in reader processes."""

import os
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from threading import Event

from simcompare.cohort.cohort_scoring import STOP_POLL_SECONDS, CohortDocuments, UnreadDocument
from simcompare.cohort.document_preparation import PRELOADED, prepare_read_document
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.loading.workers.isolation import ReaderPool, is_large_text
from simcompare.model.document import Document
from simcompare.model.errors import SimcompareError
from simcompare.model.progress import Cancelled, Tick
from simcompare.model.settings import ComparisonSettings
from simcompare.session.decisions import PairReview
from simcompare.session.school_class import DocumentRole, Pair
from simcompare.session.session_data import Session
from simcompare.text.prepared_text import PreparedText
from simcompare.text.sentence_meaning import is_meaning_wanted


def prepare_session_documents(
    session: Session, settings: ComparisonSettings, places: Collection[int], tick: Tick, stop: Event
) -> CohortDocuments:
    """Prepare the documents of a session at these indices, under settings that may differ from the session's.

    The original files are not needed. `tick` counts documents. Raises Cancelled soon after `stop` is set,
    what `tick` raises, and NoUnitsError if the prompt has no words.
    """
    files = {place: session.documents[place] for place in sorted(places)}
    texts = {place: file.document for place, file in files.items() if file.document is not None}
    prompts = [] if session.prompt is None or settings.prompt is None else [session.prompt]
    kept = [files[place].meanings for place in texts] + [b"" for _prompt in prompts]
    old = session.school_class.with_role(DocumentRole.OLD)
    encoded = replace(settings, meaning=is_meaning_wanted(settings, has_sources=bool(old)))
    prepared = _prepare_all([*texts.values(), *prompts], kept, encoded, tick, stop)
    outcomes = dict(zip(texts, prepared, strict=False))
    prepared_documents = {
        place: outcome.as_source(place in old)
        for place, outcome in outcomes.items()
        if isinstance(outcome, PreparedDocument)
    }
    errors = {place: outcomes.get(place, file.error) for place, file in files.items()}
    return CohortDocuments(
        tuple(prepared_documents.values()),
        _renumbered(session.reviews, list(prepared_documents)),
        tuple(
            UnreadDocument(files[place].path, error)
            for place, error in errors.items()
            if not isinstance(error, PreparedDocument)
        ),
        _prompt(prepared[len(texts) :]),
    )


def _prompt(outcomes: Sequence[PreparedDocument | SimcompareError]) -> PreparedText | None:
    for outcome in outcomes:
        if isinstance(outcome, SimcompareError):
            raise outcome
        return outcome.prepared
    return None


def _renumbered(reviews: Mapping[Pair, PairReview], kept: Sequence[int]) -> dict[Pair, PairReview]:
    numbers = {place: number for number, place in enumerate(kept)}
    renumbered: dict[Pair, PairReview] = {}
    for (left, right), review in reviews.items():
        if left in numbers and right in numbers:
            first, second = numbers[left], numbers[right]
            key = min(first, second), max(first, second)
            renumbered[key] = review if first < second else review.mirrored
    return renumbered


def _prepare_all(
    documents: Sequence[Document],
    kept: Sequence[bytes],
    settings: ComparisonSettings,
    tick: Tick,
    stop: Event,
) -> list[PreparedDocument | SimcompareError]:
    if not documents:
        return []
    with ReaderPool(min(len(documents), os.cpu_count() or 1), preload=PRELOADED) as pool:
        # character boxes are large to send and not needed for preparing
        sent = [replace(document, character_boxes=None) for document in documents]
        futures = [
            pool.submit(
                prepare_read_document,
                document.path,
                document,
                settings.recipe,
                settings.user_words,
                bool(settings.meaning),
                meanings,
                is_large=is_large_text(document.text),
            )
            for document, meanings in zip(sent, kept, strict=True)
        ]
        outcomes: list[PreparedDocument | SimcompareError] = []
        for document, future in zip(documents, futures, strict=True):
            outcome = _result_or_error(future, stop)
            outcomes.append(
                replace(outcome, document=document) if isinstance(outcome, PreparedDocument) else outcome
            )
            tick(len(outcomes), len(documents))
        return outcomes


def _result_or_error(future: "Future[PreparedDocument]", stop: Event) -> PreparedDocument | SimcompareError:
    while not stop.is_set():
        try:
            return future.result(STOP_POLL_SECONDS)
        except TimeoutError:
            continue
        except SimcompareError as error:
            return error
    raise Cancelled
