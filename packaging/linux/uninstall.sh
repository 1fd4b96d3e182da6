#!/bin/sh
# Remove what install.sh installed. Sessions, the library and other data of the user are kept.
# install.sh calls it with --replaced, to remove an old version but not the new one beside it, and with --refresh.
set -eu

programs=$HOME/.local/lib/simcompare
new=$programs.new
links=$HOME/.local/bin
data=${XDG_DATA_HOME:-$HOME/.local/share}
# the variable may have changed since the installation
if [ -f "$programs/data-folder.txt" ]; then
    IFS= read -r data < "$programs/data-folder.txt"
fi

refresh() {
    if command -v update-mime-database > /dev/null && [ -d "$data/mime/packages" ]; then
        update-mime-database "$data/mime"
    fi
    if command -v update-desktop-database > /dev/null && [ -d "$data/applications" ]; then
        update-desktop-database "$data/applications"
    fi
}

if [ "${1:-}" = --refresh ]; then
    refresh
    exit 0
fi

remove_from_desktop() {
    while IFS= read -r file; do
        rm -f "$data/$file"
    done < "$programs/installed-files.txt"
    refresh
    # what these programs wrote for this entry alone
    if rmdir "$data/mime/packages" 2> /dev/null; then
        rm -r "$data/mime"
    fi
    if [ "$(ls -A "$data/applications" 2> /dev/null)" = mimeinfo.cache ]; then
        rm "$data/applications/mimeinfo.cache"
    fi
    sed 's|/[^/]*$||' "$programs/installed-files.txt" | sort -ru | while IFS= read -r folder; do
        (cd "$data" && rmdir -p "$folder" 2> /dev/null) || true
    done
}

if [ ! -e "$programs" ] && [ ! -e "$new" ]; then
    echo "simcompare is not installed in $programs." >&2
    exit 1
fi
# an unfinished removal has no list any more
if [ -f "$programs/installed-files.txt" ]; then
    remove_from_desktop
fi
for name in simcompare simcompare-gui; do
    if [ "$(readlink "$links/$name")" = "$programs/$name" ]; then
        rm "$links/$name"
    fi
done
rm -rf "$programs"
if [ "${1:-}" != --replaced ]; then
    rm -rf "$new"
fi
rmdir "$links" "$HOME/.local/lib" 2> /dev/null || true
echo "Removed from $programs. Your sessions and the library are kept."
