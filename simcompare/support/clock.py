"""The time that outputs bear."""

import os
from datetime import UTC, datetime


def now() -> datetime:
    """Return the local time, or that of SOURCE_DATE_EPOCH in UTC: outputs are then equal byte for byte."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(seconds), UTC) if seconds.isdecimal() else datetime.now().astimezone()
