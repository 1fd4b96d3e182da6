"""Prove that the packages work on a system where nothing is installed, and are removed without a trace.

    sudo python3 packaging/linux/prove_packages.py [--only deb] [--release bookworm] [--base FOLDER]
    sudo python3 packaging/linux/prove_packages.py --older-systems --release bullseye --only deb

Makes a bare system (debootstrap, Debian) below a temporary folder and runs the scripts of proofs/ in copies
of it: the .deb and the tarball of dist/ (`dev.py packages`), the wheel in a virtual environment, and the
commands of README.md in a clone of the last commit; of `dev.py test`, only the stages that take minutes. The
packages run the self-test, .deb and tarball also open a session as a double click does. Pictures of the first
window are in out/proofs. Tarball and wheel first run without Qt's libraries. Needs root,
debootstrap, the environment .venv (`dev.py setup`), some GB and the mirrors of apt and pip that this system
uses; takes half an hour. Programs started within end with it.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run it as a program

from bundle.older_systems import SUFFIX
from tools.base import ROOT, SAMPLES, VENV, SetupError, quiet, venv_program

SCRIPTS = Path(__file__).parent / "proofs"
PROOFS = ("deb", "tarball", "wheel", "readme")
PICTURES = ROOT / "out" / "proofs"
_SETTINGS = ("/etc/resolv.conf", "/etc/hosts", "/etc/apt/apt.conf.d", "/etc/pip.conf", "/etc/ssl/certs")
_NAMESPACES = ("unshare", "--mount", "--pid", "--fork", "--kill-child")


def mirror_of(release: str, listing: str) -> str:
    """Mirror that apt uses for a release of Debian, else for any, of lines of `apt-get indextargets`."""
    rows = [row for row in map(str.split, listing.splitlines()) if len(row) == 2]
    places = [place for place, name in rows if name == release] or [
        place for place, name in rows if "-" not in name
    ]
    if not places:
        raise SetupError("apt has no mirror of Debian; run apt-get update.")
    return places[0]


def make_base(root: Path, release: str) -> None:
    """Make a bare system from the mirror of apt, unless it is there; an unfinished one is made again."""
    if root.exists():
        return
    part = root.with_name(f"{root.name}.part")
    _run("rm", "-rf", "--one-file-system", str(part))  # /proc may still be mounted in it
    listing = quiet(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)"]).stdout
    mirror = mirror_of(release, listing)
    _run("debootstrap", "--variant=minbase", release, str(part), mirror)
    prepare(part)
    part.rename(root)


def prepare(root: Path) -> None:
    """Add an ordinary user and this system's way to the mirrors."""
    for name in _SETTINGS:
        source, target = Path(name), root / name.lstrip("/")
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif source.is_file():
            shutil.copyfile(source, target)
    _run("chroot", str(root), "useradd", "--create-home", "--shell", "/bin/sh", "teacher")
    _run("chroot", str(root), "apt-get", "update", "-qq")


def prove(name: str, base: Path, folder: Path, materials: Path) -> bool:
    """Run a proof in a copy of the bare system; return whether it succeeded."""
    root, environment = folder / name, bare_environment(materials, "/proof")
    _run("cp", "--archive", str(base), str(root))
    shutil.copytree(materials, root / "proof")
    for script in SCRIPTS.glob("*.sh"):
        shutil.copy(script, root / "proof")
    begin = time.monotonic()
    passed = run_script(root, f"/proof/{name}.sh", environment)
    PICTURES.mkdir(parents=True, exist_ok=True)
    for picture in (root / "proof" / "pictures").glob("*.png"):
        shutil.copy(picture, PICTURES / f"{name}-{picture.name}")
    print(f"{name}: {'passed' if passed else 'FAILED'} after {time.monotonic() - begin:.0f} s", flush=True)
    shutil.rmtree(root)
    return passed


def run_script(root: Path, script: str, environment: Mapping[str, str]) -> bool:
    """Run a script of a system in it; its mounts and processes end with it."""
    kinds = {"proc": "proc", "dev/shm": "tmpfs", "tmp": "tmpfs"}
    mounts = " && ".join(f"mount -t {kind} {kind} {root}/{place}" for place, kind in kinds.items())
    command = [*_NAMESPACES, "sh", "-c", f"{mounts} && exec chroot {root} sh {script}"]
    return subprocess.run(command, stdin=subprocess.DEVNULL, env=environment, check=False).returncode == 0


def gather(materials: Path, proofs: Sequence[str], for_older_systems: bool) -> None:
    """Copy the packages and what the proofs need of the repository."""
    materials.mkdir()
    for name, pattern, suffix in (
        ("deb", "simcompare_*.deb", ".deb"),
        ("tarball", "simcompare-*.tar.xz", ".tar.xz"),
    ):
        if name in proofs:
            files = (ROOT / "dist").glob(pattern)
            found = [path for path in files if (SUFFIX in path.name) == for_older_systems]
            if len(found) != 1:
                raise SetupError(
                    f"dist has {len(found)} files {pattern}; make one with packaging/dev.py packages"
                )
            shutil.copy(found[0], materials / f"simcompare{suffix}")
    python = venv_program(VENV, "python")
    if not python.exists():
        raise SetupError("the environment .venv is missing; make it with packaging/dev.py setup")
    if "wheel" in proofs:
        _run(str(python), "-m", "hatchling", "build", "-t", "wheel", "-d", str(materials))
    if "readme" in proofs:
        _run("git", "clone", "--bare", "--depth=1", ROOT.as_uri(), str(materials / "source.git"))
    _run(str(python), "-m", "simcompare", "check", *SAMPLES, "--session", str(materials / "class.simcompare"))


def bare_environment(materials: Path, place: str) -> dict[str, str]:
    """Environment of a script: the search path, and the settings of pip with its certificates.

    place: where the script finds the materials.
    """
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    if "PIP_CERT" in kept:  # ca-certificates of the bare system would replace the file at its usual place
        shutil.copy(kept["PIP_CERT"], materials / "certificates.pem")
        kept["PIP_CERT"] = f"{place}/certificates.pem"
    return {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", **kept}


def _run(*command: str) -> None:
    done = subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SetupError(f"{command[0]} failed: {(done.stdout + done.stderr)[-2000:].strip()}")


def main() -> int:
    """Run the proofs of the command line."""
    parser = argparse.ArgumentParser(description="Prove the packages in bare systems.")
    parser.add_argument("--only", action="append", choices=PROOFS, help="run this proof (repeatable)")
    parser.add_argument("--release", default="bookworm", help="release of Debian (bookworm)")
    parser.add_argument("--older-systems", action="store_true", help="prove the packages for older systems")
    parser.add_argument("--base", type=Path, help="folder of the bare system, kept for the next time")
    options = parser.parse_args()
    proofs = options.only or PROOFS
    try:
        if os.geteuid() != 0 or not shutil.which("debootstrap"):
            raise SetupError("needs root and debootstrap.")
        with tempfile.TemporaryDirectory(prefix="simcompare-proof-") as temporary:
            folder = Path(temporary)
            base = options.base or folder / "base"
            gather(folder / "materials", proofs, options.older_systems)
            make_base(base, options.release)
            passed = [prove(name, base, folder, folder / "materials") for name in proofs]
    except SetupError as error:
        print(f"prove_packages.py: {error}", file=sys.stderr)
        return 2
    return int(not all(passed))


if __name__ == "__main__":
    sys.exit(main())
