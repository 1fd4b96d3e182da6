"""Scores of pairs that are not in the table now: of removed documents, or read from a session."""

from collections.abc import Collection, Iterable, Mapping
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.pair_scores import PairScores, scored_text_digest, scores_fit
from simcompare.cohort.scored_class import RestoredScores, figures_stamp
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.settings import ComparisonSettings
from simcompare.session.school_class import Pair
from simcompare.session.session_data import FIGURES
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.state.cohort.class_common import CommonByText


class KeptScores:
    """Scores by pair of document keys, valid for texts with the same digests (`scored_text_digest`)."""

    def __init__(self) -> None:
        self._scores: dict[Pair, PairScores] = {}
        self._digests: dict[int, bytes] = {}
        self._restored: RestoredScores | None = None
        self._common: CommonByText | None = None
        self._places: dict[Pair, int] = {}
        self.has_figures = False
        """True until the figures of a session have been listed."""

    def restore(self, restored: RestoredScores, common: CommonByText) -> None:
        """Keep the scores of a session instead of all others; its figures belong to this common text."""
        self._scores, self._digests = dict(restored.scores), dict(restored.digests)
        self._restored, self._common, self.has_figures = restored, common, True
        self._places = {pair: place for place, pair in enumerate(restored.scores)}

    def keep(self, scores: Mapping[Pair, PairScores], texts: Mapping[int, PreparedText]) -> None:
        """Keep the scores of the pairs with one of these texts, which are removed."""
        self._digests |= {key: scored_text_digest(text) for key, text in texts.items()}
        self._scores |= {pair: held for pair, held in scores.items() if pair[0] in texts or pair[1] in texts}

    def follow_text(self, key: int, text: PreparedText) -> None:
        """Forget the scores of a document whose text is another one now."""
        digest = self._digests.pop(key, None)
        if self._scores and digest not in {None, scored_text_digest(text)}:
            self._scores = {pair: held for pair, held in self._scores.items() if key not in pair}

    def take(
        self, pairs: Iterable[Pair], documents: Mapping[int, PreparedDocument]
    ) -> dict[Pair, PairScores]:
        """Return and forget the scores of those pairs that have some."""
        if not self._scores:
            return {}
        return {
            pair: held
            for pair in pairs
            if (held := self._scores.pop(pair, None)) is not None
            and scores_fit(held, documents[pair[0]].prepared, documents[pair[1]].prepared)
        }

    def unused(
        self, common: CommonByText, by_document: Mapping[int, NDArray[np.str_]]
    ) -> RestoredScores | None:
        """Return the scores that no listed pair has taken, as the session that is saved keeps them.

        common: of the class now; with another one than that of the figures these are not known.
        by_document: the common sentences of the texts that are not prepared yet.
        """
        if not self._scores:
            return None
        figures, restored = np.zeros(len(self._scores), FIGURES), self._restored
        if restored is not None and common is self._common:
            known = [
                place
                for place, (pair, held) in enumerate(self._scores.items())
                if restored.scores.get(pair) is held
            ]
            listed = list(self._scores)
            figures[known] = restored.figures[[self._places[listed[place]] for place in known]]
        stamp = "" if restored is None else restored.figures_stamp
        return RestoredScores(dict(self._digests), dict(self._scores), figures, stamp, (), by_document)

    def figures(
        self,
        scores: Mapping[Pair, PairScores],
        settings: ComparisonSettings,
        prompt: PreparedText | None,
        common: CommonByText,
    ) -> tuple[list[Pair], NDArray[np.void]] | None:
        """Return those of these pairs whose scores are of the session, and their figures.

        None if a session had no figures for these settings, prompt and common text.
        """
        restored = self._restored
        if restored is None or common is not self._common:
            return None
        if figures_stamp(settings, prompt) != restored.figures_stamp:
            return None
        pairs = [pair for pair, held in scores.items() if restored.scores.get(pair) is held]
        return pairs, restored.figures[[self._places[pair] for pair in pairs]]

    def expected(
        self,
        keys: Collection[int],
        old: Collection[int],
        settings: ComparisonSettings,
        prompt: PreparedText | None,
        common: CommonByText,
    ) -> tuple[list[Pair], NDArray[np.void]] | None:
        """Return the pairs of these documents whose figures a session had, and the figures; once.

        old: documents that have no pairs with each other.
        """
        if not self.has_figures:
            return None
        found = self.figures(self._scores, settings, prompt, common)
        if found is None:
            return None
        self.has_figures = False
        pairs, figures = found
        listed = np.array(pairs, np.int64).reshape(-1, 2)
        is_wanted = np.isin(listed, list(keys)).all(axis=1) & ~np.isin(listed, list(old)).all(axis=1)
        is_wanted &= figures["is_known"].astype(np.bool_)
        return list(compress(pairs, is_wanted.tolist())), figures[is_wanted]

    def clear(self) -> None:
        self._scores.clear()
        self._digests.clear()
        self._restored, self.has_figures = None, False
