"""Review the licences and known vulnerabilities of what simcompare needs, and collect the licence texts.

    python3 packaging/dev.py licences
    .venv/bin/python packaging/tools/licences/commands.py collect FOLDER [--extra NAME] [--copied FILE]

Looks at the distributions of the environment that runs it: those named in pyproject.toml and their
dependencies. `collect` writes FOLDER/index.html and the texts of each distribution, of Python, of simcompare
and of the libraries of the system in a bundle for Linux (PyInstaller's list of copied files). Both end with
status 1 if a licence is unknown or not accepted, or a text is missing (packaging/licences/licences.toml),
`review` also for a known vulnerability. These are looked up by pip-audit, in an environment of its own.
"""

import argparse
import html
import json
import platform
import re
import shutil
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import quote

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # to run it as a program

from tools.base import ROOT, VENV, SetupError, project_version, quiet, venv_program
from tools.licences.components import STANDARD, Component, components_of
from tools.licences.licence_expressions import is_accepted
from tools.licences.system_libraries import LibraryError, common_texts, copied_libraries, packages_of

TEXTS = ROOT / "packaging" / "licences"
PYTHON_LIBRARIES = "python-libraries.txt"
AUDIT_VENV = VENV / "audit"
PIP_AUDIT = "pip-audit==2.10.1"
_TEXT_NAME = re.compile(r"(licen[cs]e|copying|copyright|notice|authors)", re.IGNORECASE)
_NO_TEXT = {".py", ".pyc", ".pyi", ".so", ".pyd"}


class AuditError(Exception):
    """Vulnerabilities that could not be looked up; the message says why."""


class LicenceError(Exception):
    """A distribution that cannot be reviewed; the message names it."""


@dataclass(frozen=True)
class KnownLicences:
    """What licences.toml says."""

    accepted: frozenset[str]
    names: dict[str, str]
    licences: dict[str, str]
    texts: dict[str, list[str]]


@dataclass(frozen=True)
class Part:
    """What is distributed: `texts` are (name in its folder, file), `source` is a page with the source.

    `licence` is an SPDX expression, or a sentence on a package of the system.
    """

    name: str
    version: str
    licence: str
    texts: tuple[tuple[str, Path], ...]
    components: tuple[Component, ...] = ()
    source: str = ""


def read_known(file: Path = TEXTS / "licences.toml") -> KnownLicences:
    """Read the accepted licences."""
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return KnownLicences(frozenset(data["accepted"]), data["names"], data["licences"], data["texts"])


def runtime_requirements(pyproject: Path, extras: Iterable[str]) -> list[Requirement]:
    """List the requirements of the program itself and of the extras."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    unknown = sorted(set(extras) - set(optional))
    if unknown:
        raise LicenceError(f"pyproject.toml has no extra {', '.join(unknown)}.")
    lists = [project["dependencies"], *(optional[extra] for extra in extras)]
    return [Requirement(text) for texts in lists for text in texts]


def runtime_distributions(requirements: Iterable[Requirement]) -> list[Distribution]:
    """List the distributions of the requirements and of their dependencies, by name."""
    waiting = [(requirement, "") for requirement in requirements]
    seen: set[tuple[str, str]] = set()
    found: dict[str, Distribution] = {}
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        try:
            found[name] = distribution(requirement.name)
        except PackageNotFoundError:
            raise LicenceError(f"{requirement.name} is not installed in this environment.") from None
        wanted = [Requirement(text) for text in found[name].requires or []]
        for part in {"", *requirement.extras} - {part for known, part in seen if known == name}:
            seen.add((name, part))
            waiting += [(dependency, part) for dependency in wanted]
    return [found[name] for name in sorted(found)]


def licence_of(dist: Distribution, known: KnownLicences) -> str | None:
    """SPDX expression of a distribution, or None if its metadata names no licence exactly.

    The metadata is tried from exact to vague: License-Expression, License, classifiers.
    """
    name = canonicalize_name(dist.metadata["Name"])
    if name in known.licences:
        return known.licences[name]
    classifiers = dist.metadata.get_all("Classifier") or []
    stated: list[str] = [
        *(dist.metadata.get_all("License-Expression") or []),
        *(dist.metadata.get_all("License") or []),
    ]
    stated += [item.rsplit(" :: ", 1)[-1] for item in classifiers if item.startswith("License ::")]
    for text in stated:
        expression = known.names.get(text, text)
        if any(item in known.accepted for item in _licences_in(expression)):
            return expression
    return None


def _licences_in(expression: str) -> list[str]:
    return re.split(r" (?:AND|OR) ", expression)


def standard_texts() -> AbstractSet[str]:
    """Names of the licences with a standard text."""
    return {file.stem for file in (TEXTS / STANDARD).glob("*.txt")}


def texts_of(dist: Distribution, known: KnownLicences, texts: Path = TEXTS) -> list[tuple[str, Path]]:
    """Licence texts in a distribution, and those that packaging/licences has for it."""
    found: dict[str, Path] = {}
    for file in dist.files or ():
        path = Path(str(dist.locate_file(file)))
        inside = [part for part in file.parts if part != ".."]
        is_listed = "licenses" in inside[:-1] or "sboms" in inside[:-1]
        if (is_listed or _TEXT_NAME.match(file.name)) and file.suffix not in _NO_TEXT and path.is_file():
            found["/".join(inside)] = path
    for name in known.texts.get(canonicalize_name(dist.metadata["Name"]), []):
        found[name] = texts / name
    return sorted(found.items())


def python_part(candidates: Sequence[Path] | None = None) -> Part:
    """Return Python itself. Its text is in its library, on Windows beside the program, on Debian in doc."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    places = candidates or (
        Path(sysconfig.get_path("stdlib"), "LICENSE.txt"),
        Path(sys.base_prefix, "LICENSE.txt"),
        Path(sys.base_prefix, "LICENSE"),
        Path(f"/usr/share/doc/libpython{version}-stdlib/copyright"),
        Path(f"/usr/share/doc/python{version}/copyright"),
    )
    for file in places:
        if file.is_file():
            texts = (("LICENSE.txt", file), (PYTHON_LIBRARIES, TEXTS / PYTHON_LIBRARIES))
            return Part("Python", platform.python_version(), "PSF-2.0", texts)
    raise LicenceError("The licence of Python was not found beside it; install the complete Python.")


def parts(requirements: Iterable[Requirement], known: KnownLicences) -> list[Part]:
    """Review each distribution.

    Raises LicenceError with a sentence for each that has an unknown licence or no text.
    """
    reviewed: list[Part] = []
    problems: list[str] = []
    for dist in runtime_distributions(requirements):
        name, licence = dist.metadata["Name"], licence_of(dist, known)
        texts = texts_of(dist, known)
        if licence is None:
            problems.append(f"The licence of {name} {dist.version} is not named exactly in its metadata.")
        elif not is_accepted(licence, known.accepted):
            problems.append(f"The licence of {name} {dist.version}, {licence}, is not accepted.")
        if all("/sboms/" in text for text, _ in texts):
            problems.append(f"{name} {dist.version} contains no licence text.")
        components = tuple(components_of(texts))
        problems += [
            f"The licence of {component.name} in {name}, {component.licence or 'not named'}, has no text."
            for component in components
            if not component.has_text(standard_texts())
        ]
        reviewed.append(Part(name, dist.version, licence or "?", tuple(texts), components))
    if problems:
        raise LicenceError("\n".join([*problems, "See packaging/licences/licences.toml."]))
    return reviewed


def table(reviewed: Sequence[Part]) -> str:
    """Names, versions and licences in columns."""
    rows = [
        ("distribution", "version", "licence"),
        *((part.name, part.version, part.licence) for part in reviewed),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    return "\n".join(
        f"{name:<{widths[0]}}  {version:<{widths[1]}}  {licence}" for name, version, licence in rows
    )


def collect(reviewed: Sequence[Part], folder: Path) -> None:
    """Write the texts, a folder for each part, and index.html."""
    for part in reviewed:
        for name, file in part.texts:
            target = folder / part.name / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
    shutil.copytree(TEXTS / STANDARD, folder / STANDARD, dirs_exist_ok=True)
    (folder / "index.html").write_text(index_page(reviewed), encoding="utf-8", newline="\n")


def index_page(reviewed: Sequence[Part]) -> str:
    """Page that lists all parts and links their texts."""
    sections = "\n".join(map(_section, reviewed))
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Licences – 许可证</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; }}
h2 {{ font-size: 1.1em; margin: 1.5em 0 0; }}
p, ul {{ margin: 0.2em 0; }}
summary {{ cursor: pointer; }}
</style></head>
<body>
<h1>Licences <span lang="zh">许可证</span></h1>
<p>simcompare is distributed with these programs and libraries, each under its own licence.</p>
<p lang="zh">simcompare 随附下列程序和库，它们各自适用自己的许可证。</p>
{sections}
</body></html>
"""


def _section(part: Part) -> str:
    titles = {name: html.escape(name.rpartition("licenses/")[2]) for name, _ in part.texts}
    links = "\n".join(f'<li><a href="{_link(part, name)}">{title}</a></li>' for name, title in titles.items())
    source = html.escape(part.source)
    return (
        f"<h2>{html.escape(f'{part.name} {part.version}'.strip())}</h2>\n<p>{html.escape(part.licence)}</p>\n"
        f"<ul>\n{links}\n</ul>\n{_components(part.components)}"
        + (f'<p>Source: <a href="{source}">{source}</a></p>' if source else "")
    )


def _components(components: Sequence[Component]) -> str:
    if not components:
        return ""
    standard = standard_texts()
    contained = "\n".join(f"<li>{component.as_html(standard)}</li>" for component in components)
    return (
        f"<details><summary>{len(components)} libraries named in its bill of materials</summary>\n"
        "<p>With their licences, whose standard texts are linked, and authors. The bill of materials has no "
        "copyright lines; they are in the source of each library, which its name links to.</p>\n"
        f"<ul>\n{contained}\n</ul></details>\n"
    )


def _link(part: Part, name: str) -> str:
    return "/".join(quote(piece) for piece in (part.name, *name.split("/")))


def simcompare_part() -> Part:
    """Return the program itself, with the lexicons, icons, templates and samples made for it."""
    return Part("simcompare", project_version(), "MIT", (("LICENSE.txt", ROOT / "LICENSE"),))


def system_parts(contents: Path) -> list[Part]:
    """List the packages of the libraries that PyInstaller copied from the system, and the licences they name.

    Raises LibraryError if the licence of a library cannot be found.
    """
    packages = packages_of(copied_libraries(contents))
    found = [
        Part(
            package.name,
            package.version,
            f"Package of the system that made this program, unchanged, for {', '.join(package.libraries)}. "
            "Its licences are in its text.",
            (("copyright.txt", package.text),),
            source=package.source,
        )
        for package in packages
    ]
    common = tuple((f"{path.name}.txt", path) for path in common_texts(package.text for package in packages))
    return [*found, Part("common-licenses", "", "Licences that the texts of these packages name.", common)]


def vulnerabilities(reviewed: Sequence[Part], environment: Path = AUDIT_VENV) -> list[str]:
    """Known vulnerabilities, one sentence each.

    Raises AuditError if they could not be looked up. Pip-audit then says that it found none: a distribution
    that its service does not answer for counts as skipped.
    """
    program = venv_program(environment, "python")
    if not program.exists() and quiet([sys.executable, "-m", "venv", str(environment)]).returncode != 0:
        raise AuditError("Python could not make an environment for pip-audit.")
    if PIP_AUDIT not in quiet([str(program), "-m", "pip", "freeze", "--all"]).stdout.replace("_", "-"):
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PIP_AUDIT]
        if quiet([str(program), *install]).returncode != 0:
            raise AuditError(f"{PIP_AUDIT} could not be installed.")
    with tempfile.TemporaryDirectory() as folder:
        pins = Path(folder, "pins.txt")
        pins.write_text("".join(f"{part.name}=={part.version}\n" for part in reviewed), encoding="utf-8")
        options = ["--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off"]
        answer = quiet([str(program), "-m", "pip_audit", "-r", str(pins), *options])
    return vulnerabilities_in(answer.stdout, len(reviewed))


def vulnerabilities_in(answer: str, expected: int) -> list[str]:
    """Known vulnerabilities in the answer of pip-audit (JSON), one sentence each."""
    try:
        entries = json.loads(answer)["dependencies"]
    except ValueError:
        raise AuditError("pip-audit could not reach its service.") from None
    looked_up = [entry for entry in entries if "vulns" in entry]
    found = [
        f"{entry['name']} {entry['version']} has a known vulnerability: {flaw['id']}, fixed in "
        f"{', '.join(flaw['fix_versions']) or 'no version yet'}."
        for entry in looked_up
        for flaw in entry["vulns"]
    ]
    if len(looked_up) < expected and not found:
        raise AuditError(f"pip-audit could look up {len(looked_up)} of {expected} distributions.")
    return found


def _review(reviewed: Sequence[Part]) -> int:
    print(f"{table(reviewed)}\nAll {len(reviewed)} licences are accepted.")
    try:
        found = vulnerabilities(reviewed)
    except AuditError as error:
        print(f"Known vulnerabilities were not checked: {error}")
        return 0
    print("\n".join(found) or "No known vulnerabilities.")
    return int(bool(found))


def main() -> int:
    """Run the command of the command line."""
    parser = argparse.ArgumentParser(description="Review or collect licences.")
    parser.add_argument("command", choices=["review", "collect"])
    parser.add_argument("folder", nargs="?", type=Path, help="folder to write (collect)")
    parser.add_argument(
        "--extra", action="append", default=[], help="extra that is distributed, too (repeatable)"
    )
    parser.add_argument(
        "--copied", type=Path, help="PyInstaller's list of copied files, for those of the system (collect)"
    )
    options = parser.parse_args()
    if (options.command == "collect") != (options.folder is not None):
        parser.error("collect, and only collect, needs a folder")
    try:
        requirements = runtime_requirements(ROOT / "pyproject.toml", options.extra)
        reviewed = parts(requirements, read_known())
        if options.command == "collect":
            of_system = system_parts(options.copied) if options.copied else []
            collect([simcompare_part(), python_part(), *reviewed, *of_system], options.folder)
            print(f"Licences of {len(reviewed) + len(of_system)} packages: {options.folder / 'index.html'}")
            return 0
        return _review(reviewed)
    except (LicenceError, LibraryError, SetupError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
