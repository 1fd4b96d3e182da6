"""JSON Schemas of the outputs, closed: a key that a schema does not describe is an error."""

from typing import Any

from jsonschema import Draft202012Validator


def errors_of(value: Any, schema: dict[str, Any]) -> list[str]:
    """List the parts of a value that the schema does not allow, or does not describe."""
    errors = Draft202012Validator(_closed(schema)).iter_errors(value)
    return [f"{error.json_path}: {error.message}" for error in errors]


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: _closed(part) for key, part in schema.items()}
    return {"additionalProperties": False, **parts} if isinstance(schema.get("properties"), dict) else parts
