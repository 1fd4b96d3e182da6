"""Names for the reports of pairs that every file system takes."""

import re
import unicodedata
from pathlib import PurePath

from simcompare.visible import visible

_LONGEST_CHARACTERS, _LONGEST_BYTES = 40, 110
"""Of one document's part: two of them, a number and an ending stay below the 255 bytes of a file name."""
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
# Windows takes them for devices, whatever ending they have
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\..*)?$")


def report_name(number: int, count: int, left: PurePath, right: PurePath, suffix: str) -> str:
    """Return the name of a report: "07 Anna – Ben.html", the number as wide as that of the last of `count`.

    The number makes it unique; what Windows takes in no name is left out of it.
    """
    return f"{number:0{len(str(count))}} {pair_name(left, right)}{suffix}"


def pair_name(left: PurePath, right: PurePath) -> str:
    """Return "Anna – Ben" for two files, as the name of a file without its ending."""
    return f"{safe_name(left.stem)} – {safe_name(right.stem)}"


def safe_name(text: str) -> str:
    """Return a text as a name that any file system takes, shortened where it is long.

    Characters that Windows forbids become "_"; a name of a device has "_" before it.
    """
    name = unicodedata.normalize("NFC", _FORBIDDEN.sub("_", visible(text)))
    name = _shortened(" ".join(name.split())).strip(". ") or "_"
    return f"_{name}" if _DEVICE.match(name) else name


def _shortened(name: str) -> str:
    name = name[:_LONGEST_CHARACTERS]
    return name.encode("utf-8")[:_LONGEST_BYTES].decode("utf-8", "ignore")
