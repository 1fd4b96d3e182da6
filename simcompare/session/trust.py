"""What of a session, which may come from anybody, is of use on this computer."""

from dataclasses import replace
from pathlib import Path

from simcompare.i18n import _
from simcompare.session.values import Session
from simcompare.settings import ComparisonSettings
from simcompare.text.thesaurus import CILIN, NONE, STARTER
from simcompare.visible import file_name, visible_name


def is_remote(path: str) -> bool:
    """Return whether a path names another computer.

    Looking there would tell it who looks, and a session may come from anybody.
    """
    return path.startswith(("//", "\\\\"))


def usable_settings(session: Session) -> ComparisonSettings:
    """Return the settings of a session as far as they are of use here.

    The prompt goes by the path that its text has. A thesaurus must be here: for a session no other computer
    is asked and no device is read.
    """
    settings, prompt = session.settings, session.prompt
    thesaurus = settings.thesaurus
    is_here = thesaurus in {STARTER, CILIN, NONE} or (not is_remote(thesaurus) and Path(thesaurus).is_file())
    return replace(
        settings,
        thesaurus=thesaurus if is_here else STARTER,
        prompt=str(prompt.path) if prompt is not None and settings.prompt is not None else None,
    )


def lost_thesaurus(session: Session, settings: ComparisonSettings) -> str:
    """Return what is told where other settings had to be used than those of the session; else nothing."""
    thesaurus = session.settings.thesaurus
    if settings.thesaurus == thesaurus:
        return ""
    words = _("The thesaurus {name} of the session is not here. The starter list is used instead.")
    return words.format(name=visible_name(file_name(thesaurus)))
