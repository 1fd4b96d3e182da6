"""Notes on reading the report of a class, and on the limits of its figures."""

from collections.abc import Iterator

from simcompare.cohort.class_check import ClassCheck
from simcompare.report.cohort.cohort_rows import figure_meaning, figure_name, group_meaning
from simcompare.report.cohort.unusual_words import false_alarms_in_words
from simcompare.report.how_to_read import share_meaning
from simcompare.support.i18n import _
from simcompare.support.percentages import percent


def class_help(check: ClassCheck) -> Iterator[tuple[str, str]]:
    """Yield each term of the report with its explanation."""
    yield _("Share"), share_meaning()
    if any(pair.decided for pair in check.cohort.pairs):
        yield _("Share after decisions"), figure_meaning("after_decisions_left_in_right")
    yield _("Unusual"), " ".join([_limit_in_words(check), false_alarms_in_words(check.shares, check.limit)])
    yield (
        _("Times the usual share"),
        _(
            "The share as a multiple of the median share of all pairs of this class, which is taken as at "
            "least 1 %."
        ),
    )
    yield figure_name("longest_passage_units"), figure_meaning("longest_passage_units")
    yield figure_name("group"), group_meaning(check.limit)
    yield (
        _("Common sentences"),
        _(
            "Sentences that many essays of the class have, such as the question, a cover page or a "
            "declaration. They do not count unless the teacher lets them count."
        ),
    )
    yield (
        _("Drafts"),
        _(
            "Of each student one file counts: the latest. Drafts and appendices are listed with the student "
            "and are not compared."
        ),
    )
    yield (
        _("What this does not mean"),
        _(
            "A high share shows that two texts agree, not why. Their writers may have used one source, or "
            "worked together as they were allowed to. Which of two texts came first cannot be seen here. "
            "Do not judge anyone by a figure alone: read both texts, and hear the students."
        ),
    )
    yield (
        _("What is not found"),
        _(
            "Only these texts were compared with each other. Text from the Internet, a book or a program "
            "that no other of them contains is not found, so a low share does not prove that the text is "
            "the student’s own work."
        ),
    )


def _limit_in_words(check: ClassCheck) -> str:
    limit = percent(check.limit)
    if check.chosen_limit is not None:
        return _("The limit of {limit} was set by hand.").format(limit=limit)
    return _(
        "The limit of {limit} follows from the shares of this class: hardly any pair of unrelated essays "
        "comes as far."
    ).format(limit=limit)
