"""Pseudonyms: one for each student of a class, whatever spelling of the name stands in a text."""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.loading.sniffing import is_suffix_of_text
from simcompare.model.untitled import language_neutral_name
from simcompare.pseudonyms.chinese_names import is_ordinary_name
from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.name_finder import Finder
from simcompare.pseudonyms.name_folding import folded
from simcompare.pseudonyms.pseudonymised_document import MovedText, Replacement, anonymous_document, set_apart
from simcompare.pseudonyms.students import Owner, Recognised, Student, corrected, with_list
from simcompare.support.i18n import _

_SECRET_BYTES = 16
_NUMBER = re.compile(r"\d{1,9}(?!\d)")
_LINE_ENDS = re.compile(r"\n")


@dataclass(frozen=True, slots=True, eq=False)
class MovedDocument:
    """A subject under a pseudonym, and the way from its old text to the new one."""

    prepared_document: PreparedDocument
    text: MovedText


@dataclass(frozen=True)
class Pseudonyms:
    """The pseudonyms of a class, and who stands behind them.

    owners: in the order of their numbers. That comes from `secret` (hexadecimal digits), so that it tells
    nothing of lists, names or files; files that are added later have later numbers, and no number is ever
    given to other files. Whoever has this value can undo what it did: it belongs in the teacher's session
    alone.
    """

    secret: str
    owners: tuple[Owner, ...] = ()

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.secret, self.owners)

    @cached_property
    def _students(self) -> Sequence[tuple[Owner, Student]]:
        return [(owner, owner.student) for owner in self.owners if owner.student is not None]

    @cached_property
    def _finder(self) -> Finder:
        return Finder(self.students)

    @cached_property
    def _owner_of(self) -> Mapping[Path, Owner]:
        return {file: owner for owner in self.owners for file in owner.files}

    # --- who is who

    @property
    def count(self) -> int:
        """How many numbers were given, which go from 1 to it."""
        return max((number for owner in self.owners for number in owner.numbers), default=0)

    @property
    def students(self) -> Sequence[Student]:
        """All students, in the order of their pseudonyms."""
        return [student for _owner, student in self._students]

    @property
    def ordinary_names(self) -> list[str]:
        """The Chinese names that are words as well, which texts keep where they do not speak of a person."""
        names = dict.fromkeys(name for student in self.students for name in student.names)
        return [name for name in names if is_ordinary_name(folded(name).characters)]

    def label(self, owner: Owner) -> str:
        """Return the pseudonym in the language of the moment: "Student 07", "Text 07" for a file alone."""
        # as wide whatever is added later: what was written down stays good
        number = f"{owner.number:02}"
        if owner.student is None:
            return _("Text {number}").format(number=number)
        return _("Student {number}").format(number=number)

    def labels(self, owner: Owner) -> list[str]:
        """Return all pseudonyms that stand for an owner, the one in use first."""
        return [self.label(replace(owner, number=number)) for number in owner.numbers]

    def owner_of(self, file: Path) -> Owner | None:
        """Return whose a file is, None for one that these pseudonyms were not made for."""
        return self._owner_of.get(language_neutral_name(file))

    def place_of(self, file: Path) -> tuple[int, int]:
        """Return where a file stands in the order of pseudonyms: their number, and which of its files it is.

        Raises KeyError for a file that these pseudonyms were not made for.
        """
        owner = self._owner_of[language_neutral_name(file)]
        return owner.number, owner.files.index(language_neutral_name(file))

    def who_is(self, pseudonym: str) -> list[Owner]:
        """Return whom "Student 07", "学生 07" or "7" stands for, by the number; nobody where there is none.

        Who has it now goes first, before those whose files had it when they were taken for that student's.
        """
        digits = _NUMBER.search(pseudonym)
        number = int(digits[0]) if digits else 0
        having = [owner for owner in self.owners if number in owner.numbers]
        return sorted(having, key=lambda owner: owner.number != number)

    def recognised(self, files: Iterable[Path]) -> list[Recognised]:
        """Return by which name and number the student of each file is known."""
        owners = [(file, self.owner_of(file)) for file in files]
        students = [(file, owner.student if owner is not None else None) for file, owner in owners]
        return [
            Recognised(file) if student is None
            else Recognised(file, "".join(student.names[:1]), "".join(student.numbers[:1]))
            for file, student in students
        ]  # fmt: skip

    def covering(self, files: Iterable[Path]) -> "Pseudonyms":
        """Return pseudonyms that these files have as well; those given before stay what they are."""
        new = [file for file in dict.fromkeys(files) if language_neutral_name(file) not in self._owner_of]
        return self.extended(propose(new, self.students)) if new else self

    def knowing(self, openings: Mapping[Path, str]) -> "Pseudonyms":
        """Return pseudonyms that these files, with the beginnings of their texts, have as well."""
        # files are recognised by each other, also by those whose students are known
        proposed = propose(list(openings), self.students, openings)
        return self.extended([one for one in proposed if self.owner_of(one.path) is None])

    def extended(self, recognised: Sequence[Recognised], listed: Sequence[Student] = ()) -> "Pseudonyms":
        """Return pseudonyms for these files and students as well; those given before stay what they are.

        What is said of a student who is known, by number or by name, is added to what is known.
        """
        owners = with_list(self.owners, listed)
        # what is in pinyin may be the name of several that are in characters
        for one in sorted(recognised, key=lambda one: folded(one.name).characters.isascii()):
            owners.add_file(one)
        for name in (name for one in recognised for name in one.also):
            owners.add_named(name)
        return self._numbered(owners.all)

    def corrected(self, rows: Sequence[Recognised], listed: Sequence[Student] = ()) -> "Pseudonyms":
        """Return pseudonyms after a teacher has said whose files are, and who else there is.

        Rows that say what was known before change nothing. A pseudonym goes with its files, as it stands in
        what was exported: it is that of their student now, or one more of the student's.
        """
        known = self.recognised([row.path for row in rows])
        changed = [
            row for row, before in zip(rows, known, strict=True)
            if (row.name, row.number) != (before.name, before.number)
        ]  # fmt: skip
        return self._numbered(corrected(self.owners, changed, listed))

    def _numbered(self, owners: Iterable[Owner]) -> "Pseudonyms":
        """Return pseudonyms in the order of their numbers; who has none gets one behind all there are."""
        known = [owner for owner in owners if owner.number]
        new = sorted((owner for owner in owners if not owner.number), key=self._place)
        numbered = [replace(owner, number=number) for number, owner in enumerate(new, self.count + 1)]
        everybody = sorted([*known, *numbered], key=lambda owner: owner.number)
        return Pseudonyms(self.secret, tuple(everybody))

    def _kept(self) -> list[Owner]:
        return [owner for owner, _student in self._students]

    def _place(self, owner: Owner) -> bytes:
        """Return by what owners are put in order: a digest that nobody can make without the secret."""
        told = [*map(str, owner.files)]
        if owner.student is not None:
            told = [*owner.student.names, *owner.student.numbers]
        data = "\0".join(told).encode(errors="surrogatepass")
        return blake2b(data, key=bytes.fromhex(self.secret)).digest()

    # --- texts without names

    def replacements(self, text: str, file: Path | None = None) -> list[Replacement]:
        """Return where a text names students and what is to stand there, in order.

        `file` is the one it comes from: of students with the same name it means its own.
        """
        owner = None if file is None else self.owner_of(file)
        own = self._kept().index(owner) if owner is not None and owner.student is not None else None
        found = [
            Replacement(hit.start, hit.end, self.label(self._students[hit.students[0]][0]))
            for hit in self._finder.hits(text, own)
        ]
        return set_apart(text, found)

    def replaced(self, text: str, file: Path | None = None) -> str:
        """Return a text with the students it names under their pseudonyms; lines stay lines."""
        replacements = self.replacements(text, file)
        if not replacements:
            return text
        lines = [match.start() + n for match in _LINE_ENDS.finditer(text) for n in (0, 1)]
        return MovedText(text, replacements, lines).text

    def without_torn_names(self, text: str) -> str:
        """Return a text that was cut out of a longer one without what may be left of a name at its ends."""
        start, end = self._finder.torn(text)
        return text[start:end]

    def path_of(self, file: Path) -> Path:
        """Return the name a file goes by: its pseudonym with its ending, where that is one, in no folder.

        Several files of a student are numbered: "Student 07 (2).docx". Raises KeyError for a file that these
        pseudonyms were not made for.
        """
        place = self.place_of(file)[1]
        name = self.label(self._owner_of[language_neutral_name(file)]) + (f" ({place + 1})" if place else "")
        return Path(name + (file.suffix if is_suffix_of_text(file.suffix) else ""))

    def prepared_document(self, prepared_document: PreparedDocument) -> PreparedDocument:
        """Return a subject under its pseudonym: name, title, text and receipt name nobody any more.

        Sentences and units keep their numbers and are what they were to a comparison, so that one made of the
        originals holds; their places are those in the new text. Raises KeyError as `path_of` does.
        """
        return self.moved(prepared_document).prepared_document

    def moved(self, prepared_document: PreparedDocument) -> MovedDocument:
        """Return the same with the way from the old text to the new one."""
        document, moved = anonymous_document(self, prepared_document.document, prepared_document.prepared)
        new = replace(
            prepared_document, document=document, prepared=moved.prepared(prepared_document.prepared)
        )
        return MovedDocument(new, moved)


def make_pseudonyms(
    recognised: Sequence[Recognised], listed: Sequence[Student] = (), secret: str | None = None
) -> Pseudonyms:
    """Return pseudonyms for files, as a teacher has left what was recognised in them, and for a list.

    `secret` is new where none is given.
    """
    nobody = Pseudonyms(secrets.token_hex(_SECRET_BYTES) if secret is None else secret)
    return nobody.extended(recognised, listed)
