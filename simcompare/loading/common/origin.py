"""What files say of who made them, when and with what, brought into one form."""

import re
from datetime import datetime

from simcompare.loading.extraction import clean
from simcompare.receipt import Origin

_LONGEST = 100
# no essay was typed before; programs write such years where they know none
_FIRST_YEAR = 1980
_MOMENT = re.compile(
    r"(?:D:)?(?P<day>\d{4}-?\d\d-?\d\d)"
    r"(?:[T ]?(?P<hours>\d\d):?(?P<minutes>\d\d)(?::?(?P<seconds>\d\d))?(?:[.,]\d+)?"
    r"\s*(?P<zone>Z|[+-]\d\d(?:[:']?\d\d)?)?)?"
)


def origin_from(
    *,
    author: str | None = None,
    last_saved_by: str | None = None,
    created: str | None = None,
    last_saved: str | None = None,
    program: str | None = None,
) -> Origin:
    """Return what a file says, each as one line; a moment that cannot be is left out."""
    return Origin(
        _line(author),
        _line(last_saved_by),
        _moment(created or ""),
        _moment(last_saved or ""),
        _line(program),
    )


def _line(text: str | None) -> str:
    return clean(text or "")[:_LONGEST].strip()


def _moment(text: str) -> str:
    """Return a moment in ISO 8601, read from that or from what a PDF has; "" where it is none."""
    match = _MOMENT.match(text.strip())
    if match is None:
        return ""
    hours, minutes, seconds = (match[part] or "00" for part in ("hours", "minutes", "seconds"))
    zone = (match["zone"] or "").replace("'", "").replace(":", "")
    iso = f"{match['day'].replace('-', '')}T{hours}{minutes}{seconds}{zone}"
    try:
        moment = datetime.fromisoformat(iso)
    except ValueError:
        return ""
    return moment.isoformat() if moment.year >= _FIRST_YEAR else ""
