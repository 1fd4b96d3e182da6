"""What two files have in common besides their wording: facts that count for no share, rank or limit."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from simcompare.cohort.kinship import Kinship, kin_of_class, kinship_of
from simcompare.cohort.shared_mistakes import SharedMistakes, find_shared_mistakes
from simcompare.cohort.shared_pictures import (
    SharedPictures,
    mirrored_pictures,
    pictures_of_class,
    pictures_of_pair,
    without_thumbnails,
)
from simcompare.comparison.comparison_result import Comparison
from simcompare.model.document import Document
from simcompare.session.school_class import DocumentRole, SchoolClass
from simcompare.session.session_data import Pair


@dataclass(frozen=True, slots=True)
class PairFacts:
    """Editing ids, pictures and mistakes that two files share; kinship: None if they are not kin."""

    kinship: Kinship | None = None
    pictures: SharedPictures = ()
    mistakes: SharedMistakes = ()

    @property
    def mirrored(self) -> "PairFacts":
        """The same facts with left and right exchanged."""
        mistakes = tuple(replace(each, left=each.right, right=each.left) for each in self.mistakes)
        return PairFacts(self.kinship, mirrored_pictures(self.pictures), mistakes)

    def anonymous(self, replaced: Callable[[str], str]) -> "PairFacts":
        """Return the facts without pictures to show, and with names in texts replaced."""
        mistakes = tuple(
            replace(each, written=replaced(each.written), expected=replaced(each.expected))
            for each in self.mistakes
        )
        return PairFacts(self.kinship, without_thumbnails(self.pictures), mistakes)


NO_FACTS = PairFacts()


def facts_of_class(
    documents: Mapping[int, Document], school: SchoolClass, *, with_mistakes: bool = True
) -> dict[Pair, PairFacts]:
    """Find the facts of the pairs of documents that are compared, the lower key first, where there are any.

    What a template holds does not count.
    """
    kin = kin_of_class({key: each.receipt.origin for key, each in documents.items()}, school)
    pictures = pictures_of_class(documents, school)
    mistakes: Mapping[Pair, SharedMistakes] = {}
    if with_mistakes:
        templates = school.with_role(DocumentRole.TEMPLATE, documents)
        compared = documents.keys() - school.not_compared
        mistakes = find_shared_mistakes(
            {key: documents[key] for key in compared}, [documents[key] for key in templates]
        )
    return {
        pair: PairFacts(kin.get(pair), pictures.get(pair, ()), mistakes.get(pair, ()))
        for pair in dict.fromkeys([*kin, *pictures, *mistakes])
    }


def facts_of_comparison(comparison: Comparison) -> PairFacts:
    """Return the facts of two documents that are in no class."""
    sides = {0: comparison.left.document, 1: comparison.right.document}
    mistakes = find_shared_mistakes(sides).get((0, 1), ())
    return PairFacts(kinship_of(comparison), pictures_of_pair(comparison), mistakes)
