"""Pseudonyms on the command line: the options, and who is who, told to the terminal alone."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.cli.options import Language
from simcompare.model.errors import SessionError, SimcompareError
from simcompare.support.atomic_file import ChangeStamp, change_stamp
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.model.document import Document
    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.pseudonyms.students import RecognisedStudent, Student
    from simcompare.session.session_data import Session

Anonymous = Annotated[
    bool,
    typer.Option(
        "--anonymous",
        help=N_(
            "Put pseudonyms for the names and numbers of students. Each run draws them anew; those of a "
            "session stay."
        ),
    ),
]
AnonymousSession = Annotated[
    bool,
    typer.Option(
        "--anonymous",
        help=N_(
            "Put pseudonyms for the names and numbers of students; who is who is saved in the session. A "
            "window that has it open must open it again."
        ),
    ),
]
StudentList = Annotated[
    Path | None,
    typer.Option(
        "--names",
        metavar="LIST",
        help=N_(
            "With --anonymous, a text or CSV file of students: name, number, other spellings. Nicknames, and "
            "Chinese names in pinyin, are found only if it has them."
        ),
        show_default=False,
    ),
]


class SavedMeanwhileError(SessionError):
    """A window or another program has saved a session since it was read."""

    template = N_(
        "{name} was saved elsewhere while it was read here, so nothing was saved over it. "
        "Run the command again."
    )


class UnusedListError(SimcompareError):
    """A list of students was given and nothing is to be anonymous."""

    template = N_("--names is of use with --anonymous alone. Add --anonymous, or leave --names out.")


def asked_list(anonymous: bool, names: Path | None) -> "Sequence[Student]":
    """Return the students of the list that was given, nobody without one.

    Raises UnusedListError, and what reading the list raises.
    """
    if names is None:
        return ()
    if not anonymous:
        raise UnusedListError
    from simcompare.pseudonyms.roster import read_students  # noqa: PLC0415 - loads numpy

    return read_students(names)


def new_pseudonyms(documents: "Sequence[Document]", listed: "Sequence[Student]") -> "Pseudonyms":
    """Return pseudonyms for texts and students, and tell on standard error who has which."""
    from simcompare.pseudonyms.file_names import propose  # noqa: PLC0415 - loads the segmenter
    from simcompare.pseudonyms.opening_lines import opening_of  # noqa: PLC0415
    from simcompare.pseudonyms.pseudonyms import make_pseudonyms  # noqa: PLC0415

    openings = {document.path: opening_of(document) for document in documents}
    recognised = propose(list(openings), listed, openings)
    pseudonyms = make_pseudonyms(recognised, listed)
    for one in recognised:
        typer.echo(_told(pseudonyms, one), err=True)
    _tell_of_ordinary_names(pseudonyms)
    if not listed:
        others = _(
            "Names of other students stay in the texts; with a list of the class (--names) they do not."
        )
        typer.echo(others, err=True)
    return pseudonyms


def session_pseudonyms(
    session: Path, kept: "Session", stamp: ChangeStamp | None, listed: "Sequence[Student]"
) -> "Pseudonyms":
    """Return the pseudonyms of a session for all its files and for these students.

    `stamp` is that of the session's file before it was read. New pseudonyms are saved in it, which alone can
    tell who is who. Raises SavedMeanwhileError, SessionNotSavedError where that cannot be done. Files without
    a name are told of on standard error.
    """
    from simcompare.pseudonyms.file_names import propose  # noqa: PLC0415 - loads the segmenter
    from simcompare.pseudonyms.opening_lines import opening_of  # noqa: PLC0415
    from simcompare.pseudonyms.pseudonyms import make_pseudonyms  # noqa: PLC0415
    from simcompare.session.session_writer import write_session  # noqa: PLC0415

    files = [document.path for document in kept.documents]
    before = kept.pseudonyms or make_pseudonyms([])
    openings = {document.path: opening_of(document.document) for document in kept.documents}
    pseudonyms = before.extended([], listed).including_texts(openings)
    if pseudonyms != kept.pseudonyms:
        if change_stamp(session) != stamp:
            raise SavedMeanwhileError(session)
        write_session(replace(kept, pseudonyms=pseudonyms), session)
    owners = [(file, pseudonyms.owner_of(file)) for file in files]
    nobodys = [file for file, owner in owners if owner is not None and owner.student is None]
    for one in propose(nobodys, pseudonyms.students):
        typer.echo(_told(pseudonyms, one), err=True)
    _tell_of_ordinary_names(pseudonyms)
    return pseudonyms


def _tell_of_ordinary_names(pseudonyms: "Pseudonyms") -> None:
    from simcompare.redaction.anonymous_copies import ordinary_names_in_words  # noqa: PLC0415

    if told := ordinary_names_in_words(pseudonyms.ordinary_names):
        typer.echo(told, err=True)


def _told(pseudonyms: "Pseudonyms", recognised: "RecognisedStudent") -> str:
    """Return "essay.docx: Student 02 stands for 张三 20231234 (looks like a personal name)"."""
    from simcompare.redaction.anonymous_copies import reason_in_words  # noqa: PLC0415
    from simcompare.report.wording import detailed, named  # noqa: PLC0415
    from simcompare.support.display_text import display_name, escape_invisible  # noqa: PLC0415

    owner = pseudonyms.owner_of(recognised.path)
    if owner is None or owner.student is None:
        return _of_several(recognised) if recognised.name else _nobody(recognised.path)
    label = pseudonyms.label(owner)
    known = _("{label} stands for {student}").format(
        label=label, student=escape_invisible(owner.student.display_name)
    )
    return named(display_name(recognised.path.name), detailed(known, reason_in_words(recognised)))


def _of_several(recognised: "RecognisedStudent") -> str:
    from simcompare.support.display_text import display_name, escape_invisible  # noqa: PLC0415

    several = _("{file} may be from several students called {name}. Put the student number into its name.")
    return several.format(file=display_name(recognised.path.name), name=escape_invisible(recognised.name))


def _nobody(file: Path) -> str:
    from simcompare.support.display_text import display_name  # noqa: PLC0415

    nobody = _("No name was recognised in {file}. Give one with --names if its text has one.")
    return nobody.format(file=display_name(file.name))


if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.pseudonyms.students import Owner


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
    from simcompare.model.untitled import localised_name  # noqa: PLC0415
    from simcompare.session.session_reader import read_session  # noqa: PLC0415 - loads numpy
    from simcompare.support.display_text import display_name, distinct_labels, escape_invisible  # noqa: PLC0415

    names, file_name = read_session(session).pseudonyms, display_name(session.name)
    if names is None:
        raise NoPseudonymsError(name=file_name)
    files = [file for owner in names.owners for file in owner.files]
    called = dict(zip(files, distinct_labels(list(map(localised_name, files))), strict=True))
    for owner in _asked(names, pseudonym, file_name):
        typer.echo(escape_invisible(_line(names, owner, called)))


def _asked(names: "Pseudonyms", pseudonym: str | None, file_name: str) -> "Iterator[Owner]":
    if pseudonym is None:
        yield from names.owners
        return
    having = names.owners_of(pseudonym)
    if not having:
        raise UnknownPseudonymError(name=file_name, pseudonym=pseudonym, count=names.count)
    yield from having


def _line(names: "Pseudonyms", owner: "Owner", called: "Mapping[Path, str]") -> str:
    """Return "Student 07: 张三 20231234 (essay.docx)", with pseudonyms that were in use before.

    `called` is what files are called.
    """
    from simcompare.report.wording import detailed, enumerated, named  # noqa: PLC0415

    files = enumerated(called[file] for file in owner.files)
    labels = enumerated(names.labels(owner))
    if owner.student is None:
        return named(labels, files)
    return named(labels, detailed(owner.display_name, files) if files else owner.display_name)
