"""Options for pseudonyms, messages on recognised students, and the command `simcompare whois`."""

# ruff: noqa: PLC0415 - these load numpy and the segmenter, which --help does not need

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.cli.options import argument, option, typer_command
from simcompare.model.errors import SessionError, SimcompareError
from simcompare.support.atomic_file import ChangeStamp, change_stamp
from simcompare.support.display_text import display_name, distinct_labels, escape_invisible
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.model.document import Document
    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.pseudonyms.students import Owner, RecognisedStudent, Student
    from simcompare.session.session_data import Session


class SavedMeanwhileError(SessionError):
    template = N_(
        "{name} was saved elsewhere while it was read here, so nothing was saved over it. "
        "Run the command again."
    )


class UnusedListError(SimcompareError):
    template = N_("{option} works only with --anonymous. Add --anonymous, or leave {option} out.")


ReplacedWords = Annotated[
    list[str] | None,
    option(
        N_(
            "With --anonymous, replace this word or number wherever it is written, by the pseudonym of the "
            "student if one is given. May be repeated."
        ),
        "[STUDENT=]WORD",
        "--replace",
    ),
]


@dataclass(frozen=True, slots=True)
class AnonymityOptions:
    anonymous: Annotated[
        bool,
        option(
            N_(
                "Replace names and numbers of students by pseudonyms. Each run makes new ones; those of a "
                "session stay."
            )
        ),
    ] = False
    names: Annotated[
        Path | None,
        option(
            N_(
                "With --anonymous, a text, CSV or Excel file of students: name, number, other spellings. "
                "Nicknames are found only if it has them."
            ),
            "LIST",
            "--names",
        ),
    ] = None
    replaced: ReplacedWords = None

    @property
    def lists(self) -> "Sequence[Path]":
        """The list of students, if there is one, to be read as a file."""
        return () if self.names is None else (self.names,)

    def students(self) -> "Sequence[Student]":
        """Return the students of the list, and the words of --replace as spellings.

        Raises UnusedListError, and the errors of reading the list.
        """
        if not self.anonymous and (self.lists or self.replaced):
            raise UnusedListError(option="--names" if self.lists else "--replace")
        if not self.lists and not self.replaced:
            return ()
        from simcompare.pseudonyms.roster import read_students
        from simcompare.pseudonyms.students import LITERAL, Student

        parts = [word.rpartition("=") for word in self.replaced or ()]
        spellings = [Student((*filter(None, [name]), LITERAL + word)) for name, _sign, word in parts]
        return [*(student for path in self.lists for student in read_students(path)), *spellings]


@dataclass(frozen=True, slots=True)
class SessionAnonymityOptions(AnonymityOptions):
    anonymous: Annotated[
        bool,
        option(
            N_(
                "Replace names and numbers of students by pseudonyms; the name key is saved in the session. "
                "If the session is open in a window, open it again there."
            )
        ),
    ] = False


def print_names_left(pseudonyms: "Pseudonyms", documents: "Iterable[Document]") -> None:
    """Print on standard error which files have no student, and what may still name someone in the texts."""
    from simcompare.pseudonyms.file_names import opening_of, propose
    from simcompare.redaction.anonymous_copies import places_in_words, possible_names_in_words
    from simcompare.report.wording import detailed, named

    documents = list(documents)
    openings = {document.path: opening_of(document) for document in documents}
    for each in propose(list(openings), pseudonyms.students, openings):
        owner = pseudonyms.owner_of(each.path)
        if owner is None or owner.student is None:
            typer.echo(_unknown_message(each), err=True)
    texts = {document.path: document.text for document in documents}
    found = pseudonyms.possible_names(texts)
    if found:
        typer.echo(possible_names_in_words(found), err=True)
    for name in found:
        student = name.student and _("perhaps {student}").format(student=name.student.display_name)
        text = detailed(name.text, student) if student else name.text
        typer.echo("  " + named(text, places_in_words(name, texts)), err=True)
    if found:
        typer.echo(_("To replace one of them, run the command again with --replace."), err=True)


def new_pseudonyms(
    documents: "Sequence[Document]", listed: "Sequence[Student]", lists: "Sequence[Path]"
) -> "Pseudonyms":
    """Make pseudonyms for documents and students of `lists`; print that of each on standard error."""
    from simcompare.cohort.student_groups import group_by_student, submitted_text
    from simcompare.pseudonyms.file_names import opening_of, propose
    from simcompare.pseudonyms.pseudonyms import make_pseudonyms

    openings = {document.path: opening_of(document) for document in documents}
    recognised = propose(list(openings), listed, openings)
    school = group_by_student(list(map(submitted_text, documents)), listed)
    own_files = school.own_files(dict(enumerate(document.path for document in documents)))
    pseudonyms = make_pseudonyms(()).extended(recognised, listed, own_files)
    for student in recognised:
        if message := _recognition_message(pseudonyms, student):
            typer.echo(message, err=True)
    print_names_left(pseudonyms, documents)
    if not lists:
        others = _(
            "Names of other students stay in the texts. To replace them, give a class list with --names."
        )
        typer.echo(others, err=True)
    return pseudonyms


def session_pseudonyms(
    session: Path, content: "Session", stamp: ChangeStamp | None, listed: "Sequence[Student]"
) -> "Pseudonyms":
    """Return the pseudonyms of a session for all its files, its class lists and the listed students.

    New pseudonyms are saved in the session, the only place that maps them to students. `stamp`: change stamp
    of the session file before it was read. Prints messages about files without a known student. Raises
    SavedMeanwhileError, SessionNotSavedError.
    """
    from simcompare.export.export_tasks import extend_pseudonyms
    from simcompare.pseudonyms.file_names import opening_of
    from simcompare.session.session_file import write_session

    openings = {document.path: opening_of(document.document) for document in content.documents}
    paths = {number: document.path for number, document in enumerate(content.documents)}
    students = content.school_class.own_files(paths)
    all_listed = [*(each for roster in content.school_class.rosters for each in roster.students), *listed]
    pseudonyms = extend_pseudonyms(openings, all_listed, content.pseudonyms, students)
    if pseudonyms != content.pseudonyms:
        if change_stamp(session) != stamp:
            raise SavedMeanwhileError(session)
        write_session(replace(content, pseudonyms=pseudonyms), session)
    print_names_left(pseudonyms, [each.document for each in content.documents if each.document])
    return pseudonyms


def _recognition_message(pseudonyms: "Pseudonyms", recognised: "RecognisedStudent") -> str:
    """Return "essay.docx: Student 02 stands for 张三 20231234 (looks like a personal name)", if it does."""
    from simcompare.redaction.anonymous_copies import reason_in_words
    from simcompare.report.wording import detailed, named

    owner = pseudonyms.owner_of(recognised.path)
    if owner is None or owner.student is None:
        return ""
    student = escape_invisible(owner.student.display_name)
    mapping = _("{label} stands for {student}").format(label=pseudonyms.label(owner), student=student)
    return named(display_name(recognised.path.name), detailed(mapping, reason_in_words(recognised)))


def _unknown_message(recognised: "RecognisedStudent") -> str:
    file = display_name(recognised.path.name)
    if recognised.name:
        message = _(
            "{file} may be from several students called {name}. Put the student number into its name."
        )
        return message.format(file=file, name=escape_invisible(recognised.name))
    return _("No name was recognised in {file}. Give one with --names if its text has one.").format(file=file)


class NoPseudonymsError(SimcompareError):
    template = N_("{name} has no name key. Choose the session that the anonymous report was made from.")


class UnknownPseudonymError(SimcompareError):
    template = N_("{name} has no “{pseudonym}”. Its pseudonyms go from 1 to {count}.")


@typer_command(N_("Print the student behind a pseudonym, from the name key of a session."))
def whois_command(
    *,
    session: Annotated[Path, argument(N_("The teacher's session."), "SESSION")],
    pseudonym: Annotated[
        str | None, argument(N_("“Student 07”, or only the number; by default all."), "[PSEUDONYM]")
    ] = None,
) -> None:
    from simcompare.session.session_file import read_session

    pseudonyms, file_name = read_session(session).pseudonyms, display_name(session.name)
    if pseudonyms is None:
        raise NoPseudonymsError(name=file_name)
    owners = pseudonyms.owners if pseudonym is None else pseudonyms.owners_of(pseudonym)
    if pseudonym is not None and not owners:
        raise UnknownPseudonymError(name=file_name, pseudonym=pseudonym, count=pseudonyms.count)
    for line in owner_lines(pseudonyms, owners):
        typer.echo(line)


def owner_lines(pseudonyms: "Pseudonyms", owners: "Iterable[Owner]") -> Iterator[str]:
    """Yield "Student 07: 张三 20231234 (essay.docx)" of each owner, including earlier pseudonyms."""
    from simcompare.model.file_kinds import localised_name
    from simcompare.report.wording import detailed, enumerated, named

    files = [file for owner in pseudonyms.owners for file in owner.files]
    labels = dict(zip(files, distinct_labels(list(map(localised_name, files))), strict=True))
    for owner in owners:
        line = enumerated(labels[file] for file in owner.files)
        if owner.student is not None:
            line = detailed(owner.display_name, line) if line else owner.display_name
        yield escape_invisible(named(enumerated(pseudonyms.labels(owner)), line))
