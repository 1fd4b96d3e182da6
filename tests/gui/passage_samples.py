"""Two essays with three passages: four copied sentences, a reworded text, and a single copied sentence."""

from simcompare.comparison.comparison_result import Comparison
from simcompare.ui.state.workspace import Workspace
from tests.comparison.test_shares import with_words_replaced
from tests.helpers.documents import compare_texts, own_texts
from tests.helpers.passages import GARDEN, LIBRARY, METRO, ORCHARD, TRAFFIC, chinese, english

_KEEPER = own_texts("en")[1]
_REPLACED = with_words_replaced(_KEEPER, lambda word: word % 2)
LEFT_ESSAY = f"{chinese(METRO)}\n{chinese(LIBRARY)}\n{_KEEPER}\n{ORCHARD[0]}"
RIGHT_ESSAY = f"{chinese(METRO)}\n{english(GARDEN)}\n{_REPLACED}\n{english(TRAFFIC)}\n{ORCHARD[0]}"
COPY, REWORDED, LONE = range(3)
"""Indices of the passages; the reworded one has no matched sentences."""


def workspace_with(comparison: Comparison) -> Workspace:
    """Workspace that shows a comparison without documents."""
    workspace = Workspace()
    workspace._set_comparison(comparison)
    return workspace


def essays_compared() -> Comparison:
    return compare_texts(LEFT_ESSAY, RIGHT_ESSAY)
