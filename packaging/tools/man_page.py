"""Write the manual page of the command line from its commands: linux/data/simcompare.1.

`python3 packaging/dev.py man` runs this in the environment, as it imports simcompare.
"""

import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "packaging" / "linux" / "data" / "simcompare.1"
_FILES = {
    "config.toml": "Defaults of options, in ~/.config/simcompare on Linux.",
    "library.sqlite": "The library, in ~/.local/share/simcompare on Linux.",
}
_ENVIRONMENT = {
    "SIMCOMPARE_CONFIG": "Another file of defaults.",
    "SIMCOMPARE_DATA": "Another folder of program data.",
    "SIMCOMPARE_LIBRARY": "Another library: a file, an address of PostgreSQL or a list of libraries.",
    "SOURCE_DATE_EPOCH": "The time that outputs bear, in seconds since 1970: they are equal in each run.",
}
_ESCAPES = str.maketrans({"\\": "\\e", "-": "\\-", '"': "\\(dq", "“": "\\(lq", "”": "\\(rq"})
_HEAD = """\
.TH SIMCOMPARE 1 "" simcompare "User Commands"
.SH NAME
simcompare \\- compare essays sentence by sentence on the command line
.SH SYNOPSIS
.B simcompare
.I COMMAND
.RI [ OPTION ...]
.RI [ ARGUMENT ...]
.SH DESCRIPTION
Shows what documents have in common, where and why, in Chinese and English.
Results go to standard output, or to a file with
.BR \\-\\-output ;
errors to standard error.
"""
_SEE_ALSO = """\
.SH SEE ALSO
.BR simcompare\\-gui (1)
"""


def man_page() -> str:
    """Return the page, in English."""
    import typer.main  # noqa: PLC0415 - with simcompare, in its environment

    from simcompare.cli.help_pages import EXIT_STATUSES  # noqa: PLC0415
    from simcompare.cli.main import app  # noqa: PLC0415
    from simcompare.cli.options import SHARED  # noqa: PLC0415

    program: Any = typer.main.get_command(app)
    context = program.make_context("simcompare", [], resilient_parsing=True)
    common = {parameter.name for parameter in SHARED}
    leaves = list(_leaves(program, context))
    shared = [(each, leaves[0][1]) for each in leaves[0][0].params if each.name in common]
    own = [(each, context) for each in program.params]
    parts = [_HEAD, ".SH OPTIONS\n", *_described(own), *_described(shared), ".SH COMMANDS\n"]
    for command, its_context in leaves:
        parts += _command(command, its_context, common)
    parts += [".SH EXIT STATUS\n", *(_item(f".B {status}", words) for status, words in EXIT_STATUSES)]
    for heading, items in (("ENVIRONMENT", _ENVIRONMENT), ("FILES", _FILES)):
        parts += [
            f".SH {heading}\n",
            *(_item(f".B {_escaped(name)}", words) for name, words in items.items()),
        ]
    return "".join([*parts, _SEE_ALSO])


def _leaves(group: Any, context: Any) -> Iterator[tuple[Any, Any]]:
    for name, command in group.commands.items():
        own = type(context)(command, info_name=name, parent=context)
        yield from _leaves(command, own) if hasattr(command, "commands") else [(command, own)]


def _command(command: Any, context: Any, common: Iterable[str]) -> Iterator[str]:
    from simcompare.cli.help_pages import EXAMPLES  # noqa: PLC0415

    name = context.command_path.partition(" ")[2]
    usage = " ".join(piece for part in command.params for piece in part.get_usage_pieces(context))
    title = " ".join(_escaped(f"{name} [OPTION]... {usage}").splitlines())
    yield f".SS {title}\n{_escaped(command.help)}\n"
    yield from _described((part, context) for part in command.params if part.name not in common)
    for line, words in EXAMPLES[name]:
        yield f".PP\n{_escaped(words)}\n.PP\n.nf\n.RS\n{_escaped('simcompare ' + line)}\n.RE\n.fi\n"


def _described(parameters: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    for parameter, context in parameters:
        record = parameter.get_help_record(context)
        if record is not None:
            yield _item(f".B {_escaped(record[0])}", record[1])


def _item(tag: str, words: str) -> str:
    return f".TP\n{tag}\n{_escaped(words)}\n"


def _escaped(text: str) -> str:
    """Return a text in lines that troff takes as they are."""
    lines = textwrap.wrap(text, 70, break_long_words=False, break_on_hyphens=False)
    return "\n".join(re.sub(r"^(?=[.'])", r"\\&", line.translate(_ESCAPES)) for line in lines)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(man_page(), encoding="utf-8", newline="\n")
