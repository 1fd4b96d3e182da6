"""The state of the window as a session, and a session as the state of the window."""

from dataclasses import replace
from pathlib import Path

from simcompare.i18n import _
from simcompare.session.values import Layout, Pair, Session, SessionDocument
from simcompare.settings import ComparisonSettings
from simcompare.text.thesaurus import CILIN, NONE, STARTER
from simcompare.ui.state.entry import Entry, is_remote
from simcompare.ui.state.side import Side
from simcompare.ui.state.workspace import Workspace
from simcompare.visible import visible_name


def snapshot(workspace: Workspace, layout: Layout) -> Session:
    """Return what the window holds."""
    documents = workspace.documents
    place_of = {key: place for place, key in enumerate(documents.entries)}
    sides = {side: place_of[key] for side, key in documents.sides.items() if key in place_of}
    return Session(
        tuple(map(_kept, documents.entries.values())),
        sides.get(Side.LEFT),
        sides.get(Side.RIGHT),
        workspace.settings,
        workspace.prompt.document,
        {
            (place_of[left], place_of[right]): review
            for (left, right), review in workspace.review.pairs().items()
        },
        layout,
    )


def _kept(entry: Entry) -> SessionDocument:
    document = entry.document
    error = entry.error if document is None else None
    options = entry.asked or entry.options if document is None else entry.options
    return SessionDocument(entry.path, options.whole_page, document, error, entry.pasted)


def _usable_settings(session: Session) -> ComparisonSettings:
    """Return the settings of a session as far as they are of use here.

    The prompt goes by the path that its text has. A thesaurus must be here: for a session, which may come
    from anybody, no other computer is asked and no device is read.
    """
    settings, prompt = session.settings, session.prompt
    thesaurus = settings.thesaurus
    is_here = thesaurus in {STARTER, CILIN, NONE} or (not is_remote(thesaurus) and Path(thesaurus).is_file())
    return replace(
        settings,
        thesaurus=thesaurus if is_here else STARTER,
        prompt=str(prompt.path) if prompt is not None and settings.prompt is not None else None,
    )


def _lost_thesaurus(thesaurus: str) -> str:
    words = _("The thesaurus {name} of the session is not here. The starter list is used instead.")
    return words.format(name=visible_name(thesaurus.replace("\\", "/").rpartition("/")[2]))


def restore(workspace: Workspace, session: Session) -> Pair | None:
    """Let a session take the place of all that the window holds.

    Return the keys of the documents that stood side by side; None where there were not two.
    """
    settings = _usable_settings(session)
    workspace.begin_anew(settings, session.prompt)
    if settings.thesaurus != session.settings.thesaurus:
        workspace.noticed.emit(_lost_thesaurus(session.settings.thesaurus))
    places = {Side.LEFT: session.left, Side.RIGHT: session.right}
    sides = {side: place for side, place in places.items() if place is not None}
    keys = workspace.documents.restore(session.documents, sides)
    workspace.review.restore({(keys[a], keys[b]): held for (a, b), held in session.reviews.items()})
    if session.left is None or session.right is None:
        return None
    return keys[session.left], keys[session.right]
