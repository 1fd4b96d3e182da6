. /proof/common.sh
install_packages xz-utils fonts-noto-cjk
as_teacher "mkdir try && tar --extract --file /proof/simcompare.tar.xz --directory try"
install_named_libraries "try/*/programs/simcompare-gui"
test_without_screen "try/*/programs/simcompare-gui"
as_teacher "rm -r try"
install_desktop
as_teacher "mkdir -p .local/share"
list_files > /tmp/before

timed as_teacher "mkdir 下载 && tar --extract --file /proof/simcompare.tar.xz --directory 下载 && 下载/*/install.sh"
as_teacher ".local/bin/simcompare --version"
test_on_screen .local/bin/simcompare-gui
first_windows .local/bin/simcompare-gui
open_session
echo "A second installation replaces the first"
as_teacher "下载/*/install.sh"

as_teacher ".local/lib/simcompare/uninstall.sh && rm -r 下载"
list_files > /tmp/after
echo "Files that are left, or missing:"
diff /tmp/before /tmp/after
