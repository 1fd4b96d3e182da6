"""`simcompare schema`: print what the keys of a JSON output mean, as a JSON Schema."""

import json
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from simcompare.cli.options import Output, argument, typer_command
from simcompare.cli.output import deliver
from simcompare.support.i18n import N_
from simcompare.support.resources import resource_path

_SHARED = re.compile(r'"\$ref": ?"comparison\.schema\.json#/\$defs/(\w+)"')


@typer_command(N_("Print the JSON Schema of what a command writes with --to json."))
def schema_command(
    *,
    name: Annotated[
        Literal["compare", "report", "check", "extract", "fingerprint", "library"],
        argument(N_("The command."), "COMMAND"),
    ],
    output: Output = None,
) -> None:
    deliver(json.dumps(schema_of(name), ensure_ascii=False, indent=2) + "\n", output)


def schema_of(command: str) -> dict[str, Any]:
    """Return the schema of a command with the definitions of that of comparisons that it needs."""
    name = {"compare": "comparison", "report": "comparison"}.get(command, command)
    text, definitions = _text(name), json.loads(_text("comparison"))["$defs"]
    schema: dict[str, Any] = json.loads(_SHARED.sub(r'"$ref": "#/$defs/\1"', text))
    needed = {name: definitions[name] for name in _needed(set(_SHARED.findall(text)), definitions)}
    return {**schema, "$defs": {**needed, **schema.get("$defs", {})}} if needed else schema


def _text(name: str) -> str:
    return resource_path("schemas", f"{name}.schema.json").read_text(encoding="utf-8")


def _needed(names: set[str], definitions: dict[str, Any]) -> Iterator[str]:
    """Yield these definitions and all that they refer to."""
    done: set[str] = set()
    while more := names - done:
        done |= more
        yield from sorted(more)
        for name in more:
            names |= set(re.findall(r"#/\$defs/(\w+)", json.dumps(definitions[name])))
