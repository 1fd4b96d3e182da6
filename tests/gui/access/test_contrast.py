"""Contrast of what is painted, sampled from pictures of the window."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from simcompare.ui.compare.text_pane.text_painting import passage_ground
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.style.theme import THEMES, Theme, current_theme
from tests.gui.access.pages import settle
from tests.gui.contrast import contrast
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.panes import page
from tests.gui.pixels import colours_of, pixels_of

pytestmark = pytest.mark.qt_log_ignore(NO_POPUPS)

READABLE, SEEN = 4.5, 3.0  # WCAG 2.2, 1.4.3 and 1.4.11


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_that_outlines_of_fields_and_handles_are_seen(theme: Theme) -> None:
    for ground in (theme.background, theme.surface, theme.raised):
        assert contrast(theme.edge, ground) >= SEEN


def most_common(image: QImage) -> str:
    values, counts = np.unique(pixels_of(image), return_counts=True)
    return QColor(int(values[counts.argmax()])).name()


def test_that_fields_are_outlined_and_bars_differ_from_the_ground(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    for theme in THEMES:
        school_class.use_theme(theme)
        qtbot.waitUntil(school_class.updatesEnabled)
        settle(qtbot)
        field = school_class.class_page.pairs.filter.text
        field.clearFocus()
        image = school_class.grab(QRect(field.mapTo(school_class, QPoint(0, 0)), field.size())).toImage()
        middle = image.height() // 2
        assert contrast(QColor(image.pixel(0, middle)).name(), most_common(image)) >= SEEN

        histogram = school_class.class_page.histogram.histogram
        area, ground = histogram._area, current_theme().surface
        bar = histogram.grab(QRect(area.left() + 3, area.bottom() - 1, 1, 1)).toImage()
        assert contrast(QColor(bar.pixel(0, 0)).name(), ground) >= SEEN, "pairs below the limit"


def test_that_the_cursors_of_the_heatmaps_are_seen_on_any_colour(compared: MainWindow, qtbot: QtBot) -> None:
    for theme in THEMES:
        compared.use_theme(theme)
        qtbot.waitUntil(compared.updatesEnabled)
        compared.workspace.selection.select(0)
        settle(qtbot)
        looks = current_theme()
        assert {looks.accent, looks.surface} <= colours_of(compared.compare_view.heatmap.grab().toImage())
        assert contrast(looks.accent, looks.surface) >= SEEN, "line and halo: one is seen on any colour"
        for heat in looks.heat:
            assert max(contrast(looks.accent, heat), contrast(looks.surface, heat)) >= SEEN


def test_that_text_is_readable_on_the_tints_of_passages(judging: MainWindow, qtbot: QtBot) -> None:
    for theme in THEMES:
        judging.use_theme(theme)
        qtbot.waitUntil(judging.updatesEnabled)
        settle(qtbot)
        looks = current_theme()
        painted = colours_of(page(judging.compare_view.panes[Side.LEFT]).grab().toImage())
        tints = {passage_ground(looks, kind).name() for kind in looks.passages} & painted
        assert tints
        inks = [looks.ink, looks.muted, looks.changed] + [look.ink for look in looks.passages.values()]
        used = [ink for ink in inks if ink in painted]
        assert looks.ink in used
        for tint in tints:
            assert min(contrast(ink, tint) for ink in used) >= READABLE
