"""User operations in the window, each as a phase for the GapMeter."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from gap_meter import GapMeter
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QHelpEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QScrollBar, QSlider, QTableView, QTextEdit, QWidget

from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.compare.left_out_sentences import count_again, leave_out
from simcompare.ui.compare.matches.passage_rows import KindSwitch
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side

_PAUSE_SECONDS = 0.02
_FOLLOWING_MS = 80
"""Timers up to this long delay a part of a view that follows a change; longer ones start other work."""
_NO_BUTTON, _LEFT_BUTTON = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
_NO_MODIFIER = Qt.KeyboardModifier.NoModifier


class SimulatedUser:
    """Simulates a user of the window, through its controls and by mouse and wheel events."""

    def __init__(self, window: MainWindow, meter: GapMeter) -> None:
        self._window = window
        self._meter = meter
        self._workspace = window.workspace

    def add_and_compare(self, paths: list[Path]) -> None:
        """Add files and wait until the pair is compared."""
        with self._meter.phase("read and compare"):
            self._workspace.documents.add(paths)
            self._wait_for_comparison()

    def _wait_for_comparison(self) -> None:
        """Wait for the displayed pair only; all pairs of a class take minutes."""
        self._meter.spin(self._is_compared)
        self._wait_for_layout()

    def _is_compared(self) -> bool:
        workspace = self._workspace
        done, total = workspace.documents.reading_count
        comparison = workspace.comparison
        is_shown = comparison is not None and comparison.settings == workspace.settings
        return done == total and workspace.progress is None and is_shown

    def open_pair(self) -> None:
        """Show two texts side by side instead of the table of all pairs."""
        with self._meter.phase("open a pair"):
            self._window.pages.show_compare()
            self._wait_for_layout()

    def use_table(self) -> None:
        """Scroll, sort and filter the table of all pairs, and use the window, while pairs are compared."""
        with self._meter.phase("table: open"):
            self._window.pages.show_pairs()
            self._meter.wait(_PAUSE_SECONDS)
        view = self._window.pairs_view
        with self._meter.phase("table: scrolling"):
            self._scroll(view.findChild(QTableView).verticalScrollBar())
        with self._meter.phase("table: sorting"):
            self._each(PairColumn, view.sort_by)
        with self._meter.phase("table: filter"):
            self._each(("1", "12", ""), view.filter.text.setText)
        self.change_window("table: ")

    def _wait_for_layout(self) -> None:
        self._meter.spin(lambda: all(text.lines.is_finished for text in self._texts()))
        self._meter.wait(0.1)

    def _texts(self) -> list[QTextEdit]:
        return [pane.findChild(QTextEdit) for pane in self._window.compare_view.panes.values()]

    # --- live settings

    def change_settings(self) -> None:
        """Drag a slider, choose presets, switch exclusions and kinds."""
        sliders = self._window.tool_bar.strictness.sliders.findChildren(QSlider)
        with self._meter.phase("slider drag"):
            for slider in sliders:
                before = slider.value()
                self._each(
                    range(36, 80, 2), lambda value, slider=slider: self._change(slider.setValue, value)
                )
                self._change(slider.setValue, before)
        with self._meter.phase("preset"):
            for name in ("sensitive", "balanced", "paper", "balanced"):
                self._choose_preset(name)
        self._wait_for_comparison()
        with self._meter.phase("exclusion"):
            ticks = self._window.tool_bar.exclusions.ticks
            for reason in (ExclusionReason.SHORT, ExclusionReason.QUOTATION) * 2:
                self._change(ticks[reason].trigger)
        with self._meter.phase("sentence left out"):
            sentence = left_out_sentence(self._workspace.comparison.left, 0)
            for change in (leave_out, count_again) * 2:
                self._change(change, self._workspace, sentence)
        with self._meter.phase("kind filter"):
            switches = self._window.sidebar.passages.findChildren(KindSwitch)
            self._each(switches * 2, lambda switch: switch.click())

    def _change(self, change: Callable[..., object], *arguments: object) -> None:
        """Make a change and wait until all views have followed; passages may still be computed."""
        timers = [
            timer
            for timer in self._window.compare_view.findChildren(QTimer)
            if timer.isSingleShot() and timer.interval() <= _FOLLOWING_MS
        ]
        self._meter.answer(
            lambda: change(*arguments),
            lambda: self._have_matches_followed() and not any(timer.isActive() for timer in timers),
        )

    def _have_matches_followed(self) -> bool:
        comparison, settings = self._workspace.comparison, self._workspace.settings
        return comparison is not None and settings == replace(comparison.settings, passages=settings.passages)

    def _choose_preset(self, name: str) -> None:
        self._change(self._window.tool_bar.strictness.presets[name].trigger)
        self._wait_for_comparison()

    # --- navigation

    def navigate(self) -> None:
        """Step through matches, click in texts, scroll, hover."""
        with self._meter.phase("stepping"):
            self._each(range(30), lambda _: self._window.commands.actions["next"].trigger())
        with self._meter.phase("far match"):
            count = len(self._workspace.comparison.matches)
            self._each(range(1, 10), lambda n: self._workspace.selection.select((count - 1) * n // 9))
        with self._meter.phase("click in a text"):
            for pane in self._window.compare_view.panes.values():
                page = pane.findChild(QTextEdit).viewport()
                self._each(
                    range(40, page.height() - 20, 60), lambda y, page=page: self._click(page, QPoint(90, y))
                )
        with self._meter.phase("scrolling"):
            for widget in (*self._texts(), self._window.sidebar.passages.findChild(QTableView)):
                self._scroll(widget.verticalScrollBar())
        with self._meter.phase("wheel in a text"):
            page = self._window.compare_view.panes[Side.LEFT].findChild(QTextEdit).viewport()
            self._each(range(30), lambda n: _turn_wheel(page, page.rect().center(), -120 if n < 20 else 120))
        with self._meter.phase("hover in texts"):
            self._each(range(0, page.height(), 15), lambda y: self._point(page, QPoint(y // 2 + 30, y)))

    def _scroll(self, bar: QScrollBar) -> None:
        self._each(range(0, 41), lambda step: bar.setValue(bar.maximum() * step // 40))

    def _click(self, page: QWidget, place: QPoint) -> None:
        _mouse(page, QEvent.Type.MouseButtonPress, place, _LEFT_BUTTON)
        _mouse(page, QEvent.Type.MouseButtonRelease, place, _NO_BUTTON)

    def _point(self, widget: QWidget, place: QPoint) -> None:
        _mouse(widget, QEvent.Type.MouseMove, place, _NO_BUTTON)
        QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, place, widget.mapToGlobal(place)))

    # --- the heatmap

    def use_heatmap(self) -> None:
        """Zoom, pan, hover and click in the heatmap."""
        heatmap = self._window.compare_view.heatmap
        middle = heatmap.rect().center()
        with self._meter.phase("heatmap hover"):
            self._each(range(10, 90, 3), lambda percent: self._point(heatmap, _on_diagonal(heatmap, percent)))
        with self._meter.phase("heatmap zoom"):
            self._each(range(40), lambda n: _turn_wheel(heatmap, middle, 120 if n < 20 else -120))
            self._each(range(8), lambda _: _turn_wheel(heatmap, middle, 240))
        with self._meter.phase("heatmap pan"):
            _mouse(heatmap, QEvent.Type.MouseButtonPress, middle, _LEFT_BUTTON)
            self._each(range(0, 200, 8), lambda way: self._drag(heatmap, middle + QPoint(way, way)))
            _mouse(heatmap, QEvent.Type.MouseButtonRelease, middle, _NO_BUTTON)
        with self._meter.phase("heatmap click"):
            self._each(range(15, 55, 5), lambda percent: self._click(heatmap, _on_diagonal(heatmap, percent)))
        heatmap.reset_zoom()

    def _drag(self, widget: QWidget, place: QPoint) -> None:
        _mouse(widget, QEvent.Type.MouseMove, place, _LEFT_BUTTON)

    # --- the window

    def change_window(self, where: str = "") -> None:
        """Resize at the top and scrolled down, switch theme and language."""
        with self._meter.phase(f"{where}resizing"):
            self._resize()
        with self._meter.phase(f"{where}resizing, deep"):
            for text in self._texts():
                text.verticalScrollBar().setValue(text.verticalScrollBar().maximum() * 9 // 10)
            self._resize()
        with self._meter.phase(f"{where}theme"):
            for name in ("dark", "light"):
                self._window.use_theme(name)
                self._wait_for_layout()
        with self._meter.phase(f"{where}language"):
            for name in ("zh", "en"):
                self._window.use_language(name)
                self._wait_for_layout()

    def _resize(self) -> None:
        for width in (1300, 1340, 1400, 1360, 1280):
            self._window.resize(width, 800 + width % 7)
            self._meter.wait(_PAUSE_SECONDS)
        self._wait_for_layout()

    def start_and_stop(self) -> None:
        """Compare again, cancel a comparison, compare and close."""
        with self._meter.phase("compare again"):
            self._workspace.compare_again()
            self._wait_for_comparison()
        self._workspace.compare_again()
        self._meter.wait(0.1)
        with self._meter.phase("cancel"):
            self._workspace.cancel()
        self._workspace.compare_again()
        self._meter.wait(0.1)
        with self._meter.phase("close while comparing"):
            self._window.close()

    def remove_all(self) -> None:
        """Remove all documents from the list."""
        with self._meter.phase("remove all"):
            self._workspace.documents.remove(list(self._workspace.documents.entries))

    def _each(self, values: Iterable[object], do: Callable[..., object]) -> None:
        for value in values:
            do(value)
            self._meter.wait(_PAUSE_SECONDS)


def _on_diagonal(widget: QWidget, percent: int) -> QPoint:
    """Point of a widget from its top left (0) to its bottom right corner (100)."""
    return QPoint(widget.width() * percent // 100, widget.height() * percent // 100)


def _mouse(widget: QWidget, kind: QEvent.Type, place: QPoint, held: Qt.MouseButton) -> None:
    button = _NO_BUTTON if kind is QEvent.Type.MouseMove else _LEFT_BUTTON
    where, on_screen = QPointF(place), QPointF(widget.mapToGlobal(place))
    QApplication.sendEvent(widget, QMouseEvent(kind, where, on_screen, button, held, _NO_MODIFIER))


def _turn_wheel(widget: QWidget, place: QPoint, angle: int) -> None:
    where, on_screen = QPointF(place), QPointF(widget.mapToGlobal(place))
    turn = QWheelEvent(
        where,
        on_screen,
        QPoint(),
        QPoint(0, angle),
        _NO_BUTTON,
        _NO_MODIFIER,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, turn)
