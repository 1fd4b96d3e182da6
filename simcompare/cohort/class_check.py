"""Check a class: which documents count, common text, the pairs of students, and which of them are unusual."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from threading import Event
from typing import TypeVar, final

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.class_figures import ClassFigures, ranks_by_name
from simcompare.cohort.cohort_scoring import (
    Cohort,
    CohortDocuments,
    CohortPair,
    UnreadDocument,
    known_shares,
    larger_share,
    make_cohort,
    with_detected_groups,
)
from simcompare.cohort.common_text import find_common_text
from simcompare.cohort.pair_facts import NO_FACTS, PairFacts, facts_of_class
from simcompare.cohort.pair_scores import ClassShares, PairScores
from simcompare.cohort.student_groups import SubmittedText, group_by_student, submitted_text
from simcompare.comparison.figures import PairSummary
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.model.document import Document
from simcompare.model.errors import NotAnEssayError
from simcompare.model.progress import Tick
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.name_folding import FUNCTION_WORDS, GENERAL_WORDS, folded, listed_words
from simcompare.pseudonyms.students import Student
from simcompare.session.school_class import ClassStudent, CommonSentence, DocumentRole, Pair, SchoolClass
from simcompare.support.display_text import reaches
from simcompare.support.i18n import N_
from simcompare.support.lazy import LazyPattern
from simcompare.text.prepared_text import PreparedText

_TEMPLATE = N_("only text that is common to the class: a template; give it with --template")
_TASK = N_("the task or instructions, as its name says; give it with --template")
_TASK_WORDS = {
    **dict.fromkeys(GENERAL_WORDS - FUNCTION_WORDS | listed_words("of-tasks"), "o"),
    **dict.fromkeys(listed_words("tasks-behind"), "b"),
    **dict.fromkeys(listed_words("tasks"), "t"),
    "题": "q",
}
_TASK_PART = LazyPattern(
    rf"{'|'.join(sorted(_TASK_WORDS, key=len, reverse=True))}"
    r"|[a-z]{2,4}(?:\d{4}|[\W_]?\d{3})[a-z]?(?!\d)|《[^《》]*》|[\W\d_第一二三四五六七八九十与和及]|and|(.)"
)
_TASK_NAME = re.compile("[o-]*(?:t|o-*b|oq)(?:-[otbq-]*)?")
"""Kinds of the parts of a name that is that of a task; "x" is any other word."""
_TASK_OF_TOPIC = re.compile("[otx-]*[ot]-*[btq][otbqx-]*")
_OWN = frozenset({"my", "我的"})
_TASK_SHEET = LazyPattern(
    r"(?i:task|assignment|essay|project|writing)[ _-]?(?i:sheet|brief|instructions?|requirements?|rubric)"
    r"\s*[-_:\u2013\u2014]\s*(?:\S+\s+)*[a-z]{3}"
)
"""The same with its topic behind it: "Task sheet - mobile phones"; the name of a student has capitals."""
_LEAST_OWN = 0.1
"""A document with a smaller share of text of its own has only the common text."""
_MOST_HEADING_SHARE, _MOST_HEADING_UNITS = 0.25, 30
"""So has a document of no student if its own text is only a heading, such as 七年级语文第三次作文."""
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True, eq=False)
class ClassFiles:
    """The documents of a class that were read, and the others.

    submitted: what the students handed in; old: earlier work; templates: texts that do not count; unread: the
    files that students handed in, then those of earlier work.
    """

    submitted: tuple[PreparedDocument, ...]
    old: tuple[PreparedDocument, ...] = ()
    templates: tuple[PreparedDocument, ...] = ()
    unread: tuple[UnreadDocument, ...] = ()
    unread_old: tuple[UnreadDocument, ...] = ()
    listed: tuple[Student, ...] = ()

    @property
    def documents(self) -> tuple[PreparedDocument, ...]:
        return (*self.submitted, *self.old, *self.templates)


@dataclass(frozen=True, slots=True)
class NamedEntry:
    """What names an entry of the library. tags: names and values; added_at: UTC in ISO 8601.

    Without names of students, `name` and `tags` are empty.
    """

    number: int
    name: str
    tags: tuple[tuple[str, str], ...]
    added_at: str


@dataclass(frozen=True, slots=True)
class ClassHit:
    """An entry of the library that shares text with a current document.

    place: index of the document, the left one of `summary` and `facts`.
    """

    place: int
    entry: NamedEntry
    summary: PairSummary
    facts: PairFacts = NO_FACTS

    @property
    def larger_share(self) -> float:
        """The larger of the two shares after exclusions, 0 if neither is known."""
        return max(share or 0.0 for share in self.summary.after_exclusions)

    def reaches(self, least: float) -> bool:
        """Return whether the larger share is at least this."""
        return reaches(self.larger_share, least)


@dataclass(frozen=True, slots=True)
class ClassHits:
    """What a library has of a class; documents by their indices.

    hits: by document, largest share first; failed: entries that could not be compared with a document, and
    why, "" if that is not known. own: documents that are entries themselves, and their entries, which are no
    hits of theirs. top: number of entries that were compared with each document, the best candidates.
    by_meaning: possibly rewritten passages were searched.
    """

    hits: tuple[ClassHit, ...]
    own: tuple[tuple[int, NamedEntry], ...]
    failed: tuple[tuple[int, NamedEntry, str], ...]
    top: int
    by_meaning: bool = False

    def above(self, least: float) -> "ClassHits":
        """Return only the hits whose larger share reaches this or with rewritten passages or facts."""
        others = (hit.summary.rewritten_units or hit.facts != NO_FACTS for hit in self.hits)
        kept = (hit for hit, is_kept in zip(self.hits, others, strict=True) if is_kept or hit.reaches(least))
        return replace(self, hits=tuple(kept))


@final
@dataclass(frozen=True, eq=False)
class ClassCheck:
    """Result of a check.

    cohort: all documents; its pairs are those of the current documents with each other and with old ones, in
    the order of their ranks. school: the class, with the roles of its documents; they are named by their
    places among those that were read, then the others, as in `Cohort.paths`; of a student those that were
    read come first. library_hits: None if no library was searched. order: of the documents before they were
    sorted by pseudonym; original_ranks: `name_ranks` before names were replaced. The groups of the cohort are
    those that unusual pairs link (`with_linked_groups`).
    """

    cohort: Cohort
    school: SchoolClass
    library_hits: ClassHits | None = None
    order: tuple[int, ...] = ()
    original_ranks: tuple[int, ...] = ()

    @cached_property
    def roles(self) -> tuple[DocumentRole, ...]:
        return tuple(map(self.school.role_of, range(len(self.cohort.documents))))

    def is_read(self, place: int) -> bool:
        return place < len(self.cohort.documents)

    @property
    def students(self) -> list[ClassStudent]:
        return [student for student in self.school.students if self.is_read(student.current)]

    @property
    def read_files(self) -> Mapping[int, Path]:
        return {place: each.document.path for place, each in enumerate(self.cohort.documents)}

    @property
    def limit(self) -> float:
        """Share from which a pair is unusual: the chosen one, otherwise the proposed one."""
        return self.shares.limit if self.school.limit is None else self.school.limit

    def is_unusual(self, pair: CohortPair) -> bool:
        """Return whether a pair reaches the limit."""
        share = larger_share(pair)
        return share is not None and reaches(share, self.limit)

    def is_cleared(self, pair: CohortPair) -> bool:
        """Return whether an unusual pair is of no concern, or does not reach the limit after decisions."""
        left = 0.0 if pair.review.is_fine else max(known_shares(pair), default=0.0)
        return self.is_unusual(pair) and not reaches(left, self.limit)

    @cached_property
    def shares(self) -> ClassShares:
        own = (pair for pair in self.cohort.pairs if DocumentRole.OLD not in self.roles_of(pair))
        shares = [share for pair in own if (share := larger_share(pair)) is not None]
        return ClassShares(np.array(shares, np.float64))

    def roles_of(self, pair: CohortPair) -> tuple[DocumentRole, DocumentRole]:
        return self.roles[pair.left], self.roles[pair.right]

    @property
    def pairs_with_drafts(self) -> int:
        """Number of pairs that are not compared because one document is a draft."""
        current, drafts, old = (
            self.roles.count(role) for role in (DocumentRole.CURRENT, DocumentRole.DRAFT, DocumentRole.OLD)
        )
        return drafts * (drafts - 1) // 2 + drafts * (current + old)

    def essays_with(self, sentence: CommonSentence) -> list[int]:
        """Return the current documents that have a common sentence, without drafts and old work."""
        return self.school.with_role(DocumentRole.CURRENT, filter(self.is_read, sentence.documents))

    @property
    def uncompared(self) -> tuple[CohortPair, ...]:
        """Pairs whose comparison failed."""
        return tuple(pair for pair in self.cohort.pairs if pair.summary is None)

    @cached_property
    def nearest(self) -> Mapping[int, tuple[float, int]]:
        """The highest share after decisions of each document that is in another one, and that other one.

        Of equal ones it is that of `ClassFigures.nearest`.
        """
        pairs = self.cohort.pairs
        ends = np.array([(pair.left, pair.right) for pair in pairs], np.int64).reshape(-1, 2)
        shares = np.array([pair.shares for pair in pairs], np.float64).reshape(-1, 2)
        scores = np.array([pair.rank_score for pair in pairs], np.float64)
        (left, right), (left_in_right, right_in_left) = ends.T, shares.T
        figures = ClassFigures(
            len(self.roles), left, right, left_in_right, right_in_left, scores, self.name_ranks
        )
        highest, nearest = (column.tolist() for column in figures.nearest)
        return {place: (highest[place], other) for place, other in enumerate(nearest) if other >= 0}

    @cached_property
    def name_ranks(self) -> tuple[int, ...]:
        """Place of each document in the order of the names of the students; without names as before."""
        owners, ranks = self.school.owners, self.original_ranks
        names = (
            owners[place].label if place in owners else name for place, name in enumerate(self.cohort.names)
        )
        return ranks or ranks_by_name(list(names))

    def sharing(self, kind: str) -> Sequence[CohortPair]:
        """Return the pairs of documents that share facts of a kind of PairFacts, those with most first."""
        counts = ((pair.facts.count(kind), pair) for pair in self.cohort.pairs)
        found = sorted(counts, key=lambda each: (-each[0], each[1].left, each[1].right))
        return [pair for count, pair in found if count]

    def with_linked_groups(self) -> "ClassCheck":
        return replace(self, cohort=with_detected_groups(self.cohort, self.limit))

    def above(self, least: float) -> "ClassCheck":
        """Return the check with only the pairs that reach this share, and those that failed."""
        kept = tuple(
            pair
            for pair in self.cohort.pairs
            if pair.summary is None or reaches(larger_share(pair) or 0.0, least)
        )
        return replace(self, cohort=replace(self.cohort, pairs=kept))


def check_class(
    files: ClassFiles,
    settings: ComparisonSettings,
    made_at: datetime,
    tick: Tick,
    stop: Event,
    kept: dict[Pair, PairScores] | None = None,
) -> ClassCheck:
    """Group the documents by student, find their common text and compare the pairs that count.

    kept: where the scores of the pairs are put, if anywhere.

    The sentences of the templates are excluded as those of a prompt, under `settings.prompt`. `tick` counts
    pairs. Raises Cancelled soon after `stop` is set, and what `tick` raises.
    """
    files = replace(files, old=tuple(each.as_source() for each in files.old))
    documents, paths = files.documents, [each.document.path for each in files.submitted]
    school, places = _arranged(files), range(len(documents))
    current, uncompared = school.with_role(DocumentRole.CURRENT, places), school.not_compared
    common = find_common_text(documents, current, settings.common_share, uncompared)
    joined = joined_templates(files.templates)
    by_text = common.by_text(documents)
    unknown = {student.current for student in school.students if not student.name}.intersection(current)
    found = documents_of_common_text(dict(enumerate(files.submitted)), by_text, unknown)
    unlisted = {student.current for student in school.students if not student.is_listed}.intersection(current)
    contents = [documents[place].document.text for place in current]
    causes = {place: _TASK for place in unlisted if is_named_as_task(paths[place], contents)}
    if templates := causes | dict.fromkeys(unknown.intersection(found), _TEMPLATE):
        lost = sorted((paths[place], cause) for place, cause in templates.items())
        errors = (UnreadDocument(path, NotAnEssayError(path, cause=cause)) for path, cause in lost)
        submitted = tuple(text for place, text in enumerate(files.submitted) if place not in templates)
        files = replace(files, submitted=submitted, unread=(*files.unread, *errors))
        return check_class(files, settings, made_at, tick, stop, kept)
    prompt, unread = None if joined is None else joined.prepared, (*files.unread, *files.unread_old)
    facts = facts_of_class({place: each.document for place, each in enumerate(documents)}, school)
    texts = CohortDocuments(documents, {}, unread, prompt, by_text, current, facts)
    cohort = make_cohort(texts, settings, made_at, tick, stop, school.pairs(places), kept)
    return ClassCheck(cohort, replace(school, common=common.sentences)).with_linked_groups()


def is_named_as_task(path: Path, texts: Sequence[str] = ()) -> bool:
    """Return whether a name consists of words for a task and of school, as 高一月考作文题目, or begins so.

    texts: of the class. Words that most of them have are the topic: "Task sheet Macbeth".
    """
    parts = list(_TASK_PART.finditer(folded(path.stem).characters))
    kinds = "".join("x" if part[1] else _TASK_WORDS.get(part[0], "-") for part in parts)
    if _TASK_NAME.fullmatch(kinds) or _TASK_SHEET.match(path.stem):
        return True
    if not (texts and _TASK_OF_TOPIC.fullmatch(kinds)):
        return False
    topics = {"".join(part[0] for part in parts[slice(*run.span())]) for run in re.finditer("x+", kinds)}
    folded_texts = [text.casefold() for text in texts]
    return _OWN.isdisjoint(topics) and all(
        2 * sum(topic in text for text in folded_texts) > len(folded_texts) for topic in topics
    )


def documents_of_common_text(
    documents: Mapping[Key, PreparedDocument],
    by_text: Mapping[PreparedText, NDArray[np.str_]],
    without_student: Collection[Key],
) -> list[Key]:
    """Return the keys of the documents that have hardly any text of their own, such as templates.

    by_text: the digest of each common sentence of a text, "" for others.
    """
    found = []
    for key, document in documents.items():
        text = document.prepared
        if (digests := by_text.get(text)) is None:
            continue
        own = int(text.sentence_lengths[digests == ""].sum())
        is_heading = own <= min(_MOST_HEADING_UNITS, _MOST_HEADING_SHARE * text.unit_count)
        if own < _LEAST_OWN * text.unit_count or (is_heading and key in without_student):
            found.append(key)
    return found


def joined_templates(templates: Sequence[PreparedDocument]) -> PreparedDocument | None:
    """Join templates to one text with the path of the first, or return None without any."""
    if not templates:
        return None
    document = joined_text([template.document for template in templates])
    first = templates[0]
    return prepare_document(document, first.fingerprint.recipe_name, first.prepared.user_words)


def joined_text(templates: Sequence[Document]) -> Document:
    """Join at least one template to one text with the path of the first."""
    text = "\n\n".join(template.text for template in templates)
    return load_pasted(templates[0].path, PastedText(text))


def _arranged(files: ClassFiles) -> SchoolClass:
    """Return the class; its documents are those that were read, then the others."""
    texts = [submitted_text(document.document) for document in files.submitted]
    texts += [SubmittedText(document.path) for document in files.unread]
    own, old, count = len(files.submitted), len(files.old), len(files.documents)
    unread = range(count, count + len(files.unread))
    found = group_by_student(texts, files.listed).renumbered(dict(enumerate([*range(own), *unread])))
    roles = dict.fromkeys(range(own, own + old), DocumentRole.OLD)
    roles |= dict.fromkeys(range(own + old, count), DocumentRole.TEMPLATE)
    no_essays = {
        n for n, each in zip(unread, files.unread, strict=True) if isinstance(each.error, NotAnEssayError)
    }
    return replace(found, roles=roles).arranged(unread, no_essays).read_first(count)
