"""Short texts that several views show."""

from simcompare.i18n import _
from simcompare.ui.workspace import Workspace


def waiting_text(workspace: Workspace) -> str:
    """Return what is to be done before there can be a comparison; nothing while one is on its way."""
    if len(workspace.entries) == 1:
        return _("Add a second document to compare this one with.")
    return ""


def percent(share: float) -> str:
    """Return a share as a whole percentage; never 0 % for something, nor 100 % for less than all."""
    whole = round(share * 100)
    if whole == 0 and share > 0:
        return _("<1 %")
    if whole == 100 and share < 1:
        return _(">99 %")
    return _("{number} %").format(number=whole)
