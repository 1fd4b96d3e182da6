"""How a decision is named and drawn wherever it is shown: a tick, a flag, and a leaf for a note."""

from simcompare.i18n import N_, _
from simcompare.session.review import Decision, Judgement
from simcompare.ui.looks.theme import Theme

_NAMES = {None: N_("Undecided"), Decision.FINE: N_("Fine"), Decision.COPIED: N_("Copied")}
DECISION_ICONS = {Decision.FINE: "check", Decision.COPIED: "flag"}
NOTE_ICON = "note"


def decision_name(decision: Decision | None) -> str:
    """Return what a person calls a decision."""
    return _(_NAMES[decision])


def decision_colour(decision: Decision, theme: Theme) -> str:
    """Return the colour of a decision's mark: only what was copied is to catch the eye."""
    return theme.danger if decision is Decision.COPIED else theme.muted


def judgement_in_words(judgement: Judgement) -> str:
    """Return what was decided and what was noted, a line each; nothing where there is neither."""
    decided = decision_name(judgement.decision) if judgement.decision else ""
    return "\n".join(part for part in (decided, judgement.note.strip()) if part)
