"""Files to be added whose submissions the library does not have yet."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from simcompare.library.adding import stored_submissions
from simcompare.library.new_entry import SubmissionKey
from simcompare.library.store.open_library import Library
from simcompare.library.tags import STUDENT


def unknown_files(
    libraries: Iterable[Library], submissions: Mapping[Path, SubmissionKey], *, students_recognised: bool
) -> list[Path]:
    """Return the files of submissions that the libraries together have less often than these are.

    All files of such a submission are returned; `add_entries` skips as many as the library has.
    students_recognised: whether students were recognised from names of files, in which case one that is
    stored without its student is the same, as some are recognised only beside others. Raises LibraryError.
    """
    stored: Counter[SubmissionKey] = Counter()
    for library in libraries:
        with library.reading() as connection:
            stored += stored_submissions(connection, [each.file_sha256 for each in submissions.values()])
    wanted = Counter(submissions.values())
    missing = wanted - stored
    if students_recognised:
        _match_without_student(missing, stored - wanted)
    return [path for path, submission in submissions.items() if missing[submission] > 0]


def _match_without_student(missing: Counter[SubmissionKey], left: Counter[SubmissionKey]) -> None:
    """Subtract from `missing` what is left in the library and differs only in that one has no student."""
    left_by_rest = _by_rest(left)
    for rest, submissions in _by_rest(missing).items():
        for submission in submissions:
            for other in left_by_rest.get(rest, ()):
                if rest in {submission, other}:
                    count = min(missing[submission], left[other])
                    missing[submission] -= count
                    left[other] -= count


def _by_rest(submissions: Iterable[SubmissionKey]) -> Mapping[SubmissionKey, list[SubmissionKey]]:
    """Group submissions by what they are without a student."""
    groups: defaultdict[SubmissionKey, list[SubmissionKey]] = defaultdict(list)
    for submission in submissions:
        others = frozenset(tag for tag in submission.tags if tag.name != STUDENT)
        groups[replace(submission, tags=others)].append(submission)
    return groups
