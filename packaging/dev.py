"""Set up, run and check simcompare from a fresh checkout, with nothing but Python 3.11 or newer.

- `python3 packaging/dev.py run`: compare two samples, in the window or in the terminal
- `python3 packaging/dev.py test`: every check there is; --list names them, --only picks
- `python3 packaging/dev.py setup`: only make the environment, .venv
- `python3 packaging/dev.py screenshots`: pictures of the window in all its looks
- `python3 packaging/dev.py translations`: renew the Chinese catalogue from the texts in the code
"""

import argparse
import io
import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - to say so is what it is for
    sys.exit("simcompare needs Python 3.11 or newer; start this script with a newer python3.")

from devtools.base import ROOT, VENV, Command, SetupError, call, venv_program
from devtools.catalogue import renew_catalogue
from devtools.checks import run_stage, summary
from devtools.environment import set_up
from devtools.screens import has_screen
from devtools.stages import stages
from devtools.system_packages import BROWSER, FONTS, QT_LIBRARIES, TEST_TOOLS, WINDOW_LIBRARIES

SAMPLES = ("resources/samples/家乡的石桥.docx", "resources/samples/心中的桥.html")
SAMPLE_REPORT = "out/sample-comparison.html"


def command_setup(_: argparse.Namespace) -> int:
    """Make the environment and tell where it is."""
    set_up([*QT_LIBRARIES, *WINDOW_LIBRARIES, *FONTS, *TEST_TOOLS])
    print(f"Ready: {venv_program(VENV, 'simcompare').relative_to(ROOT)}")
    return 0


def command_run(_: argparse.Namespace) -> int:
    """Compare two samples: in the window where there is a screen, on the command line elsewhere."""
    set_up([*QT_LIBRARIES, *WINDOW_LIBRARIES, *FONTS])
    python = venv_program(VENV, "python")
    if has_screen(sys.platform, os.environ):
        return call([python, "-m", "simcompare.ui.app", *SAMPLES])
    print("There is no screen here, so the command line compares the samples in the window's place.")
    return _compare_without_window([python, "-m", "simcompare", "compare", *SAMPLES])


def _compare_without_window(compare: Command) -> int:
    (ROOT / SAMPLE_REPORT).parent.mkdir(exist_ok=True)
    exit_code = call([*compare, "--to", "html", "--output", SAMPLE_REPORT])
    exit_code = exit_code or call([*compare, "--to", "text"])
    if exit_code == 0:
        print(f"The report, to open in a browser: {SAMPLE_REPORT}")
    return exit_code


def command_test(options: argparse.Namespace) -> int:
    """Run the checks, all of them even after one failed, and sum up."""
    if options.list:
        print("\n".join(f"{stage.name:<10}{stage.about}" for stage in stages()))
        return 0
    chosen = [stage for stage in stages() if not options.only or stage.name in options.only]
    unknown = set(options.only) - {stage.name for stage in chosen}
    if unknown:
        raise SetupError(f"no such stage: {', '.join(sorted(unknown))} (--list names them)")
    set_up([*QT_LIBRARIES, *WINDOW_LIBRARIES, *FONTS, *TEST_TOOLS, *BROWSER])
    outcomes = [run_stage(stage) for stage in chosen]
    print("\n" + summary(outcomes))
    return int(any(outcome.result == "failed" for outcome in outcomes))


def command_screenshots(_: argparse.Namespace) -> int:
    """Take pictures of the window."""
    set_up([*QT_LIBRARIES, *WINDOW_LIBRARIES, *FONTS])
    return call([venv_program(VENV, "python"), "packaging/make_screenshots.py"])


def command_translations(_: argparse.Namespace) -> int:
    """Renew the Chinese catalogue."""
    set_up([])
    renew_catalogue()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("run", help="compare two samples").set_defaults(command=command_run)
    commands.add_parser("setup", help="make .venv").set_defaults(command=command_setup)
    pictures = commands.add_parser("screenshots", help="take pictures of the window")
    pictures.set_defaults(command=command_screenshots)
    renew = commands.add_parser("translations", help="renew the Chinese catalogue")
    renew.set_defaults(command=command_translations)
    test = commands.add_parser("test", help="run every check")
    test.add_argument(
        "--only", action="append", default=[], metavar="STAGE", help="run this stage (repeatable)"
    )
    test.add_argument("--list", action="store_true", help="name the stages")
    test.set_defaults(command=command_test)
    return parser


def main() -> int:
    """Do what the command line asks for."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # By line, so that our lines and those of the programs we start stay in order.
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    options = _parser().parse_args()
    try:
        return int(options.command(options))
    except SetupError as error:
        print(f"dev.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
