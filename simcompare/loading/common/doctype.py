"""Document types of old XML formats, which name a definition and declare nothing themselves."""

import re

_NAMED_ONLY = re.compile(rb"<!DOCTYPE\s[^\[\]<>]*>", re.IGNORECASE)
_PROLOGUE_BYTES = 4096


def without_doctype(data: bytes) -> bytes:
    """Return XML without a document type that only names one; one that declares entities stays."""
    return _NAMED_ONLY.sub(b"", data[:_PROLOGUE_BYTES], count=1) + data[_PROLOGUE_BYTES:]
