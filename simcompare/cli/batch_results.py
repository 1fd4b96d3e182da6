"""Where the results of `simcompare batch` are kept, so that a run that was interrupted goes on."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Protocol, Self

from simcompare.cli.output import OutputError, check_place, deliver
from simcompare.evaluation.batch_worker import BatchResult, FilePair
from simcompare.evaluation.pan_xml import read_detections
from simcompare.model.errors import SimcompareError, os_errors_as
from simcompare.support.i18n import N_, _

_LINE_BEGINS = b'{"left": '


class SameNameError(SimcompareError):
    """Two pairs whose results would be one file. Values: name, first, second."""

    template = N_(
        "The results of {first} and of {second} would both be called {name}. Rename a file, "
        "or use --to jsonl."
    )


class Results(Protocol):
    """Keeps the text of each finished pair. `finished`: passages of the pairs an earlier run did."""

    finished: dict[FilePair, int]

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def add(self, outcomes: Iterable[BatchResult]) -> None:
        """Keep what is finished."""


class DetectionFolder:
    """A folder with an XML file a pair, each written in one step."""

    def __init__(self, folder: Path, pairs: Sequence[FilePair], made_by: str) -> None:
        """Look for results of an earlier run; raises OutputError, SameNameError."""
        self._folder = folder
        self._names = _names(pairs)
        with os_errors_as(OutputError, folder):
            folder.mkdir(parents=True, exist_ok=True)
            present = {path.name for path in folder.iterdir()}
        self.finished: dict[FilePair, int] = {}
        for pair, name in self._names.items():
            if name in present and (count := _passages_in(folder / name, made_by)) is not None:
                self.finished[pair] = count

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Every file is whole already."""

    def add(self, outcomes: Iterable[BatchResult]) -> None:
        """Write the file of each pair."""
        for outcome in outcomes:
            deliver(outcome.text, self._folder / self._names[outcome.pair])


def _names(pairs: Sequence[FilePair]) -> dict[FilePair, str]:
    """Return the name of each pair's file; raises SameNameError where two are the same."""
    owners: dict[str, FilePair] = {}
    for pair in pairs:
        name = f"{Path(pair.left).stem}-{Path(pair.right).stem}.xml"
        # as a file system sees names that does not tell capitals apart
        owner = owners.setdefault(name.casefold(), pair)
        if owner != pair:
            first, second = (f"{p.left}, {p.right}" for p in (owner, pair))
            raise SameNameError(name=name, first=first, second=second)
    return {pair: f"{Path(pair.left).stem}-{Path(pair.right).stem}.xml" for pair in pairs}


def _passages_in(path: Path, made_by: str) -> int | None:
    """Return the passages of a result that need not be made again; None where it must be.

    Raises OutputError where the file is not a result: nothing that others made is overwritten.
    """
    with os_errors_as(OutputError, path):
        written = read_detections(path)
    if written is None:
        return None
    if written.made_by is None:
        raise _foreign(path)
    return written.passages if written.made_by == made_by else None


def _foreign(path: Path) -> OutputError:
    return OutputError(path=path, cause=_("it holds something that this command did not write"))


class JsonLinesFile:
    """A file with a JSON object a line a pair.

    Lines are added as pairs are finished, so that an interruption loses little; at the end they are put
    into the order of the pairs, in one step.
    """

    def __init__(self, path: Path, pairs: Sequence[FilePair], made_by: str, inputs: Sequence[Path]) -> None:
        """Look for results of an earlier run; raises OutputError."""
        check_place(path, inputs)
        self._path = path
        self._pairs = pairs
        asked = set(pairs)
        self._lines: dict[FilePair, str] = {}
        self.finished: dict[FilePair, int] = {}
        for line, value in self._whole_lines():
            pair = FilePair(value["left"], value["right"])
            if value["made_by"] == made_by and pair in asked:
                self._lines[pair] = line
                self.finished[pair] = len(value["passages"])

    def _whole_lines(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the lines that are there and what they say; the last one may be torn."""
        if not self._path.exists():
            return
        with os_errors_as(OutputError, self._path):
            *lines, torn = self._path.read_bytes().split(b"\n")
        if not (torn.startswith(_LINE_BEGINS) or _LINE_BEGINS.startswith(torn)):
            raise _foreign(self._path)
        for line in lines:
            try:
                value = json.loads(line)
                FilePair(value["left"], value["right"]), value["made_by"], len(value["passages"])
            except (ValueError, TypeError, KeyError) as error:
                raise _foreign(self._path) from error
            yield line.decode("utf-8") + "\n", value

    def __enter__(self) -> Self:
        deliver("".join(self._lines.values()), self._path)
        with os_errors_as(OutputError, self._path):
            self._file: BinaryIO = self._path.open("ab")
        return self

    def add(self, outcomes: Iterable[BatchResult]) -> None:
        """Add a line for each pair."""
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
            deliver("".join(self._lines[pair] for pair in self._pairs if pair in self._lines), self._path)
