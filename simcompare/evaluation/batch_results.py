"""Result files of `simcompare batch`; a later run resumes from them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Protocol, Self

from simcompare.evaluation.batch_worker import BatchOutcome, BatchPair, read_detections
from simcompare.export.output_paths import OutputError, check_output, write_output
from simcompare.model.errors import SimcompareError, os_errors_as
from simcompare.support.i18n import N_, _

_LINE_START = b'{"left": '


class SameNameError(SimcompareError):
    """Two pairs would have the same result file. Values: name, first, second."""

    template = N_(
        "The results of {first} and of {second} would both be called {name}. Rename a file, "
        "or use --to jsonl."
    )


class BatchResults(Protocol):
    """Store of the results of finished pairs. `finished`: number of passages of the pairs of earlier runs."""

    finished: dict[BatchPair, int]

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def add(self, outcomes: Iterable[BatchOutcome]) -> None:
        """Store the results of finished pairs."""


class DetectionFolder:
    """Folder with one XML file per pair, each written atomically."""

    def __init__(self, folder: Path, pairs: Sequence[BatchPair], made_by: str) -> None:
        """Find results of earlier runs. Raises OutputError, SameNameError."""
        self._folder = folder
        self._names = _names(pairs)
        with os_errors_as(OutputError, folder):
            folder.mkdir(parents=True, exist_ok=True)
            present = {path.name for path in folder.iterdir()}
        self.finished: dict[BatchPair, int] = {}
        for pair, name in self._names.items():
            if name in present and (count := _passages_in(folder / name, made_by)) is not None:
                self.finished[pair] = count

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: every file is complete."""

    def add(self, outcomes: Iterable[BatchOutcome]) -> None:
        """Write the file of each pair."""
        for outcome in outcomes:
            write_output(self._folder / self._names[outcome.pair], [_encoded(outcome.text)])


def _names(pairs: Sequence[BatchPair]) -> dict[BatchPair, str]:
    """Return the file name of each pair. Raises SameNameError if two are the same."""
    owners: dict[str, BatchPair] = {}
    for pair in pairs:
        name = f"{Path(pair.left).stem}-{Path(pair.right).stem}.xml"
        # as on a case-insensitive file system
        owner = owners.setdefault(name.casefold(), pair)
        if owner != pair:
            first, second = (f"{p.left}, {p.right}" for p in (owner, pair))
            raise SameNameError(name=name, first=first, second=second)
    return {pair: f"{Path(pair.left).stem}-{Path(pair.right).stem}.xml" for pair in pairs}


def _passages_in(path: Path, made_by: str) -> int | None:
    """Return the number of passages of a result; None if the file is damaged or made by another version.

    Raises OutputError if simcompare did not write the file: files of others are not overwritten.
    """
    with os_errors_as(OutputError, path):
        detections = read_detections(path)
    if detections is None:
        return None
    if detections.made_by is None:
        raise _not_our_file(path)
    return detections.passages if detections.made_by == made_by else None


def _not_our_file(path: Path) -> OutputError:
    return OutputError(path=path, cause=_("it holds something that this command did not write"))


class JsonLinesFile:
    """File with a line of JSON per pair.

    Lines are appended as pairs finish, so that an interruption loses little; at the end the file is
    rewritten atomically in the order of the pairs.
    """

    def __init__(self, path: Path, pairs: Sequence[BatchPair], made_by: str, inputs: Sequence[Path]) -> None:
        """Find results of earlier runs. Raises OutputError."""
        check_output(path, inputs)
        self._path = path
        self._pairs = pairs
        requested = set(pairs)
        self._lines: dict[BatchPair, str] = {}
        self.finished: dict[BatchPair, int] = {}
        for line, value in self._complete_lines():
            pair = BatchPair(value["left"], value["right"])
            if value["made_by"] == made_by and pair in requested:
                self._lines[pair] = line
                self.finished[pair] = len(value["passages"])

    def _complete_lines(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the lines of the file and their objects, except an incomplete last line."""
        if not self._path.exists():
            return
        with os_errors_as(OutputError, self._path):
            *lines, incomplete = self._path.read_bytes().split(b"\n")
        if not (incomplete.startswith(_LINE_START) or _LINE_START.startswith(incomplete)):
            raise _not_our_file(self._path)
        for line in lines:
            try:
                value = json.loads(line)
                BatchPair(value["left"], value["right"]), value["made_by"], len(value["passages"])
            except (ValueError, TypeError, KeyError) as error:
                raise _not_our_file(self._path) from error
            yield line.decode("utf-8") + "\n", value

    def __enter__(self) -> Self:
        self._rewrite(self._lines.values())
        with os_errors_as(OutputError, self._path):
            self._file: BinaryIO = self._path.open("ab")
        return self

    def add(self, outcomes: Iterable[BatchOutcome]) -> None:
        """Append a line for each pair."""
        texts = {outcome.pair: outcome.text for outcome in outcomes}
        self._lines |= texts
        with os_errors_as(OutputError, self._path):
            self._file.write("".join(texts.values()).encode("utf-8"))
            self._file.flush()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with os_errors_as(OutputError, self._path):
            self._file.close()
        if kind is None:
            self._rewrite(self._lines[pair] for pair in self._pairs if pair in self._lines)

    def _rewrite(self, lines: Iterable[str]) -> None:
        write_output(self._path, map(_encoded, lines))


def _encoded(text: str) -> bytes:
    # a file name may contain bytes that are not text; they appear as JSON escapes them
    return text.encode("utf-8", "backslashreplace")
