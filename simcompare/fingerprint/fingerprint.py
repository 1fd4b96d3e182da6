"""The fingerprint value, and the Hamming distance between two."""

from dataclasses import dataclass

from simcompare.errors import RecipeMismatchError


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Bits that summarise a text, with the recipe that made them.

    `recipe` names method, background and version ("improved/background-1"); only fingerprints of one
    recipe are compared. The first bit is the most significant bit of `value`.
    """

    value: int
    size_bits: int
    recipe: str

    @property
    def recipe_name(self) -> str:
        """The recipe's name as settings have it, without background and version."""
        return self.recipe.partition("/")[0]

    @property
    def bits(self) -> str:
        """The fingerprint as a string of 0 and 1."""
        return format(self.value, f"0{self.size_bits}b")

    @property
    def hex(self) -> str:
        """The fingerprint as hexadecimal digits, four bits a digit."""
        return format(self.value, f"0{self.size_bits // 4}x")


def hamming_distance_bits(left: Fingerprint, right: Fingerprint) -> int:
    """Count the bits in which two fingerprints of one recipe differ.

    Raises RecipeMismatchError where the recipes differ: such bits mean different things.
    """
    if left.recipe != right.recipe:
        raise RecipeMismatchError(left=left.recipe, right=right.recipe)
    return (left.value ^ right.value).bit_count()
