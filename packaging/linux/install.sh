#!/bin/sh
# Install simcompare for the user who runs this, below ~/.local; ./install.sh --help
set -eu

here=$(cd "$(dirname "$0")" && pwd)
data=${XDG_DATA_HOME:-$HOME/.local/share}
case $data in
    /*) ;;
    *) data=$HOME/.local/share ;; # relative values are to be ignored
esac
programs=$HOME/.local/lib/simcompare
new=$programs.new
links=$HOME/.local/bin

if [ $# -gt 0 ]; then
    echo "Usage: ./install.sh"
    echo "Installs simcompare into $programs,"
    echo "its commands into $links, and its menu entry into $data."
    echo "Remove it by $programs/uninstall.sh; your own data are kept."
    [ "$1" = --help ] && exit 0
    exit 2
fi
case $HOME in
    *[\"\`\$\\]*) echo "simcompare cannot be installed: the path $HOME contains a quotation mark, \$ or \\." >&2; exit 1 ;;
esac

for name in simcompare simcompare-gui; do
    if [ -e "$links/$name" ] && [ "$(readlink "$links/$name")" != "$programs/$name" ]; then
        echo "simcompare cannot be installed: $links/$name belongs to another installation; remove that first." >&2
        exit 1
    fi
done
# beside the old version, which works until all is copied; an interrupted copy can be repeated or removed
rm -rf "$new"
mkdir -p "$new"
cp "$here/uninstall.sh" "$new/"
printf '%s\n' "$data" > "$new/data-folder.txt"
# every file of share/ is listed, so that exactly these are removed again
(cd "$here/share" && find . -type f) | sed 's|^\./||' | sort > "$new/installed-files.txt"
cp -R "$here/programs/." "$new/"

if [ -e "$programs" ]; then
    "$new/uninstall.sh" --replaced > /dev/null
fi
mv "$new" "$programs"
mkdir -p "$links"
for name in simcompare simcompare-gui; do
    ln -sf "$programs/$name" "$links/$name"
done
while IFS= read -r file; do
    mkdir -p "$(dirname "$data/$file")"
    cp "$here/share/$file" "$data/$file"
done < "$programs/installed-files.txt"

# ~/.local/bin is not in the search path of every system
escaped=$(printf '%s' "$links" | sed 's/[&|]/\\&/g; s/%/%%/g')
for entry in "$here"/share/applications/*.desktop; do
    sed "s|^Exec=simcompare-gui|Exec=\"$escaped/simcompare-gui\"|" "$entry" > "$data/applications/${entry##*/}"
done

"$programs/uninstall.sh" --refresh
echo "Installed: $links/simcompare-gui, also in the menu. Remove it by $programs/uninstall.sh"
case ":$PATH:" in
    *":$links:"*) ;;
    *) echo "$links is not in your PATH: start simcompare from the menu, or with its whole path." ;;
esac
