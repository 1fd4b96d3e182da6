"""A comparison as one HTML file that needs nothing else: no network, no other file."""

from simcompare.i18n import _
from simcompare.report.evidence import Evidence
from simcompare.report.facing import facing_passages, whole_in_words
from simcompare.report.how_to_read import how_to_read
from simcompare.report.page import page_view
from simcompare.report.paper import ends_excluded
from simcompare.report.web_page import render_page


def render_html(evidence: Evidence) -> str:
    """Return the page of a comparison, in the language of the moment.

    The same evidence gives the same page but for `made_at`, which the foot names. Texts of the documents
    stay text: they are escaped, and characters that would act instead of being read are shown by name.
    """
    page = page_view(evidence)
    return render_page(
        "comparison",
        evidence.made_at,
        script="comparison.js",
        page=page,
        passages=list(facing_passages(evidence, page)),
        whole_in_words=whole_in_words,
        help=list(how_to_read(page)),
        ends_excluded=ends_excluded,
        says=_labels(),
    )


def _labels() -> dict[str, str]:
    return {
        "heading": _("Comparison of two texts"),
        "texts": _("Texts"),
        "matrix": _("Comparison matrix"),
        "hamming": _("Hamming distance"),
        "of_bits": _("of {size} bits"),
        "hamming_hint": _("Ringed cells are the bits in which the two fingerprints differ."),
        "axes": _("Down: sentences of the left text. Across: sentences of the right text."),
        "low": _("nothing in common"),
        "high": _("all in common"),
        "hint": _("Click a marked sentence: its partner comes alongside. N and P go on and back."),
        "legend": _("Kinds of matches"),
        "common": _("in both sentences, in order"),
        "paired": _("paired as synonyms"),
        "passages": _("Passages"),
        "passage": _("Passage {number}"),
        "matches": _("Matches"),
        "verdict": _("Judgement of the pair"),
        "undecided": _("undecided"),
        "previous": _("Previous match"),
        "next": _("Next match"),
        "file_size": _("Size"),
        "sha256": _("SHA-256"),
        "none": _("No two sentences are similar under these thresholds."),
        "number": _("No."),
        "kind": _("Kind"),
        "sentences": _("The two sentences, and why they match"),
        "left": _("left"),
        "right": _("right"),
        "how_to_read": _("How to read this"),
        "made_how": _("How this was made"),
        "read": _("Read"),
        "left_out": _("Left out"),
        "excluded": _("Excluded"),
        "excluded_why": _("Excluded: {reason}"),
        "doubts": _("To be checked"),
        "notes": _("Worth knowing"),
        "doubt_about": _("A doubt about {file}: {doubts}"),
    }
