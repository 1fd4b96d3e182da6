"""Workspace of the window: settings and comparison, with documents, decisions and selection as parts.

Views connect to its signals, read its state and request changes; they keep no copy.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QUndoStack

from simcompare.comparison.citations.citation import copying_sides
from simcompare.comparison.compare_documents import PairExclusionCandidates
from simcompare.comparison.comparison_result import Comparison, ComparisonMatrix
from simcompare.comparison.passages.numbered_passages import NumberedPassages, numbered_passages
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import Document
from simcompare.model.settings import PRESETS, ComparisonSettings
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.session.school_class import APART, DocumentRole, SchoolClass
from simcompare.support.i18n import _, ngettext
from simcompare.text.sentence_meaning import is_meaning_wanted, seconds_to_encode
from simcompare.text.thesaurus import Thesaurus
from simcompare.ui.state.changes import (
    ComparisonPart,
    SettingsChange,
    SettingsPart,
    changed_comparison,
    changed_settings,
)
from simcompare.ui.state.cohort.class_filter import ClassFilter, LibraryShares
from simcompare.ui.state.cohort.class_state import ClassPart, ClassState, SettingsAccess
from simcompare.ui.state.cohort.pair_comparisons import PairComparisons
from simcompare.ui.state.comparison_run import (
    ComparisonRun,
    Reclassification,
    RunOutcome,
    create_compute_pool,
    preload_comparison_data,
)
from simcompare.ui.state.document_entry import Replacements, with_recipe_for_all
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.document_store import DocumentStore, EarlierWork
from simcompare.ui.state.file_reading import READERS, FileReading, PromptFile
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.review.review_history import ReviewHistory
from simcompare.ui.state.selection import Selection
from simcompare.ui.state.task import Background


class Workspace(QObject):
    """Documents, settings, comparison, decisions and selection of one window."""

    documents_changed = Signal()
    comparison_started = Signal()
    shape_known = Signal(int, int)
    block_scored = Signal(object)
    comparison_changed = Signal(object)
    """The ComparisonPart that differs from before."""
    settings_changed = Signal(object)
    """The SettingsPart that differs from before."""
    meaning_chosen = Signal(object)
    """Where possibly rewritten passages are searched from now on, also in new sessions."""
    pseudonyms_changed = Signal()
    recipe_refused = Signal()
    progress_changed = Signal()
    noticed = Signal(str)
    settled = Signal(str)
    """Text of an earlier notice that no longer applies."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.settings = self.new_settings = PRESETS["balanced"]
        self.comparison: Comparison | None = None
        self.passages: NumberedPassages | None = None
        self.thesaurus: Thesaurus | None = None
        self.pseudonyms: Pseudonyms | None = None
        """Pseudonyms of anonymous reports; saved with the session, which alone can resolve them."""
        self._warnings: dict[str, str] = {}
        self.progress: tuple[int, int] | None = None
        self.history = QUndoStack(self)
        # a stack with commands emits signals while it is destroyed, to objects that are already half deleted
        self.destroyed.connect(self.history.clear)
        self._slide = 0
        self._is_recipe_chosen = False
        self._cancelled_pair: tuple[PreparedDocument | None, ...] = ()
        """Pair whose comparison was cancelled or failed; compared again only on request."""
        self._pool = create_compute_pool()
        self._reclassification = Reclassification(self._pool, self)
        self._reclassification.reclassified.connect(self._use_reclassified)
        self._reclassification.failed.connect(self.warn_of_comparison)
        self.explaining = Background(self, self._pool)
        """Explains one passage at a time."""
        self._run: ComparisonRun | None = None
        self._reading = FileReading(self.settings.recipe, self)
        self.documents = DocumentStore(self._reading, self.history, self)
        self.review = ReviewHistory(self.documents, self.history, self)
        self.selection = Selection(self.review, self)
        self.pairs = PairComparisons(self.settings, self)
        self.pairs.progress_changed.connect(self.progress_changed)
        access = SettingsAccess(
            lambda: self.settings,
            self.set_settings,
            lambda: self.prompt.is_ready,
            lambda: frozenset(key for pair in self.review.pairs() for key in pair),
        )
        self.class_state = ClassState(self.documents, self.pairs, self.history, access, self)
        self.class_state.busy_changed.connect(self.progress_changed)
        self.class_filter, self.library_shares = ClassFilter(self.class_state, self), LibraryShares(self)
        self.class_state.roster_refused.connect(lambda error: self.warn("roster", str(error)))
        self.earlier_work = EarlierWork(self.documents, self)
        self.earlier_work.failed.connect(lambda error: self.warn("earlier work", str(error)))
        self.documents.changed.connect(self._update_documents)
        self.documents.sides_swapped.connect(self.selection.keep_for_swapped)
        self.documents.pair_chosen.connect(self._select_longest_of_chosen)
        self.documents.noticed.connect(self.noticed)
        self.prompt = PromptFile(self._reading, self._pool, self)
        self.prompt.failed.connect(lambda error: self.warn("prompt", str(error)))
        self.prompt.scored.connect(self._use_exclusion_candidates)
        self.prompt.ready.connect(self._exclude_prompt)
        self.prompt.restored.connect(self._exclude_again)
        self.prompt.failed.connect(self.class_state.follow)
        self.class_state.changed.connect(self._exclude_common)
        self.class_state.changed.connect(self._follow_sources)
        self.class_state.templates_chosen.connect(self._exclude_templates)
        self.prompt.ready.connect(lambda: self.settle("prompt"))
        self.prompt.ready.connect(self.progress_changed)
        self.settings_changed.connect(self._classify_pairs)
        self._fingerprinting = Background(self, self._pool)
        # queued: during a change `is_busy` can be false for a moment
        self.progress_changed.connect(self._encode_put_off, Qt.ConnectionType.QueuedConnection)
        follow_language(self._retranslate)

    # documents

    def _retranslate(self) -> None:
        """Rename texts without a title in the current language."""
        if renamed := self.documents.rename_untitled():
            self._replace_prepared_documents(renamed)

    def warm(self) -> None:
        """Start the reading processes and load data for comparing; call once the window is shown."""
        self._reading.warm()
        self._pool.start(partial(preload_comparison_data, self.settings.thesaurus))

    def _update_documents(self) -> None:
        self.documents_changed.emit()
        self.progress_changed.emit()
        self._compare_if_ready()
        self.selection.settle()
        self.class_state.follow()
        self._follow_sources()
        self.prompt.use_templates(self.class_state.templates)
        self.class_filter.keep_only(self.documents.entries)

    # comparison

    def _select_longest_of_chosen(self) -> None:
        """Compare the pair that the user chose even if it was cancelled, and select its longest passage."""
        self._cancelled_pair = ()
        self.selection.request_longest()

    def _compare_if_ready(self) -> None:
        entries = map(self.documents.entry_on, Side)
        left, right = (entry.prepared_document if entry else None for entry in entries)
        if (left, right) == self._cancelled_pair:
            return
        self._cancelled_pair = ()
        if left is None or right is None:
            self._stop_run()
            self._set_comparison(None)
            return
        current = self._run or self.comparison
        if current is not None and current.left is left and current.right is right:
            return
        shown = self.comparison
        if shown and shown.left.document is left.document and shown.right.document is right.document:
            if not self._are_sides_awaited:
                self.selection.request_longest()
                self._start_run(left, right, over=shown)  # the texts have vectors now
            return
        self._start_run(left, right)

    @property
    def _are_sides_awaited(self) -> bool:
        return not self.documents.awaited.isdisjoint(self.documents.sides.values())

    @property
    def is_searching(self) -> bool:
        """True while the comparison that is shown lacks what its texts are still searched for by meaning."""
        shown, entries = self.comparison, map(self.documents.entry_on, Side)
        is_put_off = not self.documents.put_off.isdisjoint(self.documents.sides.values())
        if shown is None or is_put_off or self._are_sides_awaited or self._run is not None:
            return shown is not None
        texts = tuple(entry.prepared_document if entry else None for entry in entries)
        return None not in texts and texts not in ((shown.left, shown.right), self._cancelled_pair)

    def compare_again(self) -> None:
        """Compare the chosen pair again; the selection is kept."""
        self.selection.keep()
        self._stop_run()
        self._cancelled_pair = ()
        self._set_comparison(None)
        self._compare_if_ready()
        self.pairs.resume()

    def _start_run(
        self, left: PreparedDocument, right: PreparedDocument, over: Comparison | None = None
    ) -> None:
        """Compare two documents; a comparison of the same texts is shown until then."""
        self._stop_run()
        self._set_comparison(over)
        common = self.class_state.common_text.of_pair(left, right)
        run = ComparisonRun(left, right, self.settings, self.prompt.prepared, common, self._pool, self)
        if over is None:
            run.shape_known.connect(self.shape_known)
            run.block_scored.connect(self.block_scored)
        run.progressed.connect(self._set_progress)
        run.succeeded.connect(self._finish_run)
        run.failed.connect(self._fail_run)
        self._run = run
        self._set_progress(0, left.prepared.sentence_count)
        if over is None:
            self.comparison_started.emit()
        run.start()

    def _stop_run(self) -> None:
        """Cancel the run; it deletes itself after its last task."""
        run, self._run = self._run, None
        if run is None:
            return
        is_watched = self.comparison is None
        for signal in (run.progressed, *((run.shape_known, run.block_scored) if is_watched else ())):
            signal.disconnect()
        run.succeeded.disconnect(self._finish_run)
        run.failed.disconnect(self._fail_run)
        run.cancel()
        self.progress = None
        self.progress_changed.emit()

    def cancel(self) -> None:
        """Cancel all work: unread files leave the list, unfinished comparisons end."""
        self.documents.cancel_reading()
        self.pairs.cancel()
        if self._run is not None:
            self._cancelled_pair = (self._run.left, self._run.right)
            self._stop_run()
            if self.comparison is None:
                self.review.follow(None, None)
                self.comparison_changed.emit(ComparisonPart.ALL)
            self.warn("comparison", _("The comparison was cancelled. Choose “Compare again” to restart it."))

    def _finish_run(self, outcome: RunOutcome) -> None:
        self._run = None
        self.progress = None
        self.thesaurus = outcome.thesaurus
        self.settle("comparison")
        if outcome.thesaurus_error is not None:
            self.warn("comparison", str(outcome.thesaurus_error))
        if self.comparison is not None:
            self.selection.keep()
        self._set_comparison(outcome.comparison, outcome.passages)
        if outcome.comparison.settings != self.settings:
            self._reclassify(outcome.comparison)
        self.selection.settle()
        self.progress_changed.emit()
        common = self.class_state.common_text.of_pair(outcome.comparison.left, outcome.comparison.right)
        is_other = any(now is not used for now, used in zip(common, outcome.common, strict=True))
        if is_other or outcome.prompt is not self.prompt.prepared:
            self._score_exclusions()

    def _fail_run(self, error: Exception) -> None:
        if self._run is not None:
            self._cancelled_pair = (self._run.left, self._run.right)
        self._run = None
        self.progress = None
        self.warn("comparison", _("The comparison stopped: {cause}").format(cause=error))
        self.progress_changed.emit()

    def _set_progress(self, done: int, total: int) -> None:
        self.progress = done, total
        self.progress_changed.emit()

    def _set_comparison(
        self, comparison: Comparison | None, passages: NumberedPassages | None = None
    ) -> None:
        """Use a comparison and its passages, which are numbered here if they are not given."""
        if comparison is not None:
            comparison = replace(comparison, copying=self._copying)
        before, self.comparison = self.comparison, comparison
        if comparison is None and before is None:
            return
        changed = changed_comparison(before, comparison)
        if comparison is not None and passages is None:
            passages = numbered_passages(comparison)
        self.passages = passages
        self.review.follow(comparison, self.passages)
        self.selection.follow(comparison, self.passages)
        self.comparison_changed.emit(changed)
        if not self.selection.is_empty or ComparisonPart.TEXTS in changed:
            self.selection.changed.emit()  # other settings change the explanation of what is selected

    @property
    def _copying(self) -> tuple[bool, bool]:
        """Which text may have the other as a source, by the roles of all documents."""
        school, sides = self.class_state.school, self.documents.sides
        essays = sum(school.role_of(key) not in APART for key in self.documents.entries)
        return copying_sides(school.are_essays((sides.get(Side.LEFT, 0), sides.get(Side.RIGHT, 0))), essays)

    @property
    def is_busy(self) -> bool:
        done, total = self.documents.reading_count
        is_reading = self.documents.is_listing or done < total
        return is_reading or self._run is not None or self.class_state.is_busy or self.pairs.is_busy

    def warn(self, work: str, text: str) -> None:
        """Give notice that some work failed, until it succeeds (`settle`)."""
        self._warnings[work] = text
        self.noticed.emit(text)

    def warn_of_comparison(self, error: Exception) -> None:
        self.warn("comparison", str(error))

    def settle(self, work: str) -> None:
        self.settled.emit(self._warnings.pop(work, ""))

    # named sources

    @property
    def is_by_meaning(self) -> bool:
        """True if all pairs, or those with earlier work, are compared by the meaning of sentences."""
        return self._reading.meaning

    @property
    def _sources(self) -> frozenset[int]:
        return frozenset(self.class_state.school.with_role(DocumentRole.OLD))

    @property
    def _opened_hits(self) -> frozenset[int]:
        entries = self.documents.entries
        return frozenset(key for key in self._sources if key in entries and entries[key].is_opened_hit)

    def _encoded_beside_hits(self) -> frozenset[int]:
        """Return what is encoded for stored essays that were opened: who opens one does not wait for a class.

        The pair that is shown, once it can be compared by words, and what has been encoded before.
        """
        hits, sides = self._opened_hits, [self.documents.entry_on(side) for side in Side]
        if self.settings.meaning is not None or not is_meaning_wanted(self.settings, has_sources=bool(hits)):
            return frozenset()
        shown = [entry.key for entry in sides if entry is not None and entry.prepared_document is not None]
        encoded = {key for key, entry in self.documents.entries.items() if entry.has_meanings}
        return frozenset(encoded.union(shown if len(shown) == len(Side) and hits & {*shown} else ()))

    def _follow_sources(self) -> None:
        """Compare earlier work by meaning, unless that is switched off."""
        was_encoded = self.is_by_meaning
        wanted = is_meaning_wanted(self.settings, has_sources=bool(self._sources - self._opened_hits))
        if wanted is not was_encoded:
            self.selection.keep()
        self.documents.use_sources(self._sources, wanted, self._encoded_beside_hits())
        new = sum(not entry.kept_meanings for entry in self.documents.entries.values())
        if new and self.is_by_meaning and not was_encoded:
            notice = ngettext(
                "The essays are also compared with the earlier work by meaning: about {seconds} second "
                "longer. It can be switched off under Method.",
                "The essays are also compared with the earlier work by meaning: about {seconds} seconds "
                "longer. It can be switched off under Method.",
                seconds := seconds_to_encode(new, READERS),
                seconds=seconds,
            )
            self.noticed.emit(notice)

    def _encode_put_off(self) -> None:
        """Encode what the class or pair was compared without, unless that comparison was cancelled."""
        is_cancelled = self._cancelled_pair or self.pairs.cancelled_count
        if self._reading.is_put_off and self.documents.entries and not (self.is_busy or is_cancelled):
            is_encoded, self._reading.is_put_off = bool(self.documents.put_off), False
            if is_encoded:
                self.selection.keep()
                self.documents.prepare_again()

    # settings

    def set_settings(self, settings: ComparisonSettings, *, sliding: bool = False) -> None:
        """Use other settings: reclassify for thresholds, compare again where scores change.

        A recipe takes effect when all fingerprints have been computed. The change can be undone; changes
        while `sliding` are one undo step until `end_sliding`.
        """
        self.choose_recipe(settings.recipe)
        settings = replace(settings, recipe=self.settings.recipe)
        if settings != self.settings:
            slide = self._slide if sliding else None
            self.history.push(SettingsChange(self._change_settings, self.settings, settings, slide=slide))

    def end_sliding(self) -> None:
        self._slide += 1

    def _change_settings(self, changes: Mapping[str, Any]) -> None:
        """Change some settings, also for undo and redo."""
        before = self.settings
        if "recipe" in changes:
            self._remake_fingerprints(changes["recipe"])
        settings = replace(before, **{**changes, "recipe": before.recipe})
        if settings.prompt is not None:  # another prompt may have been read since
            settings = replace(settings, prompt=str(self.prompt.path) if self.prompt.path else None)
        if settings == before:
            return
        self.settings = settings
        if "meaning" in changes:
            self.new_settings = replace(self.new_settings, meaning=settings.meaning)
            self.meaning_chosen.emit(settings.meaning)
        is_encoded = self.is_by_meaning
        sources = self._sources - self._opened_hits
        self._reading.meaning = is_meaning_wanted(settings, has_sources=bool(sources))
        if (settings.user_words, self.is_by_meaning) != (before.user_words, is_encoded):
            self.selection.keep()
            if settings.user_words != before.user_words:
                self._reading.user_words = settings.user_words
                self.prompt.prepare_again()
            self.documents.prepare_again()
        self.settings_changed.emit(changed_settings(before, settings))
        is_other_meaning = settings.meaning != before.meaning
        if settings.thesaurus != before.thesaurus or (is_other_meaning and self.comparison is None):
            self.compare_again()
        elif is_other_meaning and not self._are_sides_awaited and (now := self._run or self.comparison):
            self._start_run(now.left, now.right, over=self.comparison)
        elif self.comparison is not None:
            self._reclassify(self.comparison)

    def change_prompt(self, prompt: str | None) -> None:
        """Set the path of the prompt without an undo step; any path means what is loaded."""
        self._change_settings({"prompt": prompt})

    def choose_recipe(self, recipe: str) -> None:
        """Compute all fingerprints by another recipe; becomes undoable when that is done."""
        if recipe != self.settings.recipe:
            self._remake_fingerprints(recipe)
            self._is_recipe_chosen = True

    def _remake_fingerprints(self, recipe: str) -> None:
        self._is_recipe_chosen = False
        self._make_fingerprints(recipe)

    def _make_fingerprints(self, recipe: str) -> None:
        self._fingerprinting.cancel()
        work = partial(with_recipe_for_all, self.documents.prepared_documents, recipe)
        self._fingerprinting.start(work, partial(self._use_recipe, recipe), self._refuse_recipe)

    def _use_recipe(self, recipe: str, replacements: Replacements) -> None:
        if any(each not in replacements for each in self.documents.prepared_documents):
            self._make_fingerprints(recipe)  # some were read meanwhile
            return
        self._reading.recipe = recipe
        self.settle("recipe")
        before, self.settings = self.settings, replace(self.settings, recipe=recipe)
        self.settings_changed.emit(SettingsPart.METHOD)
        self._replace_prepared_documents(replacements)
        if self._is_recipe_chosen:
            self.history.push(SettingsChange(self._change_settings, before, self.settings, is_done=True))

    def _replace_prepared_documents(self, replacements: Replacements) -> None:
        """Replace prepared documents by others of the same texts, also in the comparison."""
        if (comparison := self.comparison) is not None:
            left, right = (replacements.get(side, side) for side in (comparison.left, comparison.right))
            settings = replace(comparison.settings, recipe=self.settings.recipe)
            self._set_comparison(replace(comparison, left=left, right=right, settings=settings))
        self.documents.replace_prepared_documents(replacements)

    def _refuse_recipe(self, error: Exception) -> None:
        self.warn("recipe", str(error))
        self.recipe_refused.emit()

    # text from elsewhere, excluded in all pairs: the prompt, templates, and what is common to the class

    def _classify_pairs(self, changed: SettingsPart) -> None:
        self.pairs.use(self.settings, self.prompt.prepared, self.class_state.common_text.by_text)
        if SettingsPart.EXCLUSIONS in changed:
            self.class_state.follow()

    def _exclude_common(self, changed: ClassPart) -> None:
        self.prompt.use_templates(self.class_state.templates)
        if self.comparison is not None and self.comparison.copying != self._copying:
            self._set_comparison(self.comparison, self.passages)
        if ClassPart.COMMON in changed:
            self._exclude_again()

    def _exclude_templates(self) -> None:
        self.prompt.use_templates(self.class_state.templates)
        self.change_prompt(str(self.prompt.path))

    def _exclude_prompt(self) -> None:
        if self.settings.prompt is None:
            self.set_settings(replace(self.settings, prompt=str(self.prompt.path)))
        self._exclude_again()

    def _exclude_again(self) -> None:
        """Exclude what is loaded now; the settings name the prompt or the first template."""
        if self.prompt.is_ready:
            self.change_prompt(self.settings.prompt)
        self._classify_pairs(SettingsPart(0))
        self.class_state.follow()
        self._score_exclusions()

    def _score_exclusions(self) -> None:
        if (comparison := self.comparison) is not None:
            common = self.class_state.common_text.of_pair(comparison.left, comparison.right)
            self.prompt.score(comparison, self.thesaurus, common)

    def _use_exclusion_candidates(
        self, matrix: ComparisonMatrix, exclusion_candidates: PairExclusionCandidates
    ) -> None:
        if self.comparison is not None and self.comparison.matrix is matrix:
            self._reclassify(self.comparison, exclusion_candidates)

    def _reclassify(
        self, comparison: Comparison, exclusion_candidates: PairExclusionCandidates | None = None
    ) -> None:
        self._reclassification.reclassify(comparison, self.settings, exclusion_candidates)

    def _use_reclassified(self, reclassified: Comparison) -> None:
        current = self.comparison
        if current is None or current.matrix is not reclassified.matrix:
            return
        if current.left is not reclassified.left:
            self._reclassify(current)  # another recipe made the fingerprints meanwhile
        else:
            self._set_comparison(reclassified)

    def use_pseudonyms(self, pseudonyms: Pseudonyms) -> None:
        if pseudonyms != self.pseudonyms:
            self.pseudonyms = pseudonyms
            self.pseudonyms_changed.emit()

    def reset(self, settings: ComparisonSettings, prompt: Document | None) -> None:
        """Discard all documents and decisions, and use these settings."""
        self._stop_run()
        self._fingerprinting.cancel()
        self.selection.forget_kept()
        self.documents.restore((), {})
        self.review.restore({})
        self.history.clear()
        self.pseudonyms = None
        self.class_state.restore(SchoolClass())
        self.settings, self._reading.recipe = settings, settings.recipe
        self._reading.user_words = settings.user_words
        self._reading.meaning = is_meaning_wanted(settings, has_sources=False)
        self._reading.is_put_off = True
        self.prompt.restore(prompt)
        self.settings_changed.emit(SettingsPart.ALL)

    def close(self) -> None:
        """Stop all work and wait for what cannot be stopped at once."""
        for run in self.findChildren(ComparisonRun):
            run.abandon()
        self._run = None
        parts = self.earlier_work, self.class_state, self.pairs, self.documents, self.review, self.prompt
        for part in (*parts, self._reclassification):
            part.close()
        self._fingerprinting.cancel()
        self.explaining.cancel()
        self._reading.close()
        self._pool.waitForDone()
