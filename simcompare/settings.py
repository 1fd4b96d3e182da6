"""What a comparison is asked to do: thresholds, thesaurus, fingerprint recipe, and their presets."""

from dataclasses import dataclass

from simcompare.errors import SettingsError

LOWEST_SIMILAR_WEIGHT = 0.30
"""Cells below it are shown in the heatmap and never judged; no threshold can be set lower.

Unrelated Chinese sentences share up to about 0.3 of their characters in order by chance.
"""


@dataclass(frozen=True, slots=True)
class ComparisonSettings:
    """How sentences are judged (Lv et al., section 3.2).

    similar_weight and right_weight are shares in (0, 1]; similar_weight < right_weight always.
    thesaurus is "starter", "cilin", "none", or the path of a file; recipe names the fingerprint recipe.
    """

    similar_weight: float = 0.50
    right_weight: float = 0.75
    thesaurus: str = "starter"
    recipe: str = "improved"

    def __post_init__(self) -> None:
        if not LOWEST_SIMILAR_WEIGHT <= self.similar_weight < self.right_weight <= 1:
            raise SettingsError(similar_weight=self.similar_weight, right_weight=self.right_weight)


PRESETS = {
    "balanced": ComparisonSettings(),
    # the thresholds of the experiment in Lv et al., section 4.1
    "paper": ComparisonSettings(similar_weight=0.60, right_weight=0.80),
}
