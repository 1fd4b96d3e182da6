"""Text size of the whole window: fonts, and all that is measured in text; dialogs that fit the screen."""

import sys
from typing import Any

from PySide6.QtCore import QChildEvent, QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QAbstractButton, QDialog, QFrame, QLayout, QScrollArea, QVBoxLayout, QWidget

from simcompare.ui.preferences import WINDOW_PERCENTS, Preferences
from simcompare.ui.style.layouts import column_of
from simcompare.ui.style.theme import (
    APPEARANCE,
    GRID_PX,
    apply_theme_to_application,
    current_application,
    follow_theme,
    polish_late,
    postpone_painting,
    prepare_application,
    scaled,
)

TEXT_SIZES = tuple((str(percent), f"{percent}%") for percent in WINDOW_PERCENTS)
_USUAL_POINTS = {"win32": 9.0, "darwin": 13.0}
"""Size of the system's font at its usual text size."""
_USUAL_POINTS_ELSEWHERE = 11.0
_ROOMY_PX = (1024, 600)
"""Least size of a window in which all parts fit side by side, with the usual text."""
_MOST_OF_SCREEN = 0.94  # leaves room for the frame and title of a dialog
_MAY_NEED_HEIGHT = frozenset({QEvent.Type.Show, QEvent.Type.LayoutRequest})
_LEAST_SEEN_PX = 80
"""Height of a part with the focus that is scrolled into view."""
_SIZE_IS_SET = Qt.WidgetAttribute.WA_Resized
_USUAL_ICON, _SCALE = "usualIconPx", "textScale"
"""Properties of a button and of a dialog."""


def system_scale() -> float:
    """Factor by which the user has enlarged the text of the system, at least 1."""
    points = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).pointSizeF()
    return max(points / _USUAL_POINTS.get(sys.platform, _USUAL_POINTS_ELSEWHERE), 1.0)


class WindowTextSize(QObject):
    """Text size of a window and its dialogs; a change takes effect at once and is remembered."""

    def __init__(self, preferences: Preferences) -> None:
        """Prepare the application: make it before the first widget, which keeps the font it is made with."""
        super().__init__()
        self._preferences = preferences
        self._window: QWidget | None = None
        APPEARANCE.text_scale = self._scale()
        prepare_application(current_application())

    def _scale(self) -> float:
        return self._preferences.window_percent / 100 * system_scale()

    def follow(self, window: QWidget) -> None:
        """Fit the window, which has all its parts, and its dialogs from now on."""
        self._window = window
        self.setParent(window)
        window.installEventFilter(self)
        self._follow_size(window.size())
        _fit_icons(window)

    def _follow_size(self, size: QSize) -> None:
        is_small = size.width() < _ROOMY_PX[0] or size.height() < _ROOMY_PX[1]
        if is_small is not APPEARANCE.has_small_window:
            APPEARANCE.has_small_window = is_small
            APPEARANCE.changed.emit()

    def fit_icons(self) -> None:
        if self._window is not None:
            _fit_icons(self._window)

    def use(self, percent: str) -> None:
        self._preferences.window_percent = int(percent)
        APPEARANCE.text_scale = self._scale()
        self.set_fonts()

    def set_fonts(self) -> None:
        """Give all widgets the font of the text size and the language in use."""
        if self._window is not None:
            postpone_painting(self._window)
            prepare_application(current_application())
            hidden = apply_theme_to_application(current_application(), APPEARANCE.theme)
            _fit_icons(self._window)
            APPEARANCE.changed.emit()
            polish_late(self._window, hidden)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ChildPolished and isinstance(event, QChildEvent):
            if isinstance(event.child(), QDialog):
                event.child().installEventFilter(self)
        elif event.type() == QEvent.Type.Resize and watched is self._window:
            self._follow_size(self._window.size())
        elif event.type() in _MAY_NEED_HEIGHT and isinstance(watched, QDialog):
            if event.type() == QEvent.Type.Show:
                _fit_dialog(watched)
            elif watched.isVisible():
                _scroll_if_too_large(watched)
            if watched.isVisible() and _fit_height(watched):
                _keep_on_screen(watched)
        return super().eventFilter(watched, event)


def _fit_icons(root: QWidget) -> None:
    for button in root.findChildren(QAbstractButton):
        usual: Any = button.property(_USUAL_ICON)
        if usual is None:
            usual = button.iconSize()
            button.setProperty(_USUAL_ICON, usual)
        if button.iconSize() != usual * APPEARANCE.text_scale:
            button.setIconSize(usual * APPEARANCE.text_scale)


def _fit_dialog(dialog: QDialog) -> None:
    """Enlarge a dialog with its text, up to the screen; what does not fit is scrolled."""
    before: Any = dialog.property(_SCALE)
    growth = APPEARANCE.text_scale / (before or 1.0)
    most = dialog.screen().availableSize() * _MOST_OF_SCREEN
    host = dialog.parentWidget() or dialog
    if growth == 1.0 and dialog.size().boundedTo(most.expandedTo(host.size())) == dialog.size():
        return
    dialog.setProperty(_SCALE, APPEARANCE.text_scale)
    _fit_icons(dialog)
    layout = dialog.layout()
    if layout is None or layout.sizeConstraint() is QLayout.SizeConstraint.SetFixedSize:
        return  # as large as its enlarged contents, like a message box
    # a dialog that has not set its size has that of its enlarged contents already
    wanted = QSize(dialog.size() * (growth if dialog.testAttribute(_SIZE_IS_SET) else 1.0)).boundedTo(most)
    if dialog.minimumWidth() == dialog.maximumWidth():
        wanted.setWidth(min(round(dialog.width() * growth), most.width()))
        dialog.setFixedWidth(wanted.width())
    layout.activate()
    needed = layout.totalMinimumSize()
    if layout.hasHeightForWidth():
        needed.setHeight(layout.totalHeightForWidth(wanted.width()))
    is_scrolled = _scroll_if_larger(dialog, needed, most)
    dialog.resize(wanted.expandedTo(needed).boundedTo(most) if is_scrolled else wanted.expandedTo(needed))
    _keep_on_screen(dialog)


def _fit_height(dialog: QDialog) -> bool:
    """Give a dialog of fixed width the height of its wrapped texts, and return whether it grew.

    Qt computes the height for the width that the texts would prefer.
    """
    layout = dialog.layout()
    if layout is None or dialog.minimumWidth() != dialog.maximumWidth() or not layout.hasHeightForWidth():
        return False
    most_px = round(dialog.screen().availableSize().height() * _MOST_OF_SCREEN)
    needed_px = min(layout.totalHeightForWidth(dialog.width()), most_px)
    before_px = dialog.height()
    dialog.resize(dialog.width(), max(before_px, needed_px))
    return dialog.height() > before_px


def _scroll_if_too_large(dialog: QDialog) -> None:
    """Scroll the contents of an open dialog that have grown, before they push its buttons off the screen."""
    layout, most = dialog.layout(), dialog.screen().availableSize()
    is_fixed = layout is None or layout.sizeConstraint() is QLayout.SizeConstraint.SetFixedSize
    if layout is not None and not is_fixed and _scroll_if_larger(dialog, layout.totalMinimumSize(), most):
        dialog.resize(dialog.size().boundedTo(most))
        _keep_on_screen(dialog)


def _scroll_if_larger(dialog: QDialog, needed: QSize, most: QSize) -> bool:
    """Scroll the contents if they need more than `most`, all but the buttons of the last row."""
    layout = dialog.layout()
    if needed.boundedTo(most) == needed or layout is None or dialog.findChild(ScrolledWhenLarge) is not None:
        return False
    focused, contents, margins = dialog.focusWidget(), QWidget(), layout.contentsMargins()
    last = layout.itemAt(layout.count() - 1)
    buttons = last.layout() if last is not None and isinstance(layout, QVBoxLayout) else None
    if buttons is not None:
        layout.removeItem(buttons)
        buttons.setParent(None)
        layout.setContentsMargins(margins.left(), margins.top(), margins.right(), 0)
        buttons.setContentsMargins(margins.left(), 2 * GRID_PX, margins.right(), 3 * GRID_PX)
    contents.setLayout(layout)  # also moves the widgets of the layout
    column_of(dialog, (ScrolledWhenLarge(contents), 1), *([] if buttons is None else [buttons]))
    # least size that the former layout has set
    dialog.setMinimumSize(dialog.minimumWidth() if dialog.minimumWidth() == dialog.maximumWidth() else 0, 0)
    if focused is not None:
        focused.setFocus(Qt.FocusReason.OtherFocusReason)
    return True


def _keep_on_screen(dialog: QDialog) -> None:
    screen, place = dialog.screen().availableGeometry(), dialog.frameGeometry()
    place.moveRight(min(place.right(), screen.right()))
    place.moveBottom(min(place.bottom(), screen.bottom()))
    place.moveLeft(max(place.left(), screen.left()))
    place.moveTop(max(place.top(), screen.top()))
    dialog.move(place.topLeft())


class ScrolledWhenLarge(QScrollArea):
    """Shows a widget as large as the space there is, and scrolls it if it needs more."""

    def __init__(self, contents: QWidget) -> None:
        super().__init__()
        self.setObjectName("scrolled")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setWidget(contents)
        self.viewport().setAutoFillBackground(False)
        contents.setAutoFillBackground(False)  # which setWidget has changed
        current_application().focusChanged.connect(self._reveal)

    def _reveal(self, _before: QWidget | None, focused: QWidget | None) -> None:
        """Scroll to a part of the contents that gets the focus out of sight."""
        contents = self.widget()
        if focused is None or contents is None or not contents.isAncestorOf(focused):
            return
        place = QRect(focused.mapTo(contents, QPoint(0, 0)), focused.size())
        seen = place & contents.visibleRegion().boundingRect()
        if min(place.height(), scaled(_LEAST_SEEN_PX)) > seen.height():
            self.ensureWidgetVisible(focused, 0, scaled(_LEAST_SEEN_PX) // 2)


class WindowContents(ScrolledWhenLarge):
    """Contents of the window; scrolled only if it is small or its text large: otherwise each page fits."""

    def __init__(self, contents: QWidget) -> None:
        super().__init__(contents)
        self._contents = contents
        follow_theme(self._fit)

    def _fit(self) -> None:
        # (0, 0): as the layout needs
        self._contents.setMinimumSize(*((0, 0) if APPEARANCE.is_cramped else (1, 1)))
