"""Set up, run and check simcompare from a fresh checkout, with nothing but Python 3.11 or newer.

- `python3 packaging/dev.py run`: compare two samples, in the window or in the terminal
- `python3 packaging/dev.py test`: every check there is; --list names them, --only picks
- `python3 packaging/dev.py setup`: only make the environment, .venv
- `python3 packaging/dev.py translations`: renew the Chinese catalogue from the texts in the code
"""

import argparse
import hashlib
import importlib.metadata
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # tomllib came with Python 3.11
    sys.exit("simcompare needs Python 3.11 or newer; start this script with a newer python3.")

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
NO_QT_VENV = VENV / "noqt"
STAMP = VENV / "setup-stamp.txt"
PYPROJECT = ROOT / "pyproject.toml"
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
WINDOWS = sys.platform == "win32"

SAMPLES = ("resources/samples/家乡的石桥.docx", "resources/samples/心中的桥.html")
SAMPLE_REPORT = "out/sample-comparison.html"

STAGE_LIMIT_S = 600  # a hung window must not hold the checks for ever

Command = Sequence[str | Path]


class SetupError(Exception):
    """Something the reader has to mend; its text says what."""


# --- system packages (Debian and Ubuntu) --------------------------------------------------------------

QT_LIBRARIES = ("libglib2.0-0", "libgl1", "libegl1", "libxkbcommon0", "libfontconfig1", "libdbus-1-3")
WINDOW_LIBRARIES = (
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-randr0",
    "libxcb-render-util0",
    "libxcb-shape0",
    "libxcb-xinerama0",
    "libxkbcommon-x11-0",
)
FONTS = ("fonts-noto-cjk",)
TEST_TOOLS = ("xvfb", "xauth", "xdotool")  # xauth: xvfb-run, for one test by hand, needs it


def installed_packages(dpkg_listing: str) -> set[str]:
    """Return the installed ones of dpkg-query's listing, whose lines are a name and a status."""
    rows = (line.split() for line in dpkg_listing.splitlines())
    return {row[0] for row in rows if len(row) == 2 and row[1] == "installed"}


def missing_packages(wanted: Iterable[str], installed: set[str]) -> list[str]:
    """Return what is wanted and not there. Newer releases give some libraries the ending t64."""
    return [name for name in wanted if not {name, f"{name}t64"} & installed]


def name_in_release(package: str, is_known: Callable[[str], bool]) -> str:
    """Return `package`, or its name with t64 where this release knows it by that one."""
    return f"{package}t64" if is_known(f"{package}t64") else package


def _apt_knows(package: str) -> bool:
    return _quiet(["apt-cache", "show", package]).returncode == 0


def _quiet(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def _root_prefix() -> list[str] | None:
    """Return what a command starts with to run as root, None where that would need a password."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and _quiet(["sudo", "-n", "true"]).returncode == 0:
        return ["sudo", "-n"]
    return None


def ensure_system_packages(wanted: Iterable[str]) -> None:
    """Install what is missing of `wanted` where apt-get is the way; otherwise say what to install.

    A lack is no error here: the libraries may be there by another way than the package's name tells.
    """
    if not (shutil.which("apt-get") and shutil.which("dpkg-query")):
        return
    listing = _quiet(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n"]).stdout
    missing = missing_packages(wanted, installed_packages(listing))
    if missing and not _apt_install(missing):
        names = " ".join(missing)
        print(f"Missing system packages, which need root: sudo apt-get install {names}")


def _apt_install(packages: Sequence[str]) -> bool:
    prefix = _root_prefix()
    if prefix is None:
        return False
    print(f"Installing system packages: {' '.join(packages)}")
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    _quiet([*apt, "update"])
    named = [name_in_release(package, _apt_knows) for package in packages]
    done = _quiet([*apt, "install", "-y", "--no-install-recommends", *named])
    print(done.stderr if done.returncode else "", end="")
    return done.returncode == 0


# --- the environment ----------------------------------------------------------------------------------


def _call(command: Command, env: Mapping[str, str] | None = None) -> int:
    """Run `command` in the project's root, its output shown as it comes, and return its exit code."""
    return subprocess.run(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, check=False).returncode


def venv_program(venv: Path, name: str, windows: bool = WINDOWS) -> Path:
    """Return the path of an environment's program: in Scripts with .exe on Windows, in bin elsewhere."""
    return venv / "Scripts" / f"{name}.exe" if windows else venv / "bin" / name


def site_packages(venv: Path) -> Path:
    """Return the folder of an environment's installed packages."""
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(venv), "platbase": str(venv)}))


def setup_stamp(inputs: Sequence[bytes], python_version: str, root: Path) -> str:
    """Return a hash of all that decides what an environment holds.

    The root is among it, because an editable install holds the path of the checkout it points at.
    """
    parts = [*inputs, python_version.encode(), str(root).encode()]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def _wanted_stamp() -> str:
    inputs = [PYPROJECT.read_bytes(), CONSTRAINTS.read_bytes()]
    return setup_stamp(inputs, sys.version, ROOT)


def is_current(stamp_file: Path, wanted: str) -> bool:
    """Tell whether the environment was set up to the end from the same inputs."""
    return stamp_file.is_file() and stamp_file.read_text(encoding="utf-8").strip() == wanted


def _works(venv: Path) -> bool:
    """Tell whether the environment starts, has pip, and is of the running Python's version."""
    program = venv_program(venv, "python")
    check = f"import sys, pip; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    return program.exists() and _quiet([str(program), "-c", check]).returncode == 0


def _make_venv() -> None:
    print(f"Making the environment {VENV.name}")
    command = [sys.executable, "-m", "venv", "--clear", str(VENV)]
    first = _quiet(command)
    if first.returncode == 0:
        return
    # Debian keeps ensurepip, without which a venv gets no pip, in a package of its own.
    ensure_system_packages([f"python{sys.version_info.major}.{sys.version_info.minor}-venv"])
    if _call(command) != 0:
        raise SetupError(f"Python could not make the environment {VENV.name}: {first.stderr.strip()}")


def requirements(pyproject: Mapping[str, dict[str, object]]) -> list[str]:
    """Return what the project, its checks and its own build need, as pip takes it."""
    project, build = pyproject["project"], pyproject["build-system"]
    extras = project["optional-dependencies"]
    groups = (project["dependencies"], extras["dev"] if isinstance(extras, dict) else [], build["requires"])
    return [str(item) for group in groups if isinstance(group, list) for item in group]


def _install() -> None:
    """Install the pinned packages, then the project beside them.

    The pip that comes with Python 3.11 crashes on lxml's twofold extra, so a newer one comes first. The
    project comes by itself, so that its build uses the pinned hatchling and its helper editables instead
    of fetching whatever is newest into an environment of its own.
    """
    print("Installing the packages (about 150 MB to fetch the first time; some minutes on a slow line)")
    wanted = requirements(tomllib.loads(PYPROJECT.read_text(encoding="utf-8")))
    _pip_install("--constraint", str(CONSTRAINTS), "pip")
    _pip_install("--constraint", str(CONSTRAINTS), "editables", *wanted)
    _pip_install("--no-build-isolation", "--no-deps", "--editable", str(ROOT))


def _pip_install(*arguments: str) -> None:
    pip: Command = [venv_program(VENV, "python"), "-m", "pip", "install", "--quiet"]
    if _call([*pip, "--disable-pip-version-check", *arguments]) != 0:
        raise SetupError("pip failed; its message stands above.")


def set_up(packages: Iterable[str]) -> None:
    """Bring the system packages and .venv up to date; done within a second when they are."""
    ensure_system_packages(packages)
    wanted = _wanted_stamp()
    works = _works(VENV)
    if works and is_current(STAMP, wanted):
        return
    STAMP.unlink(missing_ok=True)
    if not works:
        _make_venv()
    _install()
    STAMP.write_text(wanted + "\n", encoding="utf-8")


# --- an environment without Qt ------------------------------------------------------------------------

_QT_DISTRIBUTION = re.compile(r"pyside6|shiboken6|pytest[-_]qt", re.IGNORECASE)


def is_qt(distribution: str) -> bool:
    """Tell whether a distribution is Qt or stands on it."""
    return _QT_DISTRIBUTION.match(distribution) is not None


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        target.hardlink_to(source)
    except OSError:  # a file system without hard links
        shutil.copy2(source, target)


def link_all_but_qt(source: Path, target: Path) -> None:
    """Give the site-packages `target` every distribution of `source` but Qt's, as hard links."""
    for distribution in importlib.metadata.distributions(path=[str(source)]):
        if is_qt(distribution.name):
            continue
        for file in distribution.files or ():
            # What leads out of site-packages are programs, which the tests do not start.
            if ".." not in file.parts and (source / file).is_file() and not (target / file).exists():
                _link(source / file, target / file)


@contextmanager
def without_qt() -> Iterator[dict[str, str]]:
    """Make an environment that has everything but Qt.

    Linking takes a second, where a second pip install would take a minute; and PySide6 is really absent,
    which a blocked import would only pretend.
    """
    if _call([sys.executable, "-m", "venv", "--clear", "--without-pip", NO_QT_VENV]) != 0:
        raise SetupError("Python could not make the environment without Qt.")
    link_all_but_qt(site_packages(VENV), site_packages(NO_QT_VENV))
    check = "import importlib.util as u, sys; sys.exit(any(map(u.find_spec, ['PySide6', 'shiboken6'])))"
    if _call([venv_program(NO_QT_VENV, "python"), "-c", check]) != 0:
        raise SetupError("The environment without Qt has Qt.")
    yield {}


# --- screens ------------------------------------------------------------------------------------------


def has_screen(platform: str, environ: Mapping[str, str]) -> bool:
    """Tell whether a window can be shown: always on Windows and macOS, elsewhere on X11 or Wayland."""
    if platform in {"win32", "darwin"}:
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


@contextmanager
def virtual_screen() -> Iterator[dict[str, str]]:
    """Run Xvfb on a free display and yield the variables that bring a window onto it."""
    if not shutil.which("Xvfb"):
        raise SetupError("Xvfb is missing: sudo apt-get install xvfb xdotool")
    reader, writer = os.pipe()
    screen = ["-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), *screen],
        pass_fds=[writer],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as display:
            number = display.readline().strip()
        if not number:
            raise SetupError("Xvfb did not start.")
        yield {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
    finally:
        server.terminate()
        server.wait()


@contextmanager
def no_screen() -> Iterator[dict[str, str]]:
    """Yield the variables under which Qt draws into memory."""
    yield {"QT_QPA_PLATFORM": "offscreen"}


# --- the checks ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stage:
    """One check: a command, and what it runs in."""

    name: str
    about: str
    command: Command
    surroundings: Callable[[], AbstractContextManager[dict[str, str]]] = no_screen
    is_pytest: bool = False
    linux_only: bool = False


@dataclass(frozen=True)
class Outcome:
    """What became of a stage. `result` is passed, failed or left out; `note` says why, or how many."""

    stage: str
    result: str
    seconds: float
    note: str


def lax_options(addopts: Sequence[str]) -> list[str]:
    """Return pytest options that replace the project's own where pytest-qt, whose settings it has, is not."""
    kept = [option for option in addopts if option != "--strict-config"]
    return ["-o", "addopts=", *kept, "-W", "ignore:Unknown config option:pytest.PytestConfigWarning"]


def _addopts() -> list[str]:
    settings = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    return list(settings["tool"]["pytest"]["ini_options"]["addopts"])


def qt_tests(tests: Path) -> list[Path]:
    """Return tests/gui and the test files elsewhere that speak of Qt; the rest has run without it."""
    needs_qt = re.compile(r"PySide6|\bqtbot\b|\bqapp\b")
    others = (
        path
        for path in sorted(tests.rglob("test_*.py"))
        if path.relative_to(tests).parts[0] not in {"gui", "end2end", "packaging"}
        and needs_qt.search(path.read_text(encoding="utf-8"))
    )
    return [tests / "gui", *others]


def stages() -> list[Stage]:
    """Return every check, the quick ones first."""
    python = venv_program(VENV, "python")
    pytest: Command = [python, "-m", "pytest", "-m", "not window"]
    lean: list[str | Path] = [
        venv_program(NO_QT_VENV, "python"),
        "-m",
        "pytest",
        *lax_options(_addopts()),
        "-m",
        "not window",
    ]
    # A file that cannot be read without Qt fails the stage, and must not keep the others from running.
    lean += ["--continue-on-collection-errors", "tests", "--ignore=tests/gui", "--ignore=tests/end2end"]
    in_window: Command = [python, "-m", "pytest", "-m", "window", "tests/gui", "tests/end2end"]
    gui = [path.relative_to(ROOT) for path in qt_tests(ROOT / "tests")]
    return [
        Stage("ruff", "ruff check", [python, "-m", "ruff", "check", "."]),
        Stage("format", "ruff format --check", [python, "-m", "ruff", "format", "--check", "."]),
        Stage("mypy", "mypy --strict", [python, "-m", "mypy"]),
        Stage("imports", "the walls between the folders", [venv_program(VENV, "lint-imports")]),
        Stage("no-qt", "tests with Qt uninstalled", lean, without_qt, is_pytest=True),
        Stage("qt", "tests of the window, drawn into memory", [*pytest, *gui], is_pytest=True),
        Stage("end2end", "tests of the whole program", [*pytest, "tests/end2end"], is_pytest=True),
        Stage("window", "tests in a real window", in_window, virtual_screen, is_pytest=True, linux_only=True),
    ]


def judge(stage: Stage, exit_code: int, last_line: str) -> tuple[str, str]:
    """Return the result and the note of a finished stage.

    A stage in which no test passed has failed, whatever pytest's exit code: it proved nothing.
    """
    note = last_line.strip("= ") if stage.is_pytest else ""
    if exit_code < 0:
        return "failed", f"ended by signal {-exit_code}"
    if stage.is_pytest and exit_code in {0, 5} and " passed" not in last_line:
        return "failed", f"no test ran, which proves nothing ({note})"
    if exit_code != 0:
        return "failed", note or f"exit code {exit_code}"
    return "passed", note


def _end(process: subprocess.Popen[str]) -> None:
    """Kill a stage with the processes it started; on Windows, where there are no groups, it alone."""
    if WINDOWS:
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)


def run_streamed(command: Command, env: Mapping[str, str], limit_s: float = STAGE_LIMIT_S) -> tuple[int, str]:
    """Run `command`, show its output as it comes, and return its exit code and last written line.

    After `limit_s` seconds it is killed with all that it started.
    """
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=not WINDOWS,
    ) as process:
        watchdog = threading.Timer(limit_s, _end, [process])
        watchdog.start()
        try:
            last_line = _show(process.stdout or ())
            return process.wait(), last_line
        finally:
            watchdog.cancel()
            if process.poll() is None:
                _end(process)


def _show(lines: Iterable[str]) -> str:
    last_line = ""
    for line in lines:
        print(line, end="")
        last_line = line.strip() or last_line
    return last_line


def run_stage(stage: Stage) -> Outcome:
    """Run one check and tell what became of it."""
    print(f"\n=== {stage.name}: {stage.about} ===")
    if stage.linux_only and not sys.platform.startswith("linux"):
        return Outcome(stage.name, "left out", 0.0, "needs an X display")
    start_s = time.monotonic()
    try:
        with stage.surroundings() as variables:
            env = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1", **variables}
            result, note = judge(stage, *run_streamed(stage.command, env))
    except (SetupError, OSError) as error:
        result, note = "failed", str(error)
    outcome = Outcome(stage.name, result, time.monotonic() - start_s, note)
    print(f"--- {outcome.stage}: {outcome.result} in {outcome.seconds:.1f} s")
    return outcome


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return the closing table, one stage a line."""
    rows = (f"{o.stage:<10}{o.result:<10}{o.seconds:>7.1f} s  {o.note}".rstrip() for o in outcomes)
    total_s = sum(o.seconds for o in outcomes)
    failed = [o.stage for o in outcomes if o.result == "failed"]
    verdict = f"failed: {', '.join(failed)}" if failed else "all passed"
    return "\n".join(["=== summary ===", *rows, f"{len(outcomes)} stages in {total_s:.1f} s, {verdict}"])


# --- commands -----------------------------------------------------------------------------------------


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
        return _call([python, "-m", "simcompare.ui.app", *SAMPLES])
    print("There is no screen here, so the command line compares the samples in the window's place.")
    return _compare_without_window([python, "-m", "simcompare", "compare", *SAMPLES])


def _compare_without_window(compare: Command) -> int:
    (ROOT / SAMPLE_REPORT).parent.mkdir(exist_ok=True)
    exit_code = _call([*compare, "--to", "html", "--output", SAMPLE_REPORT])
    exit_code = exit_code or _call([*compare, "--to", "text"])
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
    set_up([*QT_LIBRARIES, *WINDOW_LIBRARIES, *FONTS, *TEST_TOOLS])
    outcomes = [run_stage(stage) for stage in chosen]
    print("\n" + summary(outcomes))
    return int(any(outcome.result == "failed" for outcome in outcomes))


def catalogue_commands(template: Path, catalogue: Path) -> list[Command]:
    """Return Babel's steps from the code to a catalogue that holds its texts.

    No places, no dates and no guesses, so that a catalogue changes only where a text did.
    """
    keywords = ["--no-default-keywords", "-k", "_", "-k", "N_", "-k", "ngettext:1,2"]
    extract = ["extract", *keywords, "--no-location", "--omit-header", "--sort-output", "--no-wrap"]
    update = ["update", "--no-fuzzy-matching", "--ignore-obsolete", "--ignore-pot-creation-date", "--no-wrap"]
    renew = update if catalogue.exists() else ["init", "--no-wrap"]
    return [
        [*extract, "-o", template, "simcompare"],
        [*renew, "-i", template, "-o", catalogue, "-l", "zh"],
    ]


def without_second_plurals(catalogue: str) -> str:
    """Drop the second plural that Babel gives a new text: Chinese has one form, and compiling says so."""
    return catalogue.replace('msgstr[1] ""\n', "")


def _babel(step: Command) -> None:
    pybabel: Command = [venv_program(VENV, "pybabel"), *step]
    if _call(pybabel) != 0:
        raise SetupError("Babel failed; its message stands above.")


def command_translations(_: argparse.Namespace) -> int:
    """Bring the Chinese catalogue up to the texts in the code, and compile it."""
    set_up([])
    catalogue = ROOT / "resources" / "i18n" / "zh" / "LC_MESSAGES" / "simcompare.po"
    catalogue.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for step in catalogue_commands(Path(folder) / "simcompare.pot", catalogue):
            _babel(step)
    text = catalogue.read_text(encoding="utf-8")
    catalogue.write_text(without_second_plurals(text), encoding="utf-8", newline="\n")
    _babel(["compile", "--statistics", "-i", catalogue, "-o", catalogue.with_suffix(".mo"), "-l", "zh"])
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("run", help="compare two samples").set_defaults(command=command_run)
    commands.add_parser("setup", help="make .venv").set_defaults(command=command_setup)
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
