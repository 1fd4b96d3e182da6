"""Sentences common to the class in the window, found in the background."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.cohort.common_text import CommonText, find_common_text
from simcompare.comparison.compare_documents import PairCommonText
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.session.school_class import CommonSentence
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.state.task import Background

CommonByText = Mapping[PreparedText, NDArray[np.str_]]
"""`ExclusionCandidates.common` of each text."""


@dataclass(frozen=True, slots=True)
class _Search:
    """Keys and texts of all documents, keys of the essays that count, setting, and keys of drafts."""

    keys: tuple[int, ...]
    texts: tuple[PreparedText, ...]
    essays: frozenset[int]
    least_share: float
    uncompared: frozenset[int]


_Found = tuple[CommonText, dict[PreparedText, NDArray[np.str_]]]


class ClassCommonText(QObject):
    """Finds the common sentences again when documents, roles or the setting change.

    sentences: with the keys of the documents that have them. by_text: the same object as long as no text has
    other candidates. awaited: known digests of documents whose texts are not prepared yet, or not again.
    """

    changed = Signal()
    busy_changed = Signal()
    """A search has begun or is over."""

    def __init__(self, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sentences: tuple[CommonSentence, ...] = ()
        self.by_text: dict[PreparedText, NDArray[np.str_]] = {}
        self.awaited: dict[int, NDArray[np.str_]] = {}
        self._background = Background(self, pool)
        self._search: _Search | None = None

    @property
    def is_busy(self) -> bool:
        return self._background.is_busy

    def follow(
        self,
        documents: Mapping[int, PreparedDocument],
        essays: Collection[int],
        least_share: float,
        uncompared: Collection[int] = (),
    ) -> None:
        texts = tuple(document.prepared for document in documents.values())
        search = _Search(tuple(documents), texts, frozenset(essays), least_share, frozenset(uncompared))
        if search == self._search:
            return
        self._search = search
        self._background.cancel()
        work = partial(_find, search, tuple(documents.values()))
        self._background.start(work, partial(self._use, search.keys), self._fail)
        self.busy_changed.emit()

    def restore(self, sentences: Sequence[CommonSentence], digests: Mapping[int, NDArray[np.str_]]) -> None:
        """Use the common sentences of a session until they have been searched again.

        digests: of each document, by key; they are used once its text is prepared.
        """
        self.sentences, self.by_text, self.awaited = tuple(sentences), {}, dict(digests)
        self.changed.emit()

    def await_again(self, keys: Collection[int]) -> None:
        """Keep what is known of documents whose texts are prepared again."""
        if self._search is not None and keys:
            known = zip(self._search.keys, self._search.texts, strict=True)
            again = {key: self.by_text[text] for key, text in known if key in keys and text in self.by_text}
            self.awaited = again | self.awaited

    def use_restored(self, documents: Mapping[int, PreparedDocument], awaited: Collection[int]) -> None:
        """Use what is known of these; of those that are awaited it is kept for their texts to come, too."""
        for key in documents.keys() & self.awaited.keys():
            digests, text = self.awaited[key], documents[key].prepared
            if len(digests) == text.sentence_count:
                self.by_text[text] = digests
            if key not in awaited:
                del self.awaited[key]

    def forget(self) -> None:
        self._background.cancel()
        self._search = None
        self.awaited.clear()
        if self.by_text or self.sentences:
            self.by_text, self.sentences = {}, ()
            self.changed.emit()

    def of_pair(self, left: PreparedDocument, right: PreparedDocument) -> PairCommonText:
        return self.by_text.get(left.prepared), self.by_text.get(right.prepared)

    def close(self) -> None:
        self._background.close()

    def _use(self, keys: Sequence[int], found: _Found) -> None:
        common, by_text = found
        sentences = tuple(sentence.renumbered(dict(enumerate(keys))) for sentence in common.sentences)
        is_other = not _are_in(by_text, self.by_text)
        if is_other:
            self.by_text = by_text
        if is_other or sentences != self.sentences:
            self.sentences = sentences
            self.changed.emit()
        self.busy_changed.emit()

    def _fail(self, error: Exception) -> None:
        self.busy_changed.emit()
        raise error


def _find(search: _Search, documents: Sequence[PreparedDocument]) -> _Found:
    essays = [place for place, key in enumerate(search.keys) if key in search.essays]
    uncompared = [place for place, key in enumerate(search.keys) if key in search.uncompared]
    common = find_common_text(documents, essays, search.least_share, uncompared)
    return common, common.by_text(documents) if common.sentences else {}


def _are_in(some: CommonByText, others: CommonByText) -> bool:
    """Return whether other candidates include these; without candidates they include only none."""
    return bool(some) == bool(others) and all(
        text in others and np.array_equal(digests, others[text]) for text, digests in some.items()
    )
