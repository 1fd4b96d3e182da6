"""Values as JSON: UTF-8 text in which Chinese stays readable."""

import json
from typing import Any


def as_json(value: Any) -> str:
    """Return a value as JSON that people can read too, with a line end."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def as_json_line(value: Any) -> str:
    """Return a value as JSON on one line, with the line end."""
    return json.dumps(value, ensure_ascii=False) + "\n"
