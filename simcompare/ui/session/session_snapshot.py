"""Convert the state of the window to a session and back."""

from simcompare.cohort.sessions.scored_class import RestoredScores
from simcompare.session.session_data import Pair, SavedLayout, Session, SessionDocument
from simcompare.session.session_reader import lost_thesaurus, usable_settings
from simcompare.ui.state.cohort.class_state import MIN_DOCUMENTS
from simcompare.ui.state.document_entry import DocumentEntry
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.workspace import Workspace


def snapshot(workspace: Workspace, layout: SavedLayout) -> Session:
    """Build a session from the state of the window; a class has only a pair that the user chose."""
    documents = workspace.documents
    place_of = {key: place for place, key in enumerate(documents.entries)}
    is_pair_kept = documents.sides_were_chosen or len(place_of) < MIN_DOCUMENTS
    shown = documents.sides if is_pair_kept else {}
    sides = {side: place_of[key] for side, key in shown.items() if key in place_of}
    return Session(
        tuple(map(_session_document, documents.entries.values())),
        sides.get(Side.LEFT),
        sides.get(Side.RIGHT),
        workspace.settings,
        workspace.prompt.document,
        {
            (place_of[left], place_of[right]): review
            for (left, right), review in workspace.review.pairs().items()
        },
        layout,
        pseudonyms=workspace.pseudonyms,
        school_class=workspace.class_state.saved(),
    )


def _session_document(entry: DocumentEntry) -> SessionDocument:
    document = entry.document
    error = entry.error if document is None else None
    options = entry.pending_options or entry.options if document is None else entry.options
    return SessionDocument(entry.path, options.whole_page, document, error, entry.pasted)


def restore(workspace: Workspace, session: Session, restored: RestoredScores | None) -> Pair | None:
    """Replace the state of the window by a session and its scores.

    Return the keys of the compared documents, or None with fewer than two.
    """
    settings = usable_settings(session)
    workspace.reset(settings, session.prompt)
    if lost := lost_thesaurus(session, settings):
        workspace.noticed.emit(lost)
    places = {Side.LEFT: session.left, Side.RIGHT: session.right}
    sides = {side: place for side, place in places.items() if place is not None}
    keys = workspace.documents.restore(session.documents, sides)
    scores = None if restored is None else restored.with_keys(keys)
    workspace.class_state.restore(session.school_class, scores)
    workspace.pseudonyms = session.pseudonyms
    workspace.review.restore({(keys[a], keys[b]): held for (a, b), held in session.reviews.items()})
    if session.left is None or session.right is None:
        return None
    return keys[session.left], keys[session.right]
