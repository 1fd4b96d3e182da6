#!/bin/sh
# Make the packages for older systems; as root in a bare Debian 11 that has a copy of the repository:
#   sh packaging/linux/older_systems.sh
#
# Its Python is 3.9 and its SQLite knows no RETURNING, so both are built of the sources of Debian 12, without
# the changes of Debian to Python other than repairs. Functions with a newer version than in glibc 2.28 are
# taken in the version before it, so that the result also runs on systems older than Debian 11.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
repository=$(cd "$(dirname "$0")/../.." && pwd)
place=/opt/older-systems
header=$place/include/older_glibc.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run a command, and show the end of what it printed only if it fails
quietly() {
    "$@" > "$work/log" 2>&1 || { tail -n 50 "$work/log"; exit 1; }
}

apt-get update -qq
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' | awk '$2 == "bullseye" { print $1; exit }')
if ! apt-get indextargets --format '$(RELEASE)' | grep -q bullseye-security; then
    echo "deb ${mirror%debian/}debian-security bullseye-security main" > /etc/apt/sources.list.d/security.list
    apt-get update -qq
fi
quietly apt-get install -qq --yes --no-install-recommends build-essential ca-certificates libbz2-dev libffi-dev \
    liblzma-dev libssl-dev libwayland-cursor0 libwayland-egl1 tcl zlib1g-dev

if [ ! -x $place/bin/python3 ]; then
    mkdir -p "$work/lists/partial" $place/include
    echo "deb-src $mirror bookworm main" > "$work/sources.list"
    chmod -R a+rwX "$work" # for the user _apt
    for command in update "source --download-only python3.11 sqlite3"; do
        (cd "$work" && apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
            -o Dir::State::Lists="$work/lists" $command)
    done
    for name in exp exp2 log log2 pow; do
        echo "__asm__(\".symver $name,$name@GLIBC_2.2.5\");"
    done > $header

    echo "Building SQLite"
    cd "$work"
    quietly dpkg-source --no-check --extract sqlite3_*.dsc sqlite
    cd sqlite
    quietly ./configure --prefix=$place --disable-static --disable-tcl --disable-readline CFLAGS="-O2 -include $header"
    quietly make install

    echo "Building Python"
    cd "$work"
    quietly dpkg-source --no-check --skip-patches --extract python3.11_*.dsc python
    cd python
    # the changes that follow this one are repairs
    for change in $(sed '1,/^ntpath-import/d; /^#/d' debian/patches/series); do
        patch --strip=1 --fuzz=0 --silent < "debian/patches/$change"
    done
    # one of them includes internal headers, which need this macro outside libpython
    sed -i '1i #define Py_BUILD_CORE_MODULE 1' Modules/pyexpat.c
    quietly ./configure --prefix=$place --enable-shared --without-ensurepip --disable-test-modules \
        CFLAGS="-include $header" CPPFLAGS="-I$place/include" LDFLAGS="-L$place/lib -Wl,-rpath,$place/lib" \
        ac_cv_func_sem_clockwait=no
    quietly make -j "$(nproc)"
    quietly make install
fi
# its installation succeeds without modules that could not be built
$place/bin/python3 -c "import bz2, ctypes, lzma, pyexpat, sqlite3, ssl, zlib"

cd "$repository"
$place/bin/python3 packaging/dev.py packages --older-systems
