"""What files say of the students whose they are: by their names, their folders, and their first lines."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from simcompare.pseudonyms.file_name_parts import recognised_in_stems, without_shared_numbers
from simcompare.pseudonyms.latin_names import stem_of
from simcompare.pseudonyms.name_folding import folded
from simcompare.pseudonyms.opening_lines import Told, told_by
from simcompare.pseudonyms.pinyin import pinyin_keys
from simcompare.pseudonyms.students import Ground, Recognised, Student

_LEVELS = 2
"""The folder of a file and the one above: a draft may have a folder of its own."""
_MOST_FILES_OF_ONE = 3


def folders_by_level(paths: Sequence[Path]) -> Iterator[dict[Path, Path]]:
    """Yield the folder of each file, then the one above it, where that may be a student's.

    Files without such a folder are left out: all are in one, or more are in it than a student hands in.
    """
    for level in range(_LEVELS):
        within: defaultdict[Path, list[Path]] = defaultdict(list)
        for path in paths:
            if len(path.parents) > level:
                within[path.parents[level]].append(path)
        if len(within) > 1:
            yield {
                path: folder
                for folder, files in within.items()
                for path in files
                if folder.name and len(files) <= _MOST_FILES_OF_ONE
            }


_CLASS_FROM_FILES = 4
_MOST_OF_CLASS = 0.5
_NOBODY = Told()


def propose(
    paths: Sequence[Path], listed: Sequence[Student] = (), openings: Mapping[Path, str] | None = None
) -> tuple[Recognised, ...]:
    """Return what was recognised of the student of each file, in order.

    `openings` are the beginnings of the texts, where they are known. The name of a file goes before that of
    its folder, and both before what the text says; a student of the list goes before all else.
    """
    found = recognised_in_stems([(path, stem_of(path)) for path in paths], listed)
    found = _by_folders(found, listed)
    return tuple(_by_openings(found, openings or {}))


def _by_folders(found: Sequence[Recognised], listed: Sequence[Student]) -> list[Recognised]:
    """Take the name of a file's folder, or of the one above, where that of the file tells of nobody."""
    result = list(found)
    for folder_of in folders_by_level([one.path for one in found]):
        folders = list(dict.fromkeys(folder_of.values()))
        known = recognised_in_stems([(folder, folder.name) for folder in folders], listed)
        of_folder = dict(zip(folders, known, strict=True))
        result = [
            _joined(one, of_folder[folder_of[one.path]]) if one.path in folder_of and not one.name else one
            for one in result
        ]
    return result


def _joined(one: Recognised, folder: Recognised) -> Recognised:
    """Return what is known of a file with what its folder says."""
    is_listed = folder.name_ground in {Ground.LISTED, Ground.SEVERAL}
    name_ground = folder.name_ground if is_listed or not folder.name else Ground.FOLDER
    number_ground = one.number_ground or (Ground.FOLDER if folder.number else None)
    return replace(
        one,
        name=folder.name,
        number=one.number or folder.number,
        name_ground=name_ground,
        number_ground=number_ground,
        also=folder.also,
    )


def _by_openings(found: Sequence[Recognised], openings: Mapping[Path, str]) -> list[Recognised]:
    """Take what the first lines say; a name that many texts have is that of no student."""
    told = [told_by(openings.get(one.path, "")) for one in found]
    counts = Counter(one.name for one in told if one.name)
    completed = [
        _completed(one, say if _may_be_students(say, counts, len(found)) else replace(say, name=""))
        for one, say in zip(found, told, strict=True)
    ]
    return without_shared_numbers(completed)


def _may_be_students(told: Told, counts: Counter[str], files: int) -> bool:
    """Whether a name of first lines is a student's: an author whom several texts name is none."""
    count = counts[told.name]
    is_of_all = files >= _CLASS_FROM_FILES and count > _MOST_OF_CLASS * files
    return not is_of_all if told.is_sure else count <= 1


def _completed(one: Recognised, told: Told) -> Recognised:
    """Return what is known of a file with what its first lines say; two names stay two."""
    if told.number and not one.number:
        one = replace(one, number=told.number, number_ground=Ground.OPENING)
    is_same = _is_same(told.name, one.name)
    if not told.name or (is_same and not (_is_latin(one.name) and not _is_latin(told.name))):
        return one
    if is_same or not one.name:
        return replace(one, name=told.name, name_ground=Ground.OPENING)
    if any(_is_same(told.name, name) for name in one.also):
        others = [one.name, *(name for name in one.also if not _is_same(told.name, name))]
        return replace(one, name=told.name, name_ground=Ground.OPENING, also=tuple(others))
    return replace(one, also=(*one.also, told.name)) if told.is_sure else one


def _is_same(one: str, other: str) -> bool:
    """Whether two names are written with the same words, or one is the other in pinyin."""
    if _words(one) == _words(other):
        return True
    return _is_latin(one) != _is_latin(other) and not pinyin_keys(one).isdisjoint(pinyin_keys(other))


def _is_latin(name: str) -> bool:
    return folded(name).characters.isascii()


def _words(name: str) -> list[str]:
    return sorted(re.findall(r"[^\W_]+", folded(name).characters))
