"""What two files have in common besides their wording: facts that count for no share, rank or limit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from simcompare.cohort.shared_facts import (
    Kinship,
    SharedFormulas,
    SharedMistakes,
    SharedTables,
    find_kin,
    find_shared_formulas,
    find_shared_mistakes,
    find_shared_tables,
)
from simcompare.cohort.shared_pictures import (
    SharedPictures,
    find_shared_pictures,
    mirrored_pictures,
    without_thumbnails,
)
from simcompare.comparison.comparison_result import Comparison
from simcompare.model.document import Document
from simcompare.session.school_class import DocumentRole, Pair, SchoolClass


@dataclass(frozen=True, slots=True)
class PairFacts:
    """What two files share: editing ids, pictures and so on; kinship: None if they are not kin."""

    kinship: Kinship | None = None
    pictures: SharedPictures = ()
    mistakes: SharedMistakes = ()
    tables: SharedTables = ()
    formulas: SharedFormulas = ()

    def count(self, kind: str) -> int:
        """Return how many facts of a kind there are, such as "pictures"; of "kinship": the common ids."""
        found = getattr(self, kind)
        return found.shared_ids if isinstance(found, Kinship) else len(found or ())

    @property
    def mirrored(self) -> "PairFacts":
        """The same facts with left and right exchanged."""
        mistakes = tuple(replace(each, left=each.right, right=each.left) for each in self.mistakes)
        tables = tuple(replace(each, left=each.right, right=each.left) for each in self.tables)
        formulas = tuple(replace(each, left=each.right, right=each.left) for each in self.formulas)
        return PairFacts(self.kinship, mirrored_pictures(self.pictures), mistakes, tables, formulas)

    def anonymous(self, replaced: Callable[[str], str]) -> "PairFacts":
        """Return the facts without pictures to show, and with names in texts replaced."""
        mistakes = tuple(
            replace(each, written=replaced(each.written), expected=replaced(each.expected))
            for each in self.mistakes
        )
        formulas = tuple(replace(each, written=replaced(each.written)) for each in self.formulas)
        return PairFacts(self.kinship, without_thumbnails(self.pictures), mistakes, self.tables, formulas)


NO_FACTS = PairFacts()


def facts_of_class(
    documents: Mapping[int, Document], school: SchoolClass, *, in_full: bool = True
) -> dict[Pair, PairFacts]:
    """Find the facts of the pairs of documents that are compared, the lower key first, where there are any.

    What a template holds does not count. in_full: also mistakes, tables, formulas and parts of pictures,
    which take longest.
    """
    templates = [documents[key] for key in school.with_role(DocumentRole.TEMPLATE, documents)]
    compared = {key: documents[key] for key in sorted(documents.keys() - school.not_compared)}
    return find_facts(compared, templates, in_full=in_full)


def facts_of_comparison(comparison: Comparison) -> PairFacts:
    sides = {0: comparison.left.document, 1: comparison.right.document}
    return find_facts(sides).get((0, 1), NO_FACTS)


def find_facts(
    documents: Mapping[int, Document],
    templates: Sequence[Document] = (),
    *,
    in_full: bool = True,
    of_library: bool = False,
) -> dict[Pair, PairFacts]:
    """Find the facts of all pairs of documents, the lower key first, where there are any.

    of_library: without misspellings, numbers of tables and formulas, which are only rare within a class.
    """
    handed_out = {each for template in templates for each in template.receipt.origin.editing_ids}
    kin = find_kin(
        {key: set(each.receipt.origin.editing_ids) - handed_out for key, each in documents.items()}
    )
    pictures = find_shared_pictures(
        {key: each.pictures for key, each in documents.items()},
        [picture for template in templates for picture in template.pictures],
        with_parts=in_full,
    )
    mistakes = find_shared_mistakes(documents, templates, in_spelling=not of_library) if in_full else {}
    tables = find_shared_tables(documents, templates) if in_full and not of_library else {}
    formulas = find_shared_formulas(documents, templates) if in_full and not of_library else {}
    return {
        pair: PairFacts(
            kin.get(pair),
            pictures.get(pair, ()),
            mistakes.get(pair, ()),
            tables.get(pair, ()),
            formulas.get(pair, ()),
        )
        for pair in dict.fromkeys([*kin, *pictures, *mistakes, *tables, *formulas])
    }
