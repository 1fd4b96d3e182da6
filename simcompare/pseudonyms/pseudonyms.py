"""Pseudonyms of a class: one per student for all variants of the name, and redaction of personal data."""

import re
import secrets
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.file_kinds import is_suffix_of_text, language_neutral_name
from simcompare.pseudonyms.file_name_parts import CLASS_FROM_FILES, MOST_OF_CLASS
from simcompare.pseudonyms.file_names import propose, written_names
from simcompare.pseudonyms.latin_names import given_first
from simcompare.pseudonyms.name_finder import AMOUNT, NameFinder, NameMatch, unknown_people
from simcompare.pseudonyms.name_folding import PARTICLES, folded, is_only_a_word, is_ordinary_word
from simcompare.pseudonyms.pseudonymised_document import (
    RedactedText,
    Replacement,
    anonymous_document,
    with_separators,
)
from simcompare.pseudonyms.spellings import doubtful_variants, redaction_variants, variants_of
from simcompare.pseudonyms.students import (
    LITERAL,
    Owner,
    OwnFiles,
    RecognisedStudent,
    Student,
    corrected,
    with_list,
    with_namesakes_apart,
)
from simcompare.support.i18n import _
from simcompare.support.lazy import LazyPattern

_PERSONAL_DATA = LazyPattern(
    r"(?<![a-z0-9._%+\-])[a-z0-9._%+\-]{0,64}\s?(?:@|[\[(]at[\])])\s?[a-z0-9\-]{1,63}(?:\.[a-z0-9\-]{1,63})+"
    # 18 characters with a date of birth, after GB 11643
    r"|(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dx](?![\da-z])"
    r"|(?<![\d.])(?:\+?86[ \-]?)?1[3-9]\d[ \-]?\d{4}[ \-]?\d{4}(?![\d.]\d|\d)"
    rf"(?!{AMOUNT})"
    r"|(?<![\d.\-])(?:\(0\d{2,4}\)|0\d{2,4})[ \-]{0,2}(?<=\D)\d{3,4}[ \-]?\d{3,4}(?!\d)"
    r"|\+(?=(?:\D{0,3}\d){8})\d{1,3}(?:[ .()\-]{0,2}(?:0\) ?)?\d{2,9}){1,5}(?!\d)"
    r"|(?<!\d)\(?\d{3}\)?[ .\-]\d{3}[.\-]\d{4}(?!\d)"
    r"|(?:(?:电话|手机|微信|联系方式|身份证)(?:号码|号)?|(?<![a-z])(?:qq|wechat|weixin|tel|phone|mobile|whatsapp)(?:号|\s?(?:no\.?|number))?)"
    r"\s?(?:是|为|is|[:.#])?\s?"
    r"(?P<account>\(?0\d{2,4}[) \-]{1,2}\d{3,4}[ \-]?\d{3,4}(?!\d)|(?=[a-z_+\-]{0,20}\d)[a-z\d_+\-]{5,20}+)"
    rf"(?!{AMOUNT})"
)
_REST_OF_ACCOUNT = LazyPattern(r"_?\d{1,8}(?![^\W_])")
"""The end of the account of a named student: the year of "zhangwei2008"."""


def with_personal_data(text: str, names: Sequence[NameMatch]) -> Iterator[NameMatch]:
    """Yield the names and the personal data in a text, in order; data with names are those of their students.

    Data without a name have no students.
    """
    form = folded(text)
    spans: list[tuple[int, int, tuple[int, ...]]] = []
    for match in _PERSONAL_DATA.finditer(form.characters):
        start, end = match.span("account") if match["account"] else match.span()
        spans.append((int(form.starts[start]), int(form.ends[end - 1]), ()))
    for name in names:
        rest = _REST_OF_ACCOUNT.match(text, name.end)
        is_account = rest is not None and text[name.end - 1].isascii() and text[name.end - 1].isalpha()
        spans.append((name.start, rest.end() if rest and is_account else name.end, name.students))
    found: list[NameMatch] = []
    for start, end, students in sorted(spans):
        last = found[-1] if found else NameMatch(-1, -1, ())
        if start < last.end or (start == last.end and not (students and last.students)):
            both = tuple(dict.fromkeys((*last.students, *students)))
            found[-1] = NameMatch(last.start, max(end, last.end), both)
        else:
            found.append(NameMatch(start, end, students))
    yield from found


_SECRET_BYTES = 16
_NUMBER = re.compile(r"\d{1,9}(?!\d)")
_STUDENT_NUMBER = re.compile(r"[A-Za-z]{0,2}\d[\d \-]*")
_MOST_BESIDE = 12
_GIVEN_NAME = re.compile(
    r"(?P<begins>(?:^|[.!?\n])\W{0,4})?\b(?P<word>(?![a-z])[^\W\d_][^\W\d_A-Z\u2e80-\uffff]+)[^\S\n]{1,2}$"
)
_LINE_ENDS = re.compile(r"\n")


@dataclass(frozen=True, slots=True, eq=False)
class MovedDocument:
    """Redacted document, and its text with the map from old to new positions."""

    prepared_document: PreparedDocument
    text: RedactedText


@dataclass(frozen=True, slots=True)
class PossibleName:
    """Text that may name someone and is not replaced; student: whom it may name, None for others or several.

    places: files, and offsets in their texts.
    """

    text: str
    student: Student | None
    places: tuple[tuple[Path, int], ...]

    @property
    def spelling(self) -> Student:
        """The text as a spelling of its student, or as an unknown student, to be replaced from now on."""
        if self.student is None:
            return Student((LITERAL + self.text,))
        return replace(self.student, names=(*self.student.names[:1], LITERAL + self.text))


@dataclass(frozen=True)
class Pseudonyms:
    """Pseudonyms of a class, with the students and files that they represent.

    owners: in the order of their numbers, which follows a keyed digest with `secret` (hexadecimal digits),
    so that it reveals nothing about roster, names or files. Files added later get later numbers, and no
    number is reused. This value reverses the pseudonyms: store it in the teacher's session only.
    """

    secret: str
    owners: tuple[Owner, ...] = ()

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.secret, self.owners)

    @cached_property
    def _students(self) -> Sequence[tuple[Owner, Student]]:
        return [(owner, owner.student) for owner in self.owners if owner.student is not None]

    @cached_property
    def _finder(self) -> NameFinder:
        return NameFinder(self.students, redaction_variants, with_shared_parts=True)

    @cached_property
    def _owner_of(self) -> Mapping[Path, Owner]:
        return {file: owner for owner in self.owners for file in owner.files}

    # --- owners

    @property
    def count(self) -> int:
        """Number of pseudonyms given so far, numbered from 1."""
        return max((number for owner in self.owners for number in owner.numbers), default=0)

    @property
    def students(self) -> Sequence[Student]:
        """All students, in the order of their pseudonyms."""
        return [student for _owner, student in self._students]

    def label(self, owner: Owner) -> str:
        """Return the pseudonym in the current language: "Student 07", or "Text 07" without a student."""
        # at least two digits, so that exported pseudonyms stay valid when students are added
        number = f"{owner.number:02}"
        if owner.student is None:
            return _("Text {number}").format(number=number)
        return _("Student {number}").format(number=number)

    def labels(self, owner: Owner) -> list[str]:
        """Return all pseudonyms of an owner, the current one first."""
        return [self.label(replace(owner, number=number)) for number in owner.numbers]

    def owner_of(self, file: Path) -> Owner | None:
        """Return the owner of a file, None if it has no pseudonym."""
        return self._owner_of.get(language_neutral_name(file))

    def owner_of_student(self, student: Student) -> Owner | None:
        """Return the owner with a number of a student, or with a name if there is no number."""
        numbers, names = set(student.numbers), set(student.names)
        for owner, known in self._students:
            if numbers & set(known.numbers) or (not numbers and names & set(known.names)):
                return owner
        return None

    def order_of(self, file: Path) -> tuple[int, int]:
        """Return the sort key of a file: the number of its owner, and its index among the owner's files.

        Raises KeyError if the file has no pseudonym.
        """
        owner = self._owner_of[language_neutral_name(file)]
        return owner.number, owner.files.index(language_neutral_name(file))

    def owners_of(self, pseudonym: str) -> list[Owner]:
        """Return the owners of "Student 07", "学生 07" or "7", by the number.

        The current owner comes first, then owners whose files had the number before a correction.
        """
        digits = _NUMBER.search(pseudonym)
        number = int(digits[0]) if digits else 0
        found = [owner for owner in self.owners if number in owner.numbers]
        return sorted(found, key=lambda owner: owner.number != number)

    def known_students(self, files: Iterable[Path]) -> list[RecognisedStudent]:
        owners = [(file, self.owner_of(file)) for file in files]
        students = [(file, owner.student if owner is not None else None) for file, owner in owners]
        return [
            RecognisedStudent(file) if student is None
            else RecognisedStudent(file, "".join(student.names[:1]), "".join(student.numbers[:1]))
            for file, student in students
        ]  # fmt: skip

    def including_files(self, files: Iterable[Path]) -> "Pseudonyms":
        """Add pseudonyms for files; existing pseudonyms stay the same."""
        new = [file for file in dict.fromkeys(files) if language_neutral_name(file) not in self._owner_of]
        return self.extended(propose(new, self.students)) if new else self

    def including_texts(
        self, openings: Mapping[Path, str], students: OwnFiles = (), listed: Sequence[Student] = ()
    ) -> "Pseudonyms":
        """Add pseudonyms for files with the beginnings of their texts, as `extended` does.

        All new ones at once: numbers after those of a list would tell who is not on it.
        """
        known = self.extended([], listed).students if listed else self.students
        # all files, as patterns of file names are recognised among them
        proposed = propose(list(openings), known, openings)
        new = [student for student in proposed if self.owner_of(student.path) is None]
        return self.extended(new, listed, students)

    def extended(
        self,
        recognised: Sequence[RecognisedStudent],
        listed: Sequence[Student] = (),
        students: OwnFiles = (),
    ) -> "Pseudonyms":
        """Add pseudonyms for files and students; existing pseudonyms stay the same.

        Names and numbers of a student already known by number or name are merged. students: of the class,
        a pseudonym for each, even if several have one name.
        """
        owners = with_list(self.owners, listed)
        # names in characters first: a name in pinyin may belong to several of them
        for student in sorted(recognised, key=lambda student: folded(student.name).characters.isascii()):
            owners.add_file(student)
        for name in (name for student in recognised for name in student.also):
            owners.add_named(name)
        return self._numbered(with_namesakes_apart(owners.all, students))

    def corrected(self, rows: Sequence[RecognisedStudent], listed: Sequence[Student] = ()) -> "Pseudonyms":
        """Apply a teacher's corrections and a roster; rows equal to the known students change nothing.

        A pseudonym follows its files, because exports contain it: it becomes the current or a former
        pseudonym of their new student.
        """
        known = self.known_students([row.path for row in rows])
        changed = [
            row for row, before in zip(rows, known, strict=True)
            if (row.name, row.number) != (before.name, before.number)
        ]  # fmt: skip
        return self._numbered(corrected(self.owners, changed, listed))

    def _numbered(self, owners: Iterable[Owner]) -> "Pseudonyms":
        """Sort owners by number; owners without one get the next free numbers."""
        owners = list(owners)
        known = [owner for owner in owners if owner.number]
        new = sorted((owner for owner in owners if not owner.number), key=self._order_key)
        numbered = [replace(owner, number=number) for number, owner in enumerate(new, self.count + 1)]
        all_owners = sorted([*known, *numbered], key=lambda owner: owner.number)
        return Pseudonyms(self.secret, tuple(all_owners))

    def _order_key(self, owner: Owner) -> bytes:
        """Return the keyed digest by which new owners are sorted."""
        identity = [*map(str, owner.files)]
        if owner.student is not None:
            identity = [*owner.student.names, *owner.student.numbers]
        data = "\0".join(identity).encode(errors="surrogatepass")
        return blake2b(data, key=bytes.fromhex(self.secret)).digest()

    # --- redaction

    def replacements(self, text: str, file: Path | None = None) -> list[Replacement]:
        """Return the replacements of the names in a text, in order.

        `file`: the file the text comes from; its student is preferred among students of the same name.
        """
        owner = None if file is None else self.owner_of(file)
        own = next((n for n, (each, _student) in enumerate(self._students) if each is owner), None)
        found = [
            Replacement(match.start, match.end, self._label_of(match.students))
            for match in with_personal_data(text, self._with_given_names(text, own))
        ]
        return with_separators(text, _said_once(text, found))

    def _with_given_names(self, text: str, own: int | None) -> list[NameMatch]:
        """Find names in a text; "Alex" before the surname of a student is a part of the name."""
        matches = self._finder.matches(text, own)
        given, surnames = self._words_of_names
        for n, match in enumerate(matches):
            *particles, last = folded(text[match.start : match.end]).characters.split()
            if last not in surnames or not PARTICLES.issuperset(particles):
                continue
            if word := _GIVEN_NAME.search(text, matches[n - 1].end if n else 0, match.start):
                is_word = is_only_a_word if word["begins"] is None else is_ordinary_word
                if not is_word(word["word"].lower()) and word["word"].lower() not in given:
                    matches[n] = replace(match, start=word.start("word"))
        return matches

    @cached_property
    def _words_of_names(self) -> tuple[frozenset[str], frozenset[str]]:
        """The first words of all names, and the last of those with several."""
        names = [
            folded(given_first(name)).characters.split() for each in self.students for name in each.names
        ]
        return frozenset(w[0] for w in names if w), frozenset(w[-1] for w in names if len(w) > 1)

    def possible_names(self, texts: Mapping[Path, str]) -> list[PossibleName]:
        """Find what may still name someone in texts once names are replaced; names of students first."""
        written = self._written_names_left(texts)
        known, others = set(self.students), [Student((name,)) for name in written]
        doubtful = NameFinder(
            [*self.students, *others],
            lambda student: doubtful_variants(student) if student in known else variants_of(student),
            with_shared_parts=True,
        )
        meant = [*self.students, *written.values()]
        found: dict[tuple[str, tuple[int, ...]], list[tuple[Path, int]]] = {}
        for file, text in texts.items():
            changes = self.replacements(text, file)
            end, ends = 0, [change.end for change in changes]
            candidates = [*doubtful.matches(text), *unknown_people(text)]
            for match in sorted(candidates, key=lambda match: (match.start, not match.students, -match.end)):
                index = bisect_right(ends, match.start)
                is_covered = index < len(ends) and changes[index].start < match.end
                if match.start >= end and not is_covered:
                    key = " ".join(text[match.start : match.end].split()), match.students
                    found.setdefault(key, []).append((file, match.start))
                    end = match.end
        return [
            PossibleName(text, meant[students[0]] if len(students) == 1 else None, tuple(places))
            for (text, students), places in sorted(found.items(), key=lambda item: not item[0][1])
        ]

    def _written_names_left(self, texts: Mapping[Path, str]) -> Mapping[str, Student | None]:
        """Map what may be a name in names of files and name lines, and is not replaced, to the student."""
        written = [(name, file) for file, text in texts.items() for name in written_names(file, text)]
        counts = Counter(name for name, _file in written)
        owners = {file: self.owner_of(file) for file in texts}
        return {
            name: owner.student if (owner := owners[file]) is not None else None
            for name, file in written
            if not self.replacements(name, file)
            and (len(texts) < CLASS_FROM_FILES or counts[name] <= MOST_OF_CLASS * len(texts))
        }

    def _label_of(self, students: Sequence[int]) -> str:
        """Return the pseudonym of the only student, or words for one of several and for unknown people."""
        if len(students) == 1:
            return self.label(self._students[students[0]][0])
        return _("a student") if students else _("[personal data]")

    def replaced(self, text: str, file: Path | None = None) -> str:
        """Return a text with names replaced; line breaks stay."""
        replacements = self.replacements(text, file)
        if not replacements:
            return text
        lines = [match.start() + n for match in _LINE_ENDS.finditer(text) for n in (0, 1)]
        return RedactedText(text, replacements, lines).text

    def without_cut_names(self, text: str) -> str:
        """Remove possible fragments of names from the ends of an excerpt."""
        start, end = self._finder.without_cut_names(text)
        return text[start:end]

    def path_of(self, file: Path) -> Path:
        """Return the pseudonymous path of a file, without a folder and with a known extension only.

        Further files of a student are numbered: "Student 07 (2).docx". Raises KeyError if the file has no
        pseudonym.
        """
        place = self.order_of(file)[1]
        name = self.label(self._owner_of[language_neutral_name(file)]) + (f" ({place + 1})" if place else "")
        return Path(name + (file.suffix if is_suffix_of_text(file.suffix) else ""))

    def prepared_document(self, prepared_document: PreparedDocument) -> PreparedDocument:
        """Return a document with names replaced in path, title, text and receipt.

        Sentences and units keep their indices and compared values, so that a comparison of the originals
        stays valid; their spans are those in the new text. Raises KeyError if the file has no pseudonym.
        """
        return self.redact(prepared_document).prepared_document

    def redact(self, prepared_document: PreparedDocument) -> MovedDocument:
        """Return the redacted document with the map from old to new positions."""
        document, redacted = anonymous_document(self, prepared_document.document, prepared_document.prepared)
        new = replace(
            prepared_document, document=document, prepared=redacted.map_prepared(prepared_document.prepared)
        )
        return MovedDocument(new, redacted)


def _said_once(text: str, changes: Sequence[Replacement]) -> list[Replacement]:
    """Replace the number of a student beside the name by that of the pseudonym alone.

    "Name: Student 07 Number: Student 07" would name one student twice.
    """
    result = list(changes)
    for n, (one, other) in enumerate(pairwise(changes)):
        beside = text[one.end : other.start]
        if one.text != other.text or "\n" in beside or not 0 < len(beside) <= _MOST_BESIDE:
            continue
        are_numbers = [_STUDENT_NUMBER.fullmatch(text, each.start, each.end) for each in (one, other)]
        if any(are_numbers) and not all(are_numbers) and (digits := _NUMBER.search(one.text)):
            at = n + (are_numbers[0] is None)
            result[at] = replace(result[at], text=digits[0])
    return result


def make_pseudonyms(
    recognised: Sequence[RecognisedStudent], listed: Sequence[Student] = (), secret: str | None = None
) -> Pseudonyms:
    """Create pseudonyms for recognised files and a roster; `secret` defaults to a new random one."""
    empty = Pseudonyms(secrets.token_hex(_SECRET_BYTES) if secret is None else secret)
    return empty.extended(recognised, listed)
