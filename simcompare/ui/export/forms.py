"""The lines of a file dialog: one for each form of a report."""

from simcompare.i18n import _
from simcompare.report.forms import FORMS


def filters() -> dict[str, str]:
    """Return the ending of each form by its line in a file dialog."""
    return {f"{_(form.text)} (*{suffix})": suffix for suffix, form in FORMS.items()}
