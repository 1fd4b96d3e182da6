"""Lists and their numbering ([MS-DOC] 2.9.131 LFO, 2.9.147 LSTF, 2.9.150 LVL)."""

import struct
from dataclasses import dataclass
from typing import Any

from simcompare.loading.shared.list_numbers import FORMS_BY_CODE, LEVELS, CountedList, ListLevel

_IS_SIMPLE, _IN_DIGITS, _NEVER_RESTARTS = 0x01, 0x04, 0x08
_SETS_START, _SETS_LEVEL = 0x10, 0x20
_TAB, _SPACE, _NOTHING = 0, 1, 2
_SUFFIXES = {_TAB: " ", _SPACE: " ", _NOTHING: ""}
_NO_NUMBER = "none"


@dataclass(slots=True)
class _ListStream:
    """A position in bytes that are read sequentially; raises struct.error at their end."""

    data: bytes
    place: int = 0

    def values(self, form: str) -> tuple[Any, ...]:
        """Read values in the notation of struct."""
        found = struct.unpack_from(form, self.data, self.place)
        self.place += struct.calcsize(form)
        return found

    def level(self, number: int) -> ListLevel:
        """Read the numbering of a level."""
        start, code, flags, _places, suffix, _indents, characters, paragraph, limit, _hint = self.values(
            "<iBB9sB8s4B"
        )
        self.place += paragraph + characters
        (length,) = self.values("<H")
        text = self.data[self.place : self.place + 2 * length].decode("utf-16-le", "replace")
        self.place += 2 * length
        return ListLevel(
            start=start,
            form=FORMS_BY_CODE.get(code, _NO_NUMBER),
            text="".join(f"%{ord(char) + 1}" if ord(char) < LEVELS else char for char in text),
            restarts_after=limit if flags & _NEVER_RESTARTS else number,
            in_digits=bool(flags & _IN_DIGITS),
            suffix=_SUFFIXES.get(suffix, " "),
        )


class DocLists:
    """Counts list paragraphs in document order."""

    def __init__(self, lists: bytes, instances: bytes) -> None:
        self._lists: dict[int, CountedList] = {}
        self._instances: list[CountedList] = []
        try:
            self._read_lists(_ListStream(lists))
            self._read_instances(_ListStream(instances))
        except struct.error:
            # Paragraphs of a broken list have no label; their text is kept.
            return

    def label(self, instance: int, level: int) -> str:
        """Count a paragraph of a list, numbered from 1, and return its label."""
        if 0 < instance <= len(self._instances):
            return self._instances[instance - 1].next_label(level)
        return ""

    def _read_lists(self, stream: _ListStream) -> None:
        """Read the lists; the levels of all lists follow after the list headers."""
        (count,) = stream.values("<H")
        heads = [stream.values("<2i18s2B") for _list in range(count)]
        for number, _template, _styles, flags, _hint in heads:
            levels = 1 if flags & _IS_SIMPLE else LEVELS
            self._lists[number] = CountedList({level: stream.level(level) for level in range(levels)})

    def _read_instances(self, stream: _ListStream) -> None:
        """Read the list instances that paragraphs refer to; the overrides follow after all of them."""
        (count,) = stream.values("<I")
        heads = [stream.values("<i8s4B") for _instance in range(min(count, len(stream.data)))]
        for number, _unused, *_counts in heads:
            counted = self._lists.get(number, CountedList({}))
            self._instances.append(CountedList(dict(counted.levels), {}, counted.numbers))
        for instance, head in zip(self._instances, heads, strict=True):
            stream.values("<I")
            for _override in range(head[2]):
                self._read_override(stream, instance)

    def _read_override(self, stream: _ListStream, instance: CountedList) -> None:
        start, flags = stream.values("<iI")
        level = flags & 0xF
        if flags & _SETS_LEVEL:
            instance.levels = {**instance.levels, level: stream.level(level)}
        if flags & _SETS_START:
            instance.restart_numbers[level] = start
