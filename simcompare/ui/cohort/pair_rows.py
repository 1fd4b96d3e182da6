"""Rows of the table of pairs: those that match the filter, in sort order, their groups and their columns.

A row is the place of its pair in the table of pairs of the state, which holds the figures.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.cohort_scoring import NO_GROUP, Group, find_groups, groups_of_pairs
from simcompare.cohort.pair_facts import NO_FACTS, PairFacts
from simcompare.cohort.pair_scores import PairRarity, rare_share
from simcompare.cohort.shared_pictures import SharedPictures
from simcompare.comparison.explanation import units_in_words
from simcompare.comparison.figures import FIGURES, SIDES
from simcompare.model.document import UNKNOWN_ORIGIN
from simcompare.report.cohort.cohort_rows import (
    figure_meaning,
    figure_name,
    group_meaning,
    rare_text_in_words,
    rarity_in_words,
    short_multiple,
    uncounted_in_words,
)
from simcompare.report.receipts import common_facts, doubts_summary, kinship_in_words, pictures_in_words
from simcompare.report.wording import enumerated, first_of, named, pair_decision_in_words, with_share_before
from simcompare.session.decisions import NO_REVIEW, OUTCOMES, Decision, PairReview
from simcompare.session.school_class import DocumentRole, Pair
from simcompare.support.display_text import escape_invisible, percent
from simcompare.support.i18n import N_, _, ngettext
from simcompare.text.prepared_text import is_compared_by_meaning
from simcompare.ui.access.rows_table import NO_FIGURE
from simcompare.ui.cohort.class_table import (
    DOUBT,
    FIRST_PX,
    SIDE_PX,
    SIGN_PX,
    WIDEST_SHARE,
    WIDEST_SURNAME_PX,
    Icon,
    Look,
    PaintedColumn,
    Words,
)
from simcompare.ui.cohort.pair_order import (
    ALL_SHARES,
    FIELDS,
    FIELDS_AFTER,
    FIELDS_BEFORE,
    SHARES,
    Order,
    PairColumn,
    PairFact,
    PairFilter,
    RowAttributes,
    decision_codes,
    fact_codes,
    filtered_and_sorted,
)
from simcompare.ui.labels import DECISION_ICONS, DECISION_INKS, NOTE_ICON, decision_name
from simcompare.ui.state.cohort.pair_rows_data import PAIR_ROW, PairState, linking_share
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.document_entry import DuplicateKind, duplicate_kind
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.text_labels import surname
from simcompare.ui.style.theme import GRID_PX, scaled

_SAMENESS_WORDS = {DuplicateKind.FILE: N_("same file"), DuplicateKind.TEXT: N_("same text")}
_SAME_AS_WORDS = {
    DuplicateKind.FILE: N_("same file as {name}"),
    DuplicateKind.TEXT: N_("same text as {name}"),
}
_DECISION_LOOKS = {each: Icon(drawing, DECISION_INKS[each]) for each, drawing in DECISION_ICONS.items()}
_NOTE = Icon(NOTE_ICON, "muted")
_MORE = "+"
"""Sign of a pair with more in common, where names leave no place for words."""
_WIDEST_FIGURE, _WIDEST_GROUP = "88,888", "88"
_EXCLUDED = N_("All that the other has in common with it is excluded here, as a quotation is.")
_MOST_NAMED = 20
_LEAST_COUNT = 888
"""Count for which a column has space from the beginning."""
_OF_FILES = (PairColumn.DISTANCE, PairColumn.COMMON_IDS)
_NO_ROW = np.zeros(1, PAIR_ROW)[0]


class PairRows:
    """Arranges the pairs of the class, and makes the columns that show them."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._reviews: dict[Pair, PairReview] = {}
        self._decided: frozenset[str] = frozenset()
        """Texts of the decisions on pairs."""
        self.has_notes = False
        self.facts: Mapping[Pair, PairFacts] = {}
        self.fact_count = self.rewritten_count = 0
        """Pairs of the class that have facts, and those with possibly rewritten text."""
        self.groups: Sequence[Group] = ()
        self.limit = workspace.class_state.limit
        """Share from which the rows are in a group."""
        self._group_numbers: NDArray[np.int32] = np.zeros(0, np.int32)
        self.labels = StudentLabels(workspace)
        self.filter = PairFilter()
        self.order = Order()
        self._widest_share = WIDEST_SHARE
        """Widest text of a share; longer if there are shares before decisions."""
        self._kept: dict[int, dict[str, Any]] | None = None

    def arranged(self) -> list[int]:
        """Return the rows that match the filter, in sort order, as the state is now."""
        self._reviews = dict(self._workspace.review.pairs())
        self.has_notes = any(review.notes for review in self._reviews.values())
        self._group()
        self.facts = self._workspace.class_state.facts()
        table = self._workspace.pairs.table
        table.set_kin(self.facts)
        decisions = decision_codes(self._workspace.pairs, self._reviews)
        rewritten = self._workspace.pairs.open_rewritten(self._reviews)
        attributes = RowAttributes(decisions, self._group_numbers, fact_codes(table, self.facts, rewritten))
        self.fact_count = int(np.count_nonzero(attributes.facts & ~PairFact.REWRITTEN))
        self.rewritten_count = int(np.count_nonzero(attributes.facts & PairFact.REWRITTEN))
        is_any_fine = self._workspace.pairs.apply_decisions(self._reviews)
        usual = map(decision_name, OUTCOMES)  # so that the first decision widens no column
        self._decided = frozenset([*usual, *(self._words_of(*each) for each in self._reviews.items())])
        self._widest_share = with_share_before(0.88, 1) if is_any_fine else WIDEST_SHARE
        texts = self.labels.search_texts()
        rows: list[int] = filtered_and_sorted(table, texts, attributes, self.filter, self.order).tolist()
        return rows

    def _group(self) -> None:
        """Group the documents by the limit of the class; while pairs are being compared, keep the groups.

        Each new result may join two groups, change which is the largest, or change the proposed limit, so
        that numbers would keep changing. Removed documents are left out.
        """
        rows = self._workspace.pairs.table.rows
        left, right, shares = rows["left"], rows["right"], linking_share(rows)
        if self._workspace.pairs.is_comparing:
            there = self._workspace.documents.entries
            kept = (
                replace(group, members=tuple(key for key in group.members if key in there))
                for group in self.groups
            )
            self.groups = [group for group in kept if len(group.members) > 1]
        else:
            self.limit = self._workspace.class_state.limit
            self.groups = find_groups(left, right, shares, self.limit)
        self._group_numbers = groups_of_pairs(self.groups, left, right, shares, self.limit)

    # --- columns

    def columns(self) -> list[PaintedColumn[int]]:
        """Make the columns, in the order of PairColumn."""
        columns = {
            PairColumn.A: self._name_column(
                N_("A"), 0, N_("The essay that is higher in the list; Compare shows it on the left.")
            ),
            PairColumn.B: self._name_column(
                N_("B"), 1, N_("The essay that is lower in the list; Compare shows it on the right.")
            ),
            PairColumn.RARE_TEXT: self._column(
                FIGURES["rare_text"].name,
                lambda row: NO_FIGURE if (share := self._rare_text(row)) is None else percent(share),
                name=lambda: figure_name("rare_text"),
                about=lambda: [figure_meaning("rare_text")],
                tips=lambda row: (
                    [] if (share := self._rare_text(row)) is None else [rare_text_in_words(share)]
                ),
                is_number=True,
                ink=lambda row: "ink" if self._rare_text(row) else "muted",
                widest=lambda: (WIDEST_SHARE,),
            ),
            PairColumn.UNUSUAL: self._column(
                N_("× usual"),
                self._unusual,
                about=lambda: [
                    _("How many times the usual share of a pair of this class the larger share is."),
                    self._usual_in_words(),
                ],
                tips=lambda row: [rarity_in_words(rarity)] if (rarity := self._rarity(row)) else [],
                is_number=True,
                ink=lambda row: "ink" if self._is_unusual(row) else "muted",
                widest=lambda: (_WIDEST_FIGURE,),
                rank=5,
            ),
            PairColumn.GROUP: self._column(
                N_("Group"),
                self._group_number,
                name=lambda: figure_name("group"),
                about=lambda: [group_meaning(self._workspace.class_state.limit)],
                words=lambda row: "" if self._group_of(row) else _("in no group"),
                tips=self._group_in_words,
                is_number=True,
                ink=lambda row: "muted" if self._group_number(row) == NO_FIGURE else "ink",
                widest=lambda: (_WIDEST_GROUP,),
                rank=4,
            ),
            PairColumn.DECISION: self._column(
                N_("Decision"),
                lambda row: self._decided_in_words(row, is_short=True) or NO_FIGURE,
                about=lambda: [
                    _(
                        "Your decision on the whole pair. By passages: all its passages are decided."
                        " Partly: some of them."
                    )
                ],
                words=self._decided_in_words,
                remarks=lambda row: [named(_("Note"), note)] if (note := self._note(row)) else [],
                tips=lambda row: [self._decided_in_words(row), self._note(row)],
                ink=lambda row: "muted" if self._decision(row) is None else "ink",
                look=self._decision_look,
                widest=lambda: self._decided,
            ),
        }
        columns |= {column: self._figure_column(column) for column in FIELDS}
        return [columns[column] for column in PairColumn]

    def _column(
        self,
        heading: str,
        text: Callable[[int], str],
        *,
        name: Callable[[], str] | None = None,
        about: Callable[[], Iterable[str]],
        words: Callable[[int], str] = lambda _row: "",
        remarks: Callable[[int], Iterable[str]] = lambda _row: (),
        tips: Callable[[int], Iterable[str]] = lambda _row: (),
        **painted: Any,
    ) -> PaintedColumn[int]:
        """Make a column of figures or decisions.

        about: lines of the heading's tooltip below its name; words: what a screen reader says instead of the
        text, if any; remarks: what it says after it; tips: lines of the tooltip of a cell.
        """

        def full_name() -> str:
            return _(heading) if name is None else name()

        def spoken(row: int) -> str:
            shown = text(row)
            said = words(row) or (_("not known") if shown == NO_FIGURE else shown)
            renewing = [_("being updated")] if self._state(row) == PairState.RENEWING else []
            is_early = shown != NO_FIGURE and self._workspace.class_state.is_provisional
            provisional = [_("provisional")] if is_early and painted.get("is_number") else []
            return f"{full_name()}: {enumerated([said, *remarks(row), *(renewing or provisional)])}"

        return PaintedColumn[int](
            heading,
            text,
            None,
            name=full_name,
            heading_tip=lambda: "\n".join([full_name(), *about()]),
            tip=lambda row: "\n".join(filter(None, [self._state_in_words(row), *tips(row)])),
            spoken=spoken,
            **painted,
        )

    def _figure_column(self, column: PairColumn) -> PaintedColumn[int]:
        field, field_before, is_share = FIELDS[column], FIELDS_BEFORE[column], column in ALL_SHARES
        is_painted_share, is_renewed = column in SHARES, column not in _OF_FILES
        is_secondary = is_share and not is_painted_share

        def figure(row: int) -> float | None:
            value: float = self._figures(row)[FIELDS_AFTER[column]]
            is_known = column is not PairColumn.REWRITTEN or self._is_by_meaning(row)
            return None if isnan(value) or value < 0 or not is_known else value

        def plain_text(row: int) -> str:
            value = figure(row)
            if value is None:
                return NO_FIGURE
            return with_share_before(value, self._figures(row)[field_before]) if is_share else f"{value:,}"

        def text(row: int) -> str:
            is_counted = FIGURES[field].unit and figure(row)
            return self._with_unit(row, int(figure(row) or 0)) if is_counted else plain_text(row)

        def is_renewing(row: int) -> bool:
            is_searched = column is PairColumn.REWRITTEN and self._state(row) == PairState.SEARCHED
            return is_searched or (is_renewed and self._state(row) == PairState.RENEWING)

        def is_all_excluded(row: int) -> bool:
            """Return whether a pair was compared and has no share, as nothing of the text counts."""
            return is_painted_share and self._state(row) == PairState.CURRENT and figure(row) is None

        def uncounted(row: int) -> str:
            before = self._figures(row)[field]
            if column is PairColumn.REWRITTEN and figure(row) is not None and figure(row) != before:
                return _("Before decisions: {count}").format(count=self._with_unit(row, int(before)))
            is_told = is_painted_share or column is PairColumn.LONGEST
            return uncounted_in_words(self._figures(row)) if is_told else ""

        def about() -> list[str]:
            lines = [figure_meaning(field_before)]
            if is_painted_share:
                lines.append(
                    _("Nor do passages marked as no concern; the share before decisions is beside it.")
                )
            if column is PairColumn.REWRITTEN:
                lines.append(_("What is marked as no concern does not count."))
            return lines

        return self._column(
            FIGURES[field].heading or FIGURES[field].name,
            text,
            name=lambda: figure_name(field_before),
            about=about,
            words=lambda row: _("nothing counts") if is_all_excluded(row) else "",
            remarks=lambda row: list(filter(None, [uncounted(row)])),
            tips=lambda row: (
                [_("Nothing counts: all of this text is excluded.")]
                if is_all_excluded(row)
                else [named(figure_name(field), text(row)), *filter(None, [uncounted(row)])]
                if FIGURES[field].unit and figure(row)
                else list(filter(None, [uncounted(row)]))
            ),
            is_number=True,
            ink=lambda row: "muted" if is_secondary or is_renewing(row) or figure(row) is None else "ink",
            look=lambda row: Look(is_slanted=is_renewing(row), bar=figure(row) if is_painted_share else None),
            widest=lambda: (
                self._widest_share if is_painted_share else WIDEST_SHARE if is_share else _WIDEST_FIGURE,
                *(self._widest_counts(field) if FIGURES[field].unit else ()),
            ),
            copied=plain_text,
            rank={PairColumn.LONGEST: 3, PairColumn.REWRITTEN: 2}.get(column, 0),
        )

    def _with_unit(self, row: int, count: int) -> str:
        """Return a count in the unit of both texts, or without one if they are in two languages."""
        entries = map(self._workspace.documents.entries.get, self.pair_at(row))
        texts = (entry.prepared_document for entry in entries if entry is not None)
        scripts = {text.prepared.is_mostly_chinese for text in texts if text is not None}
        return units_in_words(count, is_chinese=scripts.pop()) if len(scripts) == 1 else f"{count:,}"

    def _widest_counts(self, field: str) -> Iterator[str]:
        counts = self._workspace.pairs.table.rows[field]
        if len(counts):
            place = int(np.argmax(counts))
            yield self._with_unit(place, max(int(counts[place]), _LEAST_COUNT))

    def _is_by_meaning(self, row: int) -> bool:
        entries, meaning = self._workspace.documents.entries, self._workspace.settings.meaning
        pair = self.pair_at(row)
        left, right = (entry.prepared_document if (entry := entries.get(key)) else None for key in pair)
        if left is not None and right is not None:
            return is_compared_by_meaning(left.prepared, right.prepared, meaning)
        return any(map(self._is_old, pair)) if meaning is None else meaning

    def _name_column(self, heading: str, side: int, about: str) -> PaintedColumn[int]:
        def key(row: int) -> int:
            return self.pair_at(row)[side]

        def remarks(row: int) -> list[str]:
            words = {
                _("earlier work"): self._is_old(key(row)),
                _("excluded"): self._is_excluded(row, side),
                _("to check"): bool(self._doubts(key(row))),
                self._sameness_in_words(row): side == 1,
                self._kinship_in_words(row, kinship_in_words): side == 1,
                self._pictures_in_words(row, pictures_in_words): side == 1,
            }
            said = [text for text, is_said in words.items() if text and is_said]
            return said + (self._rest_in_words(row) if side == 1 else [])

        def tip(row: int) -> str:
            entry = self._workspace.documents.entries.get(key(row))
            lines = [escape_invisible(str(entry.path)) if entry else ""]
            lines += [_("Earlier work") if self._is_old(key(row)) else "", self._doubts(key(row))]
            lines.append(_(_EXCLUDED) if self._is_excluded(row, side) else "")
            if (same := self._sameness(row)) is not None:
                other = self.labels.text_of(self.pair_at(row)[1 - side])
                lines.append(_(_SAME_AS_WORDS[same]).format(name=other))
            lines.append(self._kinship_in_words(row, kinship_in_words))
            lines.append(self._pictures_in_words(row, pictures_in_words))
            lines += self._rest_in_words(row)
            return "\n".join(filter(None, lines))

        def look(row: int) -> Look:
            marks: list[Icon | Words] = []
            if side == 1 and (same := self._sameness_in_words(row)):
                marks.append(Words(f"= {same}", "=", "accent"))
            if side == 1 and (ids := self._kinship_in_words(row, _common_ids)):
                marks.append(Words(ids, self._kinship_in_words(row, _ids), "muted", _MORE))
            if side == 1 and (pictures := self._pictures_in_words(row, _common_pictures)):
                marks.append(Words(pictures, self._pictures_in_words(row, _pictures), "muted", _MORE))
            if side == 1:
                marks += [Words(words, words, "muted", _MORE) for words in _counted_rest(self._facts_of(row))]
            if side == 1 and self._figures(row)["open_rewritten_units"] > 0:
                heading = FIGURES["rewritten_units"].heading
                marks.append(Words(_(heading), _(heading), "muted", _MORE))
            if self._is_old(key(row)):
                marks.append(Words(_("earlier work"), _("old"), "muted"))
            if self._is_excluded(row, side):
                marks.append(Words(_("excluded"), _("excluded"), "muted"))
            sign = DOUBT if self._doubts(key(row)) else None
            return Look(sign=sign, marks=marks, shared=self.labels.name_of(key(row)).shared)

        column = self._column(
            heading,
            lambda row: self.labels.text_of(key(row)),
            about=tuple,
            remarks=remarks,
            ink=lambda row: "muted" if self._is_old(key(row)) else "ink",
            look=look,
            widest=tuple,
            is_stretched=True,
        )
        return replace(column, heading_tip=lambda: _(about), tip=tip)

    def surnames_px(self, advance: Callable[[str], int]) -> int:
        """Return the width of both names that has space for every surname, with the sign beside it."""
        widths = (
            min(advance(surname(self.labels.text_of(key))), scaled(WIDEST_SURNAME_PX))
            + entry.is_doubtful * (scaled(SIGN_PX) + GRID_PX)
            for key, entry in self._workspace.documents.entries.items()
            if entry.prepared_document is not None
        )
        return 2 * max(widths, default=0) + FIRST_PX + 3 * SIDE_PX

    # --- values of a row

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep the values of rows that are read meanwhile, as each is painted in many columns."""
        self._kept = {}
        try:
            yield
        finally:
            self._kept = None

    def _figures(self, row: int) -> dict[str, Any]:
        if self._kept is not None and row in self._kept:
            return self._kept[row]
        rows = self._workspace.pairs.table.rows
        # rows that were removed from the state are shown until they are arranged again
        values = rows[row] if row < len(rows) else _NO_ROW
        figures = dict(zip(PAIR_ROW.names or (), values.item(), strict=True))
        if self._kept is not None:
            self._kept[row] = figures
        return figures

    def _state(self, row: int) -> int:
        return int(self._figures(row)["state"])

    def pair_at(self, row: int) -> Pair:
        if self._kept is not None:
            figures = self._figures(row)
            return figures["left"], figures["right"]
        table = self._workspace.pairs.table
        return table.pair_at(row) if row < len(table) else (0, 0)

    def _review(self, row: int) -> PairReview:
        return self._reviews.get(self.pair_at(row)) or NO_REVIEW

    def _decision(self, row: int) -> Decision | None:
        return self._review(row).overall.decision

    def _note(self, row: int) -> str:
        return "\n".join(self._review(row).notes)

    def _decided_in_words(self, row: int, *, is_short: bool = False) -> str:
        """Return the decision on a pair or those on its passages; without one, "" if it is to be short."""
        words = self._words_of(self.pair_at(row), self._review(row), is_short=is_short)
        return words or ("" if is_short else decision_name(None))

    def _words_of(self, pair: Pair, review: PairReview, *, is_short: bool = True) -> str:
        _shares, parts = self._workspace.pairs.after_decisions(pair, review)
        words = pair_decision_in_words(review, parts, is_short=is_short)
        return words[:1].upper() + words[1:]

    def _decision_look(self, row: int) -> Look:
        decision = self._decision(row)
        drawn = None if decision is None else _DECISION_LOOKS[decision]
        return Look(icon=drawn, marks=[_NOTE] if self._note(row) else [])

    def _group_of(self, row: int) -> Group | None:
        number = int(self._group_numbers[row]) if row < len(self._group_numbers) else NO_GROUP
        return next((group for group in self.groups if group.number == number), None)

    def _group_number(self, row: int) -> str:
        group = self._group_of(row)
        return NO_FIGURE if group is None else f"{group.number:,}"

    def _group_in_words(self, row: int) -> list[str]:
        """List the documents of the group of a row, one a line."""
        group = self._group_of(row)
        if group is None:
            return []
        count = len(group.members)
        heading = ngettext(
            "Group {number}: {count} essay",
            "Group {number}: {count} essays",
            count,
            number=f"{group.number:,}",
        )
        return [heading, *first_of([self.labels.text_of(key) for key in group.members], _MOST_NAMED)]

    def _rarity(self, row: int) -> PairRarity | None:
        """Return the rarity of the larger share of a row in the class; None if it is unknown."""
        figures = self._figures(row)
        if "rarity" not in figures:
            share = float(np.fmax(*(figures[FIELDS_BEFORE[column]] for column in SHARES)))
            figures["rarity"] = None if isnan(share) else self._workspace.class_state.rarity(share)
        rarity: PairRarity | None = figures["rarity"]
        return rarity

    def _rare_text(self, row: int) -> float | None:
        score = self._figures(row)["rank_score"]
        return None if isnan(score) else rare_share(score)

    def _unusual(self, row: int) -> str:
        rarity = self._rarity(row)
        return NO_FIGURE if rarity is None else short_multiple(rarity)

    def _is_unusual(self, row: int) -> bool:
        rarity = self._rarity(row)
        return rarity is not None and rarity.is_unusual

    def _usual_in_words(self) -> str:
        shares = self._workspace.class_state.shares
        if shares.is_usual_assumed:
            return _("Here it is below 1%, so there is no figure.")
        return _("Here it is {usual}.").format(usual=percent(shares.usual))

    def _is_old(self, key: int) -> bool:
        return self._workspace.class_state.role_of(key) is DocumentRole.OLD

    def _is_excluded(self, row: int, side: int) -> bool:
        """Return whether what a document has in common with the other is excluded, but not in the other."""
        figures, (own, other) = self._figures(row), (SIDES if side == 0 else SIDES[::-1])
        counted, of_other = (figures[f"after_exclusions_{each}"] for each in (own, other))
        return bool(counted == 0 and figures[own] > 0 and of_other > 0)

    def _doubts(self, key: int) -> str:
        """Return why the text of a document is to be checked, "" if it is not."""
        entry = self._workspace.documents.entries.get(key)
        if entry is None or entry.prepared_document is None or not entry.is_doubtful:
            return ""
        return doubts_summary(entry.prepared_document.document.receipt)

    def _sameness(self, row: int) -> DuplicateKind | None:
        left, right = (self._workspace.documents.entries.get(key) for key in self.pair_at(row))
        return duplicate_kind(left, right) if left is not None and right is not None else None

    def _sameness_in_words(self, row: int) -> str:
        same = self._sameness(row)
        return _(_SAMENESS_WORDS[same]) if same is not None else ""

    def _kinship_in_words(self, row: int, words: Callable[[int], str]) -> str:
        """Return words on the editing ids that the files of a row share, "" if they share none."""
        count = self._figures(row)["shared_ids"]
        return words(count) if count > 0 else ""

    def _pictures_in_words(self, row: int, words: Callable[[SharedPictures], str]) -> str:
        """Return words on the pictures that the documents of a row share, "" if they share none."""
        pictures = self._facts_of(row).pictures
        return words(pictures) if pictures else ""

    def _rest_in_words(self, row: int) -> list[str]:
        """Return words on what may be rewritten, and on tables, formulas and mistakes that both share."""
        rest = replace(self._facts_of(row), kinship=None, pictures=())
        words = [named(*fact) for fact in common_facts(UNKNOWN_ORIGIN, UNKNOWN_ORIGIN, rest)]
        units = int(self._figures(row)["open_rewritten_units"])
        rewritten = _("possibly rewritten: {units}").format(units=self._with_unit(row, units))
        return [rewritten, *words] if units > 0 else words

    def _facts_of(self, row: int) -> PairFacts:
        left, right = self.pair_at(row)
        facts = self.facts.get((min(left, right), max(left, right)), NO_FACTS)
        return facts if left < right else facts.mirrored

    def _state_in_words(self, row: int) -> str:
        state = self._state(row)
        if state == PairState.FAILED:
            cause = self._workspace.pairs.table.causes.get(self.pair_at(row), "")
            words = _("These two documents could not be compared: {cause}. “Compare again” retries.")
            return words.format(cause=cause or _("the comparison failed"))
        if state == PairState.RENEWING:
            return _("These figures are for the previous settings and are being updated.")
        if state == PairState.SEARCHED:
            return _("Possibly rewritten passages are still being searched for; the other figures stay.")
        if state != PairState.CURRENT:
            return _("Not compared yet")
        if self._workspace.class_state.is_provisional:
            return _("Provisional: the class is still being read, and its common text is not known.")
        return ""


def _common_ids(count: int) -> str:
    return _("{count} common ids").format(count=f"{count:,}")


def _ids(count: int) -> str:
    return _("{count} ids").format(count=f"{count:,}")


def _common_pictures(pictures: SharedPictures) -> str:
    count = len(pictures)
    return ngettext("{count} common picture", "{count} common pictures", count)


def _pictures(pictures: SharedPictures) -> str:
    return ngettext("{count} picture", "{count} pictures", len(pictures))


def _counted_rest(facts: PairFacts) -> Iterator[str]:
    if facts.tables:
        yield ngettext("{count} table", "{count} tables", len(facts.tables))
    if facts.formulas:
        yield ngettext("{count} formula", "{count} formulas", len(facts.formulas))
    if facts.mistakes:
        yield mistakes_in_words(len(facts.mistakes))


def mistakes_in_words(count: int) -> str:
    """Return the mark of common mistakes, the widest short one."""
    return ngettext("{count} mistake", "{count} mistakes", count)


def most_in_common() -> str:
    """Describe the default sort order."""
    return _("Sorted by the rare text in common, then by how similar all words are.")


def short_group_name(group: Group) -> str:
    """Return the number of a group and of its documents, "Group 1 (5)"."""
    words = _("Group {number} ({count})")
    return words.format(number=f"{group.number:,}", count=f"{len(group.members):,}")
