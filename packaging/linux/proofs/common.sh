# What all proofs share; read by each of them. They run as root in a root of their own, /proof beside them.
set -eu
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive

# helpers that no package of ours needs: a screen, a session bus, and what opens files
install_desktop() {
    install_screen
    install_packages procps dbus dbus-x11 xdg-utils libglib2.0-bin shared-mime-info desktop-file-utils
}

install_screen() {
    install_packages xauth xvfb x11-utils scrot
}

install_packages() {
    apt-get install -qq --yes --no-install-recommends "$@" > /tmp/apt.log 2>&1 || { cat /tmp/apt.log; exit 1; }
}

# run a command, and print the seconds that it took
timed() {
    begin=$(date +%s)
    "$@"
    echo "$(($(date +%s) - begin)) s: $*"
}

installed_packages() {
    dpkg-query -W -f '${Package}\n' | sort
}

# all files but those that any use of the system changes, and the data of the user
list_files() {
    home=/home/teacher
    find / -xdev \( -path /proc -o -path /tmp -o -path /proof -o -path /var/lib/apt -o -path /var/lib/dpkg \
        -o -path /var/log -o -path /var/cache -o -name __pycache__ -o -path $home/.config -o -path $home/.cache \
        -o -path $home/.dbus -o -path $home/.local/share/simcompare \) -prune -o -print | sort
}

as_teacher() {
    su teacher --command "cd; export LC_ALL=C.UTF-8 XDG_CURRENT_DESKTOP=GNOME; $1"
}

# without Qt's libraries the program ends with a sentence; install what the command in it says
install_named_libraries() {
    if as_teacher "$1" 2> /tmp/sentence; then
        echo "The window was opened without libraries?"
        exit 1
    fi
    cat /tmp/sentence
    test "$(wc -l < /tmp/sentence)" = 1
    install_packages $(sed 's/.*: sudo apt install //' /tmp/sentence)
}

test_without_screen() {
    echo "Self-test without a screen"
    as_teacher "QT_QPA_PLATFORM=offscreen $1 --self-test"
}

test_on_screen() {
    echo "Self-test on a screen"
    as_teacher "xvfb-run --auto-servernum $1 --self-test"
}

# pictures of the first window in English and Chinese
first_windows() {
    mkdir -p /proof/pictures
    chmod 777 /proof/pictures
    for language in C zh_CN; do
        as_teacher "LC_ALL=$language.UTF-8 xvfb-run --auto-servernum --server-args='-screen 0 1280x800x24' sh -ec '
            $1 & program=\$!
            for second in \$(seq 120); do
                xwininfo -root -tree | grep -q simcompare-gui && break
                test \$second -lt 120
                sleep 1
            done
            sleep 10
            scrot /proof/pictures/$language.png
            kill \$program
            wait \$program'"
    done
}

# a double click: the file's type, its program, and a window of this program with the file
open_session() {
    as_teacher "
        mkdir 作文
        cp /proof/class.simcompare 作文/class-3A.simcompare
        test \$(xdg-mime query filetype 作文/class-3A.simcompare) = application/x-simcompare
        test \$(xdg-mime query default application/x-simcompare) = io.github.simcompare.desktop
        gio info --attributes=standard::content-type 作文/class-3A.simcompare | grep application/x-simcompare"
    as_teacher "xvfb-run --auto-servernum sh -ec '
        eval \$(dbus-launch --sh-syntax)
        gio open 作文/class-3A.simcompare
        for second in \$(seq 120); do
            xwininfo -root -tree | grep class-3A && break
            test \$second -lt 120
            sleep 1
        done
        pkill -TERM -x -u teacher simcompare-gui
        kill \$DBUS_SESSION_BUS_PID'"
    as_teacher "rm -r 作文"
}
