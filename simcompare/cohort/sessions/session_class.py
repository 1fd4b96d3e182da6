"""The class of a session that is compared without a window: its pairs, templates and common text."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.class_check import joined_text
from simcompare.cohort.cohort_data import (
    Cohort,
    CohortDocuments,
    CohortPair,
    larger_share,
    with_detected_groups,
)
from simcompare.cohort.common_text import find_common_text
from simcompare.cohort.pair_scores import ExclusionCandidateCache, scored_text_digest
from simcompare.cohort.unusual import ClassShares
from simcompare.comparison.comparison_result import ExclusionCandidates
from simcompare.comparison.prepared_document import prepare_document
from simcompare.model.settings import ComparisonSettings
from simcompare.session.session_data import Pair, Session
from simcompare.text.prepared_text import PreparedText


class SessionClass:
    """Documents of a session that were prepared, some or all, with the roles that they have in it."""

    def __init__(self, session: Session, documents: CohortDocuments, settings: ComparisonSettings) -> None:
        self._session = session
        numbers = {id(entry.document): number for number, entry in enumerate(session.documents)}
        self.settings = settings
        self._prepared = documents.prepared_documents
        self._numbers = [numbers[id(each.document)] for each in documents.prepared_documents]
        self.documents = replace(documents, prompt=self._prompt(documents.prompt))

    @property
    def pairs(self) -> list[Pair]:
        """The pairs that count, by the indices of the prepared documents."""
        left_out, old = self._session.school_class.not_compared, self._session.school_class.old
        counted = [place for place, number in enumerate(self._numbers) if number not in left_out]
        return [
            (left, right)
            for left, right in combinations(counted, 2)
            if not {self._numbers[left], self._numbers[right]} <= old
        ]

    def common_by_text(self) -> Mapping[PreparedText, NDArray[np.str_]]:
        """Return the exclusion candidates of each text: as saved, or found again in all documents."""
        if (saved := self._saved_common()) is not None:
            return saved
        left_out = self._session.school_class.not_compared | self._session.school_class.old
        essays = [place for place, number in enumerate(self._numbers) if number not in left_out]
        common = find_common_text(self._prepared, essays, self.settings.common_share)
        return common.by_text(self._prepared) if common.sentences else {}

    def exclusion_candidates(self) -> tuple[ExclusionCandidates, ...]:
        """Return the candidates of all documents if some text is common to the class, otherwise nothing."""
        common = self.common_by_text()
        cache = ExclusionCandidateCache(self.documents.prompt, self.settings.thesaurus, common)
        return tuple(map(cache.of, self._prepared)) if common else ()

    def with_groups(self, cohort: Cohort) -> Cohort:
        """Return the cohort of all pairs with the groups that the limit of the class gives."""
        limit = self._session.school_class.limit
        return with_detected_groups(cohort, self._proposed_limit(cohort.pairs) if limit is None else limit)

    def _proposed_limit(self, pairs: Sequence[CohortPair]) -> float:
        """Return the limit that follows from the shares of the pairs without earlier work."""
        old = self._session.school_class.old
        own = (
            pair
            for pair in pairs
            if old.isdisjoint(self._numbers[place] for place in (pair.left, pair.right))
        )
        shares = [share for pair in own if (share := larger_share(pair)) is not None]
        return ClassShares(np.array(shares, np.float64)).limit

    def _saved_common(self) -> dict[PreparedText, NDArray[np.str_]] | None:
        """Return the candidates that the session holds, or None unless it has them for these texts."""
        saved = self._session.scores
        if saved is None:
            return None
        digests = np.array([*(sentence.digest for sentence in saved.common), ""], np.str_)
        parts = np.split(saved.common_numbers, np.cumsum(saved.sentence_counts)[:-1])
        found = {}
        for number, each in zip(self._numbers, self._prepared, strict=True):
            text = each.prepared
            if saved.texts[number] != scored_text_digest(text).hex():
                return None
            if len(parts[number]) == text.sentence_count:
                found[text] = digests[parts[number]]
        return found

    def _prompt(self, prompt: PreparedText | None) -> PreparedText | None:
        """Return the prompt and the templates as one text, if any are excluded."""
        roles = self._session.school_class.roles
        entries = self._session.documents
        texts = [entries[number].document for number, role in sorted(roles.items()) if role == "template"]
        templates = [text for text in texts if text is not None]
        if self.settings.prompt is None or not templates:
            return prompt
        own = [] if self._session.prompt is None else [self._session.prompt]
        document = joined_text([*own, *templates])
        return prepare_document(document, self.settings.recipe, self.settings.user_words).prepared
