"""Headings and captions of the report of a class."""

from simcompare.comparison.figures import FIGURES
from simcompare.report.cohort.cohort_rows import figure_name
from simcompare.report.cohort.index_page import pair_labels
from simcompare.report.wording import named
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _


def class_labels(name: str) -> dict[str, str]:
    """Return the headings and captions in the current language; name: of the class, "" if it has none."""
    heading = _("Class report")
    rare, rewritten = (FIGURES[key].heading for key in ("rare_text", "rewritten_units"))
    return {
        "title": escape_invisible(named(heading, name)) if name else heading,
        "heading": heading,
        "meaning": _(
            "An unusual pair is a reason to read both texts side by side. It proves nothing by itself."
        ),
        "how_to_read": _("How to read this"),
        "histogram": _("How similar the pairs are"),
        "histogram_hint": _(
            "Number of pairs by the larger share of the two texts. The bars are drawn on a logarithmic "
            "scale, so that a single pair can be seen."
        ),
        "matrix": _("All essays"),
        "matrix_hint": _(
            "Each row and each column is an essay, in the same order. The stronger the colour of a cell, the "
            "more of the row’s essay is also in the column’s essay. Groups are framed and numbered."
        ),
        "graph": _("Linked essays"),
        "graph_hint": _(
            "A line joins the two essays of an unusual pair; its width and number show the share."
        ),
        "pairs": _("Unusual and decided pairs"),
        "pair": _("Essays"),
        "groups": _("Groups"),
        "students": _("Students compared"),
        "student": _("Student"),
        "share": _("Highest share"),
        "share_a": figure_name("after_exclusions_left_in_right"),
        "share_b": figure_name("after_exclusions_right_in_left"),
        "times": _("Times the usual share"),
        "rare": _(rare),
        "rewritten": _(rewritten),
        "nearest": _("Nearest student"),
        "longest": figure_name("longest_passage_units"),
        "files": _("Files"),
        "unusual": _("unusual"),
        "library": _("Also in the library"),
        "library_hint": _(
            "Text that is common to the class does not count, and entries that are essays of this class are "
            "left out."
        ),
        "essay": _("Essay"),
        "entry": _("Entry of the library"),
        "share_of_essay": _("Share of the essay"),
        "share_of_entry": _("Share of the entry"),
        "missing": _("Not handed in"),
        "unread": _("Not checked"),
        "common": _("Common sentences"),
        "essays": _("Essays"),
        "sentence": _("Sentence"),
        **pair_labels(),
    }
