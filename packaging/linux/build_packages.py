"""Make the packages for Linux from the bundle: a .deb for all users, and a tarball for one user.

Both contain the bundle and the files of share/ (menu entry, file type, icons). The .deb needs no scripts:
packages of the desktop renew their caches by triggers on these folders.
"""

import gzip
import os
import re
import shutil
import tarfile
import tempfile
import time
from collections.abc import Mapping
from email.utils import formatdate
from pathlib import Path

from bundle.build_bundle import ENVIRONMENT
from bundle.elf_files import check_run_paths, elf_files, headers, needed_glibc
from bundle.older_systems import SUFFIX, check_glibc
from tools.base import ROOT, VENV, Command, SetupError, call, project_version, quiet, venv_program

DATA = Path(__file__).parent / "data"
NAME = next(DATA.glob("*.desktop")).stem
"""Identifier of the program on a desktop."""
PROGRAMS = ("simcompare", "simcompare-gui")
_PLACE = Path("usr", "lib", "simcompare")
_XZ_PRESET = 4
"""Takes a quarter less time than xz's usual 6, for packages that are 5% larger."""
_MAINTAINER = "The simcompare authors <authors@simcompare.invalid>"
"""Who publishes the package enters an address here; Debian's format demands one."""
_CONTROL = """\
Package: simcompare
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size_kib}
Depends: {depends}
Recommends: fonts-noto-cjk
Suggests: libreoffice-writer
Section: education
Priority: optional
Description: compare essays sentence by sentence, and see why they are similar
 A teacher adds a folder of essays, sees in a table which pairs are similar, and
 reads two essays side by side with their similar passages highlighted and
 joined, and the reason for each passage in words and numbers. It reads Word,
 WPS, PDF, HTML, OpenDocument, Rich Text, e-books and plain text, in Chinese and
 English, and works offline.
"""
_COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: simcompare
Comment:
 The package contains Python, Qt and other libraries. Their licences are in
 /{place}/licences/index.html.

Files: *
Copyright: 2026 The simcompare authors
License: Expat
{licence}
"""


def make_share(share: Path, environment: Path = VENV) -> None:
    """Write the files that make the program known to a desktop; environment: with PySide6, to draw icons."""
    for suffix, folder in ((".desktop", "applications"), (".xml", "mime/packages")):
        _copy(DATA / f"{NAME}{suffix}", share / folder / f"{NAME}{suffix}")
    _write_metainfo(share / "metainfo" / f"{NAME}.metainfo.xml")
    drawing, theme = ROOT / "resources" / "icons" / "simcompare.svg", share / "icons" / "hicolor"
    _copy(drawing, theme / "scalable" / "apps" / f"{NAME}.svg")
    program: Command = [
        venv_program(environment, "python"),
        Path(__file__).parent / "draw_icons.py",
        drawing,
        theme,
        NAME,
    ]
    if call(program, {**os.environ, "QT_QPA_PLATFORM": "offscreen"}) != 0:
        raise SetupError("The icons could not be drawn; see the message above.")


def _write_metainfo(target: Path) -> None:
    """Write what software centres show, with the version that is packaged."""
    text = (DATA / target.name).read_text(encoding="utf-8")
    release = f'<release version="{project_version()}" timestamp="{_build_time():.0f}"/>'
    target.parent.mkdir(parents=True)
    target.write_text(
        text.replace("</component>", f"  <releases>\n    {release}\n  </releases>\n</component>"),
        encoding="utf-8",
    )


def _build_time() -> float:
    """Seconds since 1970, of SOURCE_DATE_EPOCH if a package is to be built with the same bytes again."""
    return float(os.environ.get("SOURCE_DATE_EPOCH", time.time()))


def make_tarball(bundle: Path, folder: Path, for_older_systems: bool = False) -> Path:
    """Write simcompare-VERSION-linux-MACHINE.tar.xz with install.sh, and return its path."""
    suffix, environment = _kind(for_older_systems)
    name = f"simcompare-{project_version()}-linux-{os.uname().machine}{suffix}"
    folder.mkdir(exist_ok=True)
    target = folder / f"{name}.tar.xz"
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary, name)
        copy_bundle(bundle, root / "programs")
        make_share(root / "share", environment)
        for script in ("install.sh", "uninstall.sh"):
            _copy(Path(__file__).parent / script, root / script, is_program=True)
        with tarfile.open(target, "w:xz", preset=_XZ_PRESET) as archive:
            archive.add(root, name, filter=_without_owner)
    return target


def make_deb(bundle: Path, folder: Path, for_older_systems: bool = False) -> Path:
    """Write simcompare_VERSION_ARCHITECTURE.deb, and return its path.

    That for older systems has an earlier version for apt, so that the other one replaces it later.
    """
    architecture = quiet(["dpkg", "--print-architecture"]).stdout.strip()
    folder.mkdir(exist_ok=True)
    suffix, environment = _kind(for_older_systems)
    target = folder / f"simcompare_{project_version()}_{architecture}{suffix}.deb"
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary, "root")
        copy_bundle(bundle, root / _PLACE)
        make_share(root / "usr" / "share", environment)
        _write_documents(root / "usr" / "share")
        for name in PROGRAMS:
            link = root / "usr" / "bin" / name
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(Path("..", "lib", "simcompare", name))
        size_kib = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) // 1024
        control = root / "DEBIAN" / "control"
        control.parent.mkdir()
        glibc = needed_glibc(root / _PLACE)
        if for_older_systems:
            check_glibc(glibc)
        facts = {
            "version": project_version() + suffix.replace("-", "~"),
            "architecture": architecture,
            "maintainer": _MAINTAINER,
            "size_kib": size_kib,
            "depends": needed_packages(root / _PLACE, max(glibc.values())),
        }
        control.write_text(_CONTROL.format(**facts), encoding="utf-8")
        # xz, as the dpkg of Debian 11 cannot read the zstd that Ubuntu's writes by default
        xz = ["-Zxz", f"-z{_XZ_PRESET}"]
        if call(["dpkg-deb", *xz, "--root-owner-group", "--build", root, target]) != 0:
            raise SetupError("dpkg-deb failed; see its message above.")
    return target


def _kind(for_older_systems: bool) -> tuple[str, Path]:
    """End of the names of packages, and the environment that can draw their icons on this system."""
    return (f"-{SUFFIX}", ENVIRONMENT) if for_older_systems else ("", VENV)


def needed_packages(programs: Path, glibc: tuple[int, int]) -> str:
    """List the packages of the libraries that the bundle needs and does not contain, for Depends.

    Not by dpkg-shlibdeps, which adds the packages of all libraries that have the name of a bundled one.
    """
    bundled = {path.name for path in programs.rglob("*.so*")}
    needed = set(re.findall(r"^ +NEEDED +(\S+)$", headers(elf_files(programs)), re.MULTILINE)) - bundled
    listing = quiet(["/sbin/ldconfig", "-p"]).stdout
    places = dict(re.findall(r"^\s+(\S+) \(libc6,.+\) => (\S+)$", listing, re.MULTILINE))
    packages = {_package_of(name, places) for name in needed}
    return ", ".join([f"libc6 (>= {glibc[0]}.{glibc[1]})", *sorted(packages - {"libc6"})])


def _package_of(library: str, places: Mapping[str, str]) -> str:
    """Name of the installed package with a library; packages list /usr/lib also as /lib."""
    path = os.path.realpath(places.get(library, library))
    for candidate in (path, path.removeprefix("/usr")):
        found = quiet(["dpkg-query", "--search", candidate])
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise SetupError(f"{library} is neither in the bundle nor in a package of this system.")


def copy_bundle(bundle: Path, target: Path) -> None:
    """Copy the bundle after a check of its run paths; only its two programs are executable."""
    if not all((bundle / name).is_file() for name in PROGRAMS):
        raise SetupError(f"{bundle} is not the bundle; make it with packaging/dev.py bundle")
    check_run_paths(bundle)
    shutil.copytree(bundle, target, symlinks=True)
    for path in target.rglob("*"):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or (path.parent == target and path.name in PROGRAMS) else 0o644)


def _copy(source: Path, target: Path, is_program: bool = False) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755 if is_program else 0o644)


def _write_documents(share: Path) -> None:
    documents = share / "doc" / "simcompare"
    documents.mkdir(parents=True)
    lines = (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines()
    licence = "\n".join(f" {line or '.'}" for line in lines)
    (documents / "copyright").write_text(_COPYRIGHT.format(place=_PLACE, licence=licence), encoding="utf-8")
    date = formatdate(_build_time())
    changes = f"simcompare ({project_version()}) unstable; urgency=medium\n\n  * Made from its source.\n\n"
    signed = f"{changes} -- {_MAINTAINER}  {date}\n"
    _compress(signed.encode(), documents / "changelog.gz")
    for name in PROGRAMS:
        _compress((DATA / f"{name}.1").read_bytes(), share / "man" / "man1" / f"{name}.1.gz")
    _copy(DATA / "lintian-overrides", share / "lintian" / "overrides" / "simcompare")


def _compress(contents: bytes, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(contents, mtime=0))


def _without_owner(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry
