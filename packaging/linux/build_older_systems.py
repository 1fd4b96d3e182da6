"""Make the packages for older systems in a bare Debian 11, and put them into dist.

    sudo python3 packaging/linux/build_older_systems.py [--base FOLDER]

Makes the bare system (debootstrap) below a temporary folder, copies the committed files of the repository
into it and runs older_systems.sh there. Needs root, debootstrap, some GB and the mirrors of apt and pip that
this system uses. With --base the bare system is kept, with Python in it, for the next time.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to run it as a program

from bundle.older_systems import SUFFIX
from linux.prove_packages import bare_environment, make_base, run_script
from tools.base import ROOT, SetupError, call

_SOURCE = "simcompare-source"


def build(base: Path) -> list[Path]:
    """Make the packages in a bare system, and return their paths in dist."""
    source = base / _SOURCE
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    archive = base / "source.tar"
    if call(["git", "archive", "--output", archive, "HEAD"]) != 0:
        raise SetupError("git could not copy the repository; see its message above.")
    shutil.unpack_archive(archive, source)
    archive.unlink()
    environment = bare_environment(source, f"/{_SOURCE}")
    if not run_script(base, f"/{_SOURCE}/packaging/linux/older_systems.sh", environment):
        raise SetupError("the packages could not be made; see the message above.")
    (ROOT / "dist").mkdir(exist_ok=True)
    made = sorted((source / "dist").glob(f"*-{SUFFIX}.*"))
    return [Path(shutil.copy(path, ROOT / "dist")) for path in made]


def main() -> int:
    """Make the packages."""
    parser = argparse.ArgumentParser(description="Make the packages for older systems.")
    parser.add_argument("--base", type=Path, help="folder of the bare system, kept for the next time")
    options = parser.parse_args()
    try:
        if os.geteuid() != 0 or not shutil.which("debootstrap"):
            raise SetupError("needs root and debootstrap.")
        with tempfile.TemporaryDirectory(prefix="simcompare-older-") as temporary:
            base = options.base or Path(temporary, "base")
            make_base(base, "bullseye")
            for path in build(base):
                print(f"Made: {path.relative_to(ROOT)} ({path.stat().st_size / 1e6:.0f} MB)")
    except SetupError as error:
        print(f"build_older_systems.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
