"""Names that every file system takes: those for the reports of pairs, and what is wrong with others."""

import re
import unicodedata
from pathlib import PurePath

from simcompare.i18n import N_
from simcompare.visible import visible

_LONGEST_CHARACTERS, _LONGEST_BYTES = 40, 110
"""Of one document's part: two of them, a number and an ending stay below the 255 bytes of a file name."""
_LONGEST_NAME_BYTES = 240
"""Of a whole name: file systems take 255 with its ending."""
_SIGNS = re.compile(r'[<>:"/\\|?*]')
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
# Windows takes them for devices, whatever ending they have
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\..*)?$")


def report_name(number: int, count: int, left: str, right: str, suffix: str) -> str:
    """Return the name of a report: "07 Anna – Ben.html", the number as wide as that of the last of `count`.

    left, right: what the files are called (visible.told_apart). The number makes it unique; what Windows
    takes in no name is left out of it.
    """
    return f"{number:0{len(str(count))}} {pair_name(left, right)}{suffix}"


def pair_name(left: str, right: str) -> str:
    """Return "Anna – Ben" for "Anna.docx" and "Ben.pdf", and "a essay – Ben" for "a/essay.docx"."""
    return " – ".join(safe_name(_without_ending(name).replace("/", " ")) for name in (left, right))


def _without_ending(name: str) -> str:
    return name.removesuffix(PurePath(name).suffix)


def safe_name(text: str) -> str:
    """Return a text as a name that any file system takes, shortened where it is long.

    Characters that Windows forbids become "_"; a name of a device has "_" before it.
    """
    name = unicodedata.normalize("NFC", _CONTROLS.sub("_", _SIGNS.sub("_", visible(text))))
    name = _shortened(" ".join(name.split())).strip(". ") or "_"
    return f"_{name}" if _DEVICE.match(name) else name


def why_no_name(text: str) -> str:
    """Return why no file can have this name, before its ending, on every system; empty where one can.

    It is in English, to be translated when it is shown.
    """
    if not text.strip(" ."):
        return N_("Give it a name.")
    if _SIGNS.search(text):
        return N_('Give it a name without the signs < > : " / \\ | ? *')
    if _CONTROLS.search(text) or visible(text) != text:
        return N_("The name holds a sign that cannot be seen. Type the name anew.")
    if _DEVICE.match(text):
        return N_("Windows keeps this name for a device. Choose another one.")
    if len(text.encode("utf-8")) > _LONGEST_NAME_BYTES:
        return N_("The name is too long for a file. Shorten it.")
    return ""


def _shortened(name: str) -> str:
    name = name[:_LONGEST_CHARACTERS]
    return name.encode("utf-8")[:_LONGEST_BYTES].decode("utf-8", "ignore")
