"""`simcompare whois`: who stands behind a pseudonym, from the teacher's session."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.cli.options import Language
from simcompare.errors import SimcompareError
from simcompare.i18n import N_

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from simcompare.anonymity.owners import Owner
    from simcompare.anonymity.pseudonyms import Pseudonyms


class NoPseudonymsError(SimcompareError):
    """Nothing anonymous was made of a session. Values: name."""

    template = N_("{name} holds no pseudonyms. Choose the session that the anonymous report was made from.")


class UnknownPseudonymError(SimcompareError):
    """A session has no such pseudonym. Values: name, pseudonym, count."""

    template = N_("{name} has no “{pseudonym}”. Its pseudonyms go from 1 to {count}.")


def whois_command(
    session: Annotated[
        Path, typer.Argument(metavar="SESSION", help=N_("The teacher's session."), show_default=False)
    ],
    pseudonym: Annotated[
        str | None,
        typer.Argument(
            metavar="[PSEUDONYM]",
            help=N_("“Student 07”, or the number alone; all where none is given."),
            show_default=False,
        ),
    ] = None,
    language: Language = "",
) -> None:
    """Print who stands behind one pseudonym, or behind all of them."""
    from simcompare.session.reading import read_session  # noqa: PLC0415 - loads numpy
    from simcompare.untitled import in_this_language  # noqa: PLC0415
    from simcompare.visible import told_apart, visible, visible_name  # noqa: PLC0415

    names, file_name = read_session(session).pseudonyms, visible_name(session.name)
    if names is None:
        raise NoPseudonymsError(name=file_name)
    files = [file for owner in names.owners for file in owner.files]
    called = dict(zip(files, told_apart(list(map(in_this_language, files))), strict=True))
    for owner in _asked(names, pseudonym, file_name):
        typer.echo(visible(_line(names, owner, called)))


def _asked(names: "Pseudonyms", pseudonym: str | None, file_name: str) -> "Iterator[Owner]":
    if pseudonym is None:
        yield from names.owners
        return
    having = names.who_is(pseudonym)
    if not having:
        raise UnknownPseudonymError(name=file_name, pseudonym=pseudonym, count=names.count)
    yield from having


def _line(names: "Pseudonyms", owner: "Owner", called: "Mapping[Path, str]") -> str:
    """Return "Student 07: 张三 20231234 (essay.docx)", with pseudonyms that were in use before.

    `called` is what files are called.
    """
    from simcompare.report.phrases import detailed, enumerated, named  # noqa: PLC0415

    files = enumerated(called[file] for file in owner.files)
    labels = enumerated(names.labels(owner))
    if owner.student is None:
        return named(labels, files)
    return named(labels, detailed(owner.shown, files) if files else owner.shown)
