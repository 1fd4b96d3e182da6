"""Set up, run and check simcompare from a fresh checkout; needs only Python 3.11 or newer.

- `python3 packaging/dev.py run`: compare two samples, in the window or in the terminal
- `python3 packaging/dev.py test`: run all checks; --list shows them, --only selects
- `python3 packaging/dev.py setup`: only make the environment .venv
- `python3 packaging/dev.py coverage`: measure the branch coverage of all tests, or of those given
- `python3 packaging/dev.py docs`: make the documentation as pages, in out/docs
- `python3 packaging/dev.py screenshots`: take the pictures of the manual, and others of the window
- `python3 packaging/dev.py licences`: review the licences and known vulnerabilities of what simcompare needs
- `python3 packaging/dev.py translations`: update the catalogues from the texts in the code
- `python3 packaging/dev.py constraints`: update packaging/constraints.txt to the newest versions allowed
- `python3 packaging/dev.py man`: update the manual page from the commands
- `python3 packaging/dev.py bundle`: make the programs for computers without Python, in dist/simcompare
- `python3 packaging/dev.py packages`: make the bundle, and from it the packages for this system
"""

import argparse
import hashlib
import io
import os
import shutil
import sys
import time
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - gives the reason in one sentence
    sys.exit("simcompare needs Python 3.11 or newer; start this script with a newer python3.")

from bundle.build_bundle import make_bundle, make_disk_image, make_setup
from linux.build_packages import make_deb, make_tarball
from tools.base import ROOT, SAMPLES, VENV, Command, SetupError, call, project_version, venv_program
from tools.catalogue import renew_catalogues
from tools.constraints import renew_constraints
from tools.documentation import make_documentation
from tools.environment import set_up
from tools.runner import run_stages, summary
from tools.stages import in_processes, stages, usable_cores
from tools.surroundings import has_screen
from tools.system_packages import (
    BROWSER,
    DATABASE_SERVER,
    FONTS,
    QT_LIBRARIES,
    TEST_TOOLS,
    WINDOW_LIBRARIES,
    ensure_system_packages,
)

CHECKS = (*QT_LIBRARIES, *WINDOW_LIBRARIES, *FONTS, *TEST_TOOLS, *BROWSER, *DATABASE_SERVER)
"""System packages that the checks use."""
SAMPLE_REPORT = "out/sample-comparison.html"


def command_setup(_: argparse.Namespace) -> int:
    """Make the environment."""
    set_up([*QT_LIBRARIES, *WINDOW_LIBRARIES, *FONTS, *TEST_TOOLS])
    print(f"Ready: {venv_program(VENV, 'simcompare').relative_to(ROOT)}")
    return 0


def command_run(_: argparse.Namespace) -> int:
    """Compare two samples: in the window if there is a screen, else on the command line."""
    set_up([*QT_LIBRARIES, *WINDOW_LIBRARIES, *FONTS])
    if has_screen(sys.platform, os.environ):
        return call([venv_program(VENV, "simcompare-gui"), *SAMPLES])
    print("There is no screen, so the command line compares the samples.")
    return _compare_without_window([venv_program(VENV, "simcompare"), "compare", *SAMPLES])


def _compare_without_window(compare: Command) -> int:
    (ROOT / SAMPLE_REPORT).parent.mkdir(exist_ok=True)
    exit_code = call([*compare, "--to", "html", "--output", SAMPLE_REPORT])
    exit_code = exit_code or call([*compare, "--to", "text"])
    if exit_code == 0:
        print(f"Report to open in a browser: {SAMPLE_REPORT}")
    return exit_code


def command_test(options: argparse.Namespace) -> int:
    """Run the stages, all of them even if one fails, and print a summary."""
    if options.list:
        print("\n".join(f"{stage.name:<10}{stage.about}" for stage in stages()))
        return 0
    chosen = [stage for stage in stages() if not options.only or stage.name in options.only]
    unknown = set(options.only) - {stage.name for stage in chosen}
    if unknown:
        raise SetupError(f"no such stage: {', '.join(sorted(unknown))} (--list names them)")
    set_up(CHECKS)
    start_s = time.monotonic()
    outcomes = run_stages(chosen)
    print("\n" + summary(outcomes, time.monotonic() - start_s))
    return int(any(outcome.result == "failed" for outcome in outcomes))


def command_coverage(options: argparse.Namespace) -> int:
    """Run tests under coverage; its settings in pyproject.toml include worker processes."""
    set_up(CHECKS)
    coverage = [venv_program(VENV, "python"), "-m", "coverage"]
    # absolute, as programs that tests start in other folders would leave their data there
    env = {"QT_QPA_PLATFORM": "offscreen", **os.environ, "COVERAGE_FILE": str(ROOT / ".coverage")}
    tests = ["-m", "pytest", "-q", *in_processes(usable_cores()), "-m", "not window", *options.tests]
    call([*coverage, "erase"])
    exit_code = call([*coverage, "run", *tests], env)
    call([*coverage, "combine", "--quiet"])
    floor = ["--fail-under=0"] if options.tests else []  # that in pyproject.toml is for all tests
    return call([*coverage, "report", *floor]) or exit_code


def command_docs(_: argparse.Namespace) -> int:
    """Make the documentation as pages, and look for dead links."""
    set_up([])
    print(f"First page: {make_documentation().relative_to(ROOT)}")
    return 0


def command_screenshots(_: argparse.Namespace) -> int:
    """Take the pictures of the manual, and others of the window."""
    set_up([*QT_LIBRARIES, *WINDOW_LIBRARIES, *FONTS])
    return call([venv_program(VENV, "python"), "packaging/tools/make_screenshots.py"])


def command_licences(_: argparse.Namespace) -> int:
    """Review licences and known vulnerabilities."""
    set_up([])
    return call([venv_program(VENV, "python"), "packaging/tools/licences/commands.py", "review"])


def command_translations(options: argparse.Namespace) -> int:
    """Update the catalogues, and begin that of a new language."""
    set_up([])
    renew_catalogues(options.new)
    return 0


def command_constraints(_: argparse.Namespace) -> int:
    """Update the exact versions of packages; all checks follow by hand."""
    set_up([])
    renew_constraints()
    print("Now run packaging/dev.py setup, and packaging/dev.py test.")
    return 0


def command_man(_: argparse.Namespace) -> int:
    """Update the manual page."""
    set_up([])
    return call([venv_program(VENV, "python"), "packaging/tools/man_page.py"])


def command_bundle(options: argparse.Namespace) -> int:
    """Make the programs for computers without Python."""
    ensure_system_packages([*QT_LIBRARIES, *WINDOW_LIBRARIES, *FONTS])
    print(f"Made: {make_bundle(options.older_systems).relative_to(ROOT)}")
    return 0


def command_packages(options: argparse.Namespace) -> int:
    """Make the packages for this system, wheel and source archive, and the checksums of all of them."""
    on_linux = sys.platform == "linux"
    if options.bundle and not on_linux:
        raise SetupError("--bundle is for Linux; leave it out on this system.")
    ensure_system_packages([*QT_LIBRARIES, *WINDOW_LIBRARIES])
    bundle = options.bundle or make_bundle(options.older_systems)
    if not options.older_systems:
        set_up([])
    if on_linux:
        _make_linux_packages(bundle, options.older_systems)
    else:
        _tell_made((make_setup if sys.platform == "win32" else make_disk_image)(project_version()))
    if not options.older_systems:
        make_wheel()
        _tell_made(write_checksums(ROOT / "dist", project_version()))
    return 0


def make_wheel() -> None:
    """Write the wheel and the source archive into dist/."""
    if call([venv_program(VENV, "python"), "-m", "hatchling", "build", "-d", "dist"]) != 0:
        raise SetupError("hatchling made no wheel; see its message above.")


def write_checksums(folder: Path, version: str) -> Path:
    """Write the SHA-256 of each package of a version, as sha256sum does, and return the path."""
    packages = sorted(path for path in folder.glob(f"simcompare[-_]{version}*") if path.is_file())
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in packages]
    sums = folder / "SHA256SUMS"
    sums.write_text("".join(lines), encoding="utf-8")
    return sums


def _make_linux_packages(bundle: Path, for_older_systems: bool) -> None:
    _tell_made(make_tarball(bundle, ROOT / "dist", for_older_systems))
    if shutil.which("dpkg-deb"):
        _tell_made(make_deb(bundle, ROOT / "dist", for_older_systems))
    else:
        print("No .deb was made, as this system has no dpkg-deb.")


def _tell_made(package: Path) -> None:
    print(f"Made: {package.relative_to(ROOT)} ({package.stat().st_size / 1e6:.0f} MB)")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("run", help="compare two samples").set_defaults(command=command_run)
    commands.add_parser("setup", help="make .venv").set_defaults(command=command_setup)
    commands.add_parser("docs", help="make the documentation as pages").set_defaults(command=command_docs)
    pictures = commands.add_parser(
        "screenshots", help="take the pictures of the manual, and others of the window"
    )
    pictures.set_defaults(command=command_screenshots)
    licences = commands.add_parser("licences", help="review licences and known vulnerabilities")
    licences.set_defaults(command=command_licences)
    renew = commands.add_parser("translations", help="update the catalogues of the interface languages")
    renew.add_argument("--new", metavar="LANGUAGE", help="begin the catalogue of a language, such as fr")
    renew.set_defaults(command=command_translations)
    pinned = commands.add_parser("constraints", help="update the exact versions of packages")
    pinned.set_defaults(command=command_constraints)
    man = commands.add_parser("man", help="update the manual page from the commands")
    man.set_defaults(command=command_man)
    older = "with packages for glibc 2.28, on a system that old (packaging/README.md)"
    bundle = commands.add_parser("bundle", help="make the programs for computers without Python")
    bundle.add_argument("--older-systems", action="store_true", help=older)
    bundle.set_defaults(command=command_bundle)
    packages = commands.add_parser("packages", help="make the packages for this system")
    choice = packages.add_mutually_exclusive_group()
    choice.add_argument("--bundle", type=Path, help="an existing bundle, instead of making it (Linux)")
    choice.add_argument("--older-systems", action="store_true", help=older)
    packages.set_defaults(command=command_packages)
    test = commands.add_parser("test", help="run all checks")
    test.add_argument(
        "--only", action="append", default=[], metavar="STAGE", help="run this stage (repeatable)"
    )
    test.add_argument("--list", action="store_true", help="list the stages")
    test.set_defaults(command=command_test)
    coverage = commands.add_parser("coverage", help="measure the branch coverage")
    coverage.add_argument("tests", nargs="*", help="files or folders of tests (all)")
    coverage.set_defaults(command=command_coverage)
    return parser


def main() -> int:
    """Run the command of the command line."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # line buffering keeps our lines and those of child processes in order
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    options = _parser().parse_args()
    try:
        return int(options.command(options))
    except SetupError as error:
        print(f"dev.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
