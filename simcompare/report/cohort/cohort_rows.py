"""Rows and columns of the tables of pairs and documents, their CSV, and what the figures mean."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeVar

from simcompare import __version__
from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_scoring import Cohort, CohortPair, UnreadDocument, distance_bits
from simcompare.cohort.pair_scores import ClassShares, PairRarity, rare_share
from simcompare.cohort.shared_facts import SharedMistake
from simcompare.comparison.explanation import units_in_words
from simcompare.comparison.figures import FIGURES, SIDES, SUMMARY_FIELDS
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.settings import ComparisonSettings
from simcompare.report.pair_tables import as_csv
from simcompare.report.receipts import doubts_in_words
from simcompare.report.wording import (
    NO_NUMBER,
    detailed,
    enumerated,
    exclusions_in_words,
    first_of,
    headline,
    listed,
    pair_decision_in_words,
    quoted,
    recipe_in_words,
    sentences_count,
    settings_in_words,
    size_in_words,
    thesaurus_in_words,
    units_count,
)
from simcompare.session.school_class import CommonSentence
from simcompare.support.display_text import (
    distinct_labels,
    escape_invisible,
    moment_in_words,
    percent,
    percentage,
)
from simcompare.support.i18n import N_, _, joined_sentences, ngettext

NO_MULTIPLE = "–"
_LEAST_MULTIPLE = 1.5
_WHOLE_MULTIPLE = 10
_HARDLY_ANY_PAIRS = 0.1
_MOST_MISTAKES = 5


def rarity_in_words(rarity: PairRarity) -> str:
    """Return "14 times the class's usual share; no unrelated pair of such a class is expected ..."."""
    is_usual = (rarity.times_usual or 0) < _LEAST_MULTIPLE and not rarity.is_unusual
    return listed(filter(None, [multiple_in_words(rarity), "" if is_usual else _by_chance(rarity)]))


def multiple_in_words(rarity: PairRarity) -> str:
    """Return "14 times the class's usual share"; "" in a class most pairs of which are unusual."""
    times = rarity.times_usual
    if times is None:
        return ""
    if times < _LEAST_MULTIPLE:
        return "" if rarity.is_unusual else _("usual for this class")
    return _("{times} times the class's usual share").format(times=_multiple(times))


def rare_text_in_words(share: float) -> str:
    """Say why a pair has its place among the pairs of the class."""
    if not share:
        return _("no rare text in common")
    return _("rare text in common: {share}").format(share=percent(share))


def short_multiple(rarity: PairRarity) -> str:
    """Return "14×", a dash for a usual share and where it is unknown."""
    times = rarity.times_usual or 0
    return _("{number}×").format(number=_multiple(times)) if times >= _LEAST_MULTIPLE else NO_MULTIPLE


def _multiple(times: float) -> str:
    return f"{times:.0f}" if times >= _WHOLE_MULTIPLE else f"{times:.1f}"


def _by_chance(rarity: PairRarity) -> str:
    pairs = rarity.chance_pairs
    if pairs < _HARDLY_ANY_PAIRS:
        return _("no unrelated pair of such a class is expected to reach this")
    if pairs < 1:
        words = _("in about {count} of 100 such classes, an unrelated pair reaches this")
        return words.format(count=_classes_of_100(pairs))
    words = _("in such a class, about {count} unrelated pairs reach this")
    return words.format(count=f"{pairs:,.0f}")


def none_unusual_in_words(limit: str) -> str:
    return _("No pair is unusual: none reaches {limit}.").format(limit=limit)


def rewritten_pairs_in_words(count: int) -> str:
    """Say how many pairs have passages that may have been rewritten."""
    if not count:
        return _("No pair has passages that may have been rewritten.")
    return ngettext(
        "{count} pair has passages that may have been rewritten. They do not count towards the shares; read "
        "both sides.",
        "{count} pairs have passages that may have been rewritten. They do not count towards the shares; "
        "read both sides.",
        count,
    )


def with_cleared_pairs(words: str, count: int) -> str:
    """Add to how many pairs are unusual how many of them no longer are after decisions, if any."""
    if not count:
        return words
    cleared = _("Decisions have cleared {count} of them.").format(count=f"{count:,}")
    return joined_sentences([words, cleared])


def limit_in_words(share: float, count: int, old: int = 0) -> str:
    """Return how many pairs are unusual, `old` of them with earlier work, and from which share."""
    limit = percent(share)
    if not count:
        return none_unusual_in_words(limit)
    if not old:
        return ngettext(
            "{count} pair is unusual: it shares {limit} or more.",
            "{count} pairs are unusual: they share {limit} or more.",
            count,
            limit=limit,
        )
    return ngettext(
        "{count} pair is unusual, {old} of them with earlier work: it shares {limit} or more.",
        "{count} pairs are unusual, {old} of them with earlier work: they share {limit} or more.",
        count,
        old=f"{old:,}",
        limit=limit,
    )


def false_alarms_in_words(class_shares: ClassShares, limit: float | None = None) -> str:
    """Return the rate of classes without copies with a pair above a limit, by default the proposed one."""
    chosen = class_shares.limit if limit is None else limit
    words = _("About {count} in 100 classes with no copying would still have a pair above the limit.")
    if not (count := _classes_of_100(class_shares.rarity(chosen).chance_pairs)):
        return _("Fewer than 1 in 100 classes with no copying would have a pair above the limit.")
    return words.format(count=count)


@dataclass(frozen=True, slots=True)
class InCommon:
    """A kind of PairFacts in words; heading: of a number; caption: how many pairs, and what that means."""

    kind: str
    pairs: Sequence[CohortPair]
    title: str
    heading: str
    caption: str


def in_common(check: ClassCheck) -> Iterator[InCommon]:
    """Yield what essays have in common besides their wording: each kind with its pairs, if there are any."""
    for kind in ("kinship", "pictures", "tables", "mistakes", "formulas"):
        if pairs := check.sharing(kind):
            yield InCommon(kind, pairs, *_in_common_in_words(len(pairs))[kind])


def _in_common_in_words(count: int) -> dict[str, tuple[str, str, str]]:
    ids_heading = FIGURES["shared_ids"].heading
    return {
        "kinship": (
            _("Files with common editing ids"),
            _(ids_heading),
            ngettext(
                "The files of {count} pair share editing ids of Word or WPS: parts of both were once "
                "written in the same file. A common template or an exchange of parts also explains this. "
                "It does not count towards the shares.",
                "The files of {count} pairs share editing ids of Word or WPS: parts of both were once "
                "written in the same file. A common template or an exchange of parts also explains this. "
                "It does not count towards the shares.",
                count,
            ),
        ),
        "pictures": (
            _("Essays with common pictures"),
            _("Common pictures"),
            ngettext(
                "{count} pair has pictures in common that most of the class does not have. They may come "
                "from a common source, and do not count towards the shares.",
                "{count} pairs have pictures in common that most of the class does not have. They may come "
                "from a common source, and do not count towards the shares.",
                count,
            ),
        ),
        "tables": (
            _("Essays with the same tables"),
            _("Same tables"),
            ngettext(
                "{count} pair has tables with the same numbers in common that few other essays have.",
                "{count} pairs have tables with the same numbers in common that few other essays have.",
                count,
            ),
        ),
        "mistakes": (
            _("Essays with shared mistakes"),
            "",
            ngettext(
                "{count} pair has misspellings or unusual references in common that few other essays have.",
                "{count} pairs have misspellings or unusual references in common that few other essays have.",
                count,
            ),
        ),
        "formulas": (
            _("Essays with the same formulas"),
            _("Same formulas"),
            ngettext(
                "{count} pair has formulas in common that few other essays have.",
                "{count} pairs have formulas in common that few other essays have.",
                count,
            ),
        ),
    }


def mistakes_in_words(mistakes: Iterable[SharedMistake]) -> str:
    """Return the first of the mistakes as they are written."""
    written = list(dict.fromkeys(quoted(each.written) for each in mistakes))
    return escape_invisible(enumerated(first_of(written, _MOST_MISTAKES)))


def common_in_words(common: Sequence[CommonSentence], settings: ComparisonSettings) -> str:
    """Return the number of sentences common to a class, and whether they count; "" if there are none."""
    if not common:
        return ""
    if settings.exclude_common:
        return ngettext(
            "{count} sentence is common to the class and does not count:",
            "{count} sentences are common to the class and do not count:",
            len(common),
        )
    return ngettext(
        "{count} sentence is common to the class, and counts:",
        "{count} sentences are common to the class, and count:",
        len(common),
    )


def _classes_of_100(pairs: float) -> int:
    """Return the number of 100 classes with at least one pair, if a class has `pairs` on average."""
    return round(100 * (1 - math.exp(-pairs)))


COMPARISON_FAILED = N_("the comparison failed")
"""Reason for a pair without figures whose cause is not known."""
Number = float | int | None
Row = TypeVar("Row")
"""Figure of the table; None if it is not known."""


class ColumnKind(Enum):
    TEXT = auto()
    LONG_TEXT = auto()
    DIGEST = auto()
    PERCENTAGE = auto()
    COUNT = auto()


Field = tuple[str, ColumnKind, Callable[[Row], "str | Number"]]
"""Title, kind and cell of a column."""


def filled(
    fields: Sequence[Field[Row]], rows: Iterable[Row]
) -> tuple[list[tuple[str, ColumnKind]], list[list[str | Number]]]:
    """Return the title and kind of each column, and the cells of each row."""
    cells = [[cell(row) for _title, _kind, cell in fields] for row in rows]
    return [(title, kind) for title, kind, _cell in fields], cells


def figure_name(figure: str) -> str:
    return _(FIGURES[figure].name)


def figure_in_words(figure: str, value: Number, *documents: PreparedDocument) -> str:
    """Return the value of a figure of these documents as pages have it, a dash if it is not known.

    A count of text has its unit unless the documents are in two languages.
    """
    scripts = {each.prepared.is_mostly_chinese for each in documents}
    if FIGURES[figure].unit and value and len(scripts) == 1:
        return units_in_words(int(value), is_chinese=scripts.pop())
    return headline(value) if FIGURES[figure].is_percentage else count_in_words(value)


def count_in_words(value: Number) -> str:
    """Return a number, or a dash if it is not known."""
    return NO_NUMBER if value is None else f"{value:,}"


def figure_meaning(figure: str) -> str:
    """Return the explanation of a figure, one or two sentences; that of the group: `group_meaning`."""
    return _(FIGURES[figure].meaning)


def uncounted_in_words(figures: Mapping[str, Any]) -> str:
    """Say why a pair without a share has a longest passage; "" unless it has one."""
    is_any = (figures["longest_passage_units"] or 0) > 0 and not any(figures[side] for side in SIDES)
    return _("not counted: a summary or a short sentence") if is_any else ""


def group_meaning(limit: float) -> str:
    """Return the explanation of the number of the group; limit: share from which a pair is unusual."""
    return figure_meaning("group").format(limit=percent(limit))


def table_of(cohort: Cohort) -> tuple[list[tuple[str, ColumnKind]], list[list[str | Number]]]:
    """Return the title and kind of each column, and the cells of each pair, in the current language.

    Shares after decisions, problems, what was rewritten and editing ids have columns only if a pair has them.
    """
    names = cohort.names
    rows: list[dict[str, str | Number]] = [
        {
            **{side: names[place] for side, place in (("left", pair.left), ("right", pair.right))},
            **figures_of(cohort, pair),
            "decision": pair_decision_in_words(pair.review, pair.parts),
            "note": note_of(pair),
            "problem": "" if pair.summary else reason_not_compared(pair.cause),
        }
        for pair in cohort.pairs
    ]
    columns = {"left": (_("A"), ColumnKind.TEXT), "right": (_("B"), ColumnKind.TEXT)}
    columns |= {key: figure_column(key) for key in FIGURES}
    columns |= {"decision": (_("Decision"), ColumnKind.TEXT), "note": (_("Note"), ColumnKind.LONG_TEXT)}
    if any(row["problem"] for row in rows):
        columns["problem"] = _("Not compared"), ColumnKind.LONG_TEXT
    if all(pair.decided is None for pair in cohort.pairs):
        del columns["after_decisions_left_in_right"], columns["after_decisions_right_in_left"]
    for key in ("rewritten_units", "shared_ids"):
        if all(row[key] is None for row in rows):
            del columns[key]
    return list(columns.values()), [[row[key] for key in columns] for row in rows]


def note_of(pair: CohortPair) -> str:
    return escape_invisible(" · ".join(pair.review.notes))


def figure_column(figure: str) -> tuple[str, ColumnKind]:
    kind = ColumnKind.PERCENTAGE if FIGURES[figure].is_percentage else ColumnKind.COUNT
    name, unit = figure_name(figure), FIGURES[figure].unit
    return detailed(name, _(unit)) if unit else name, kind


def figures_in_words(cohort: Cohort, pair: CohortPair, figures: Iterable[str]) -> list[tuple[str, str]]:
    """Return name and value of these figures of a pair, as pages have them."""
    values, documents = figures_of(cohort, pair), (cohort.documents[pair.left], cohort.documents[pair.right])
    return [(figure_name(key), figure_in_words(key, values[key], *documents)) for key in figures]


def figures_of(cohort: Cohort, pair: CohortPair) -> dict[str, Number]:
    figures: dict[str, Number] = dict.fromkeys(FIGURES) | {
        "distance_bits": distance_bits(cohort.documents, pair),
        "group": pair.group or None,
        "shared_ids": pair.facts.kinship and pair.facts.kinship.shared_ids,
        "rare_text": None if pair.rank_score is None else rare_share(pair.rank_score),
        **{f"after_decisions_{side}": share for side, share in zip(SIDES, pair.shares, strict=True)},
    }
    if pair.summary is not None:
        figures |= {key: getattr(pair.summary, key) for key in FIGURES if key in SUMMARY_FIELDS}
    # without what is of no concern; None if it was not searched
    figures["rewritten_units"] = rewritten_units(cohort, pair) if cohort.is_by_meaning(pair) else None
    return figures


def rewritten_units(cohort: Cohort, pair: CohortPair) -> int:
    """Return the units of a pair that were possibly rewritten, 0 if not searched or all of no concern."""
    if pair.summary is None or not cohort.is_by_meaning(pair) or not pair.has_open_rewriting:
        return 0
    return pair.summary.rewritten_units


def reason_not_compared(cause: str) -> str:
    """Return the reason why a pair has no figures, in the current language."""
    return escape_invisible(_(cause or COMPARISON_FAILED))


def pairs_as_csv(cohort: Cohort) -> bytes:
    """Return the table of pairs as CSV, as `table_as_csv` writes it; unknown values are empty."""
    return table_as_csv(*table_of(cohort))


def table_as_csv(columns: Sequence[tuple[str, ColumnKind]], lines: Iterable[Sequence[str | Number]]) -> bytes:
    """Return a table as CSV with a header row; columns: title and kind of each.

    Shares become percentages with a decimal point, 62.1.
    """
    kinds = [kind for _title, kind in columns]
    cells = (list(map(_cell, line, kinds)) for line in lines)
    return as_csv([[_title(*column) for column in columns], *cells])


def _title(title: str, kind: ColumnKind) -> str:
    return detailed(title, "%") if kind is ColumnKind.PERCENTAGE else title


def _cell(value: str | Number, kind: ColumnKind) -> str | None:
    if value is None or isinstance(value, str):
        return value
    number = percentage(value) if kind is ColumnKind.PERCENTAGE else value
    return f"{number:.1f}".removesuffix(".0")


@dataclass(frozen=True, slots=True)
class CohortDocumentRow:
    """A document of a cohort. One that could not be compared has only its name and the problem.

    size: all three numbers in words.
    """

    name: str
    problems: str
    units: int | None = None
    sentences: int | None = None
    size_bytes: int | None = None
    sha256: str = ""
    size: str = ""

    @property
    def was_read(self) -> bool:
        return self.units is not None


def document_rows(cohort: Cohort) -> list[CohortDocumentRow]:
    """Return rows of the compared documents, then of the others."""
    read = [
        _compared_row(name, prepared_document)
        for name, prepared_document in zip(cohort.names, cohort.documents, strict=True)
    ]
    names = distinct_labels(cohort.paths)[len(read) :]
    return [*read, *map(_unread_row, names, cohort.unread)]


def _compared_row(name: str, prepared_document: PreparedDocument) -> CohortDocumentRow:
    document, prepared = prepared_document.document, prepared_document.prepared
    sizes = [units_count(prepared_document), sentences_count(prepared_document)]
    return CohortDocumentRow(
        name,
        escape_invisible(doubts_in_words(document.receipt)),
        prepared.unit_count,
        prepared.sentence_count,
        document.size_bytes or None,
        document.sha256,
        " · ".join([*sizes, *([size_in_words(document.size_bytes)] if document.size_bytes else [])]),
    )


def _unread_row(name: str, document: UnreadDocument) -> CohortDocumentRow:
    return CohortDocumentRow(name, unread_in_words(document))


def unread_in_words(document: UnreadDocument) -> str:
    """Say beside the name of a file why it has no text."""
    if document.error is None:
        return _("It had not been read yet when this was made.")
    return escape_invisible(document.error.beside_name)


def facts_of(cohort: Cohort) -> Iterator[tuple[str, str]]:
    """Yield the settings, the program and the date of a cohort, each with its label."""
    settings = cohort.settings
    yield _("Thresholds"), settings_in_words(settings)
    yield _("Exclusions"), escape_invisible(exclusions_in_words(settings, cohort.exclusion_candidates))
    yield _("Thesaurus"), escape_invisible(thesaurus_in_words(settings, cohort.thesaurus, cohort.by_meaning))
    yield _("Fingerprints"), recipe_in_words(recipe_of(cohort))
    yield (
        _("Order"),
        _(
            "by the rare text in common, then by the similarity of all words, then by the greater of the two "
            "shares before decisions"
        ),
    )
    yield _("Program"), f"simcompare {__version__}"
    yield _("Date"), moment_in_words(cohort.made_at)


def meanings_of(cohort: Cohort) -> Iterator[tuple[str, str]]:
    """Yield the name and the meaning of each figure of a pair; of groups and decisions only if any exist."""
    is_decided = any(pair.decided for pair in cohort.pairs)
    for figure in FIGURES:
        if figure.startswith("after_decisions") and not is_decided:
            continue
        if figure == "rewritten_units" and not cohort.by_meaning:
            continue
        if figure == "shared_ids" and not any(pair.facts.kinship for pair in cohort.pairs):
            continue
        if figure != "group":
            yield figure_name(figure), figure_meaning(figure)
        elif cohort.limit is not None and any(pair.group for pair in cohort.pairs):
            yield figure_name(figure), group_meaning(cohort.limit)


def recipe_of(cohort: Cohort) -> str:
    """Return the signature of the recipe of all fingerprints."""
    return cohort.documents[0].fingerprint.recipe if cohort.documents else cohort.settings.recipe


def share_meaning() -> str:
    """Return the explanation of the share after exclusions."""
    return _(
        "Part of a text in sentences or passages that are similar, not necessarily identical, to the "
        "other text. What is excluded, such as quotations, reference lists, lines with only a name or "
        "a class, the prompt and short sentences, counts neither as similar nor as part of the text, "
        "so the share after exclusions may be the higher one."
    )


def how_to_read(size_bits: int, *, is_rewritten: bool) -> Iterator[tuple[str, str]]:
    """Yield each term of a report with its explanation; is_rewritten: a passage possibly is."""
    yield _("Share"), share_meaning()
    yield (
        _("Sentence share"),
        _(
            "The same for single sentences that match, without the passages around them: the measure of "
            "the papers on which the method is based."
        ),
    )
    yield (
        _("Matches"),
        _(
            "Two similar sentences. Identical: the same word for word. Edited: too much agrees in the "
            "same order to be chance. Reworded: the words agree, in any order and with synonyms counted "
            "as equal. The program compares words, not meaning: read both sentences before you decide."
        ),
    )
    if is_rewritten:
        yield (
            _("Possibly rewritten"),
            _(
                "By a model of their meaning, the sentences of such a passage may say much the same in other "
                "words, or in another language. It proves nothing and never counts towards the share: read "
                "both sides."
            ),
        )
    yield (
        "P",
        _(
            "Share of the longer sentence that agrees with the other one in the same order, from"
            " 0 (nothing) to 1 (everything)."
        ),
    )
    yield (
        "w",
        _(
            "Share of the words that agree in any order, with synonyms counted as equal, from 0 "
            "(nothing) to 1 (everything). A dash means that P alone was decisive."
        ),
    )
    yield (
        _("Fingerprint"),
        _(
            "The small bars show a text as {size} bits: dark for 1, light for 0. "
            "Similar texts have similar fingerprints. Ringed bars differ."
        ).format(size=size_bits),
    )
    yield _("Hamming distance"), figure_meaning("distance_bits")
