. /proof/common.sh
install_packages python3-venv fonts-noto-cjk ca-certificates

# the pip of Debian 12 crashes on the extras of lxml that two distributions spell differently
as_teacher "python3 -m venv venv && venv/bin/pip install --quiet --upgrade pip"
timed as_teacher "venv/bin/pip install --quiet /proof/*.whl"
as_teacher "venv/bin/simcompare --version"
install_named_libraries venv/bin/simcompare-gui
test_without_screen venv/bin/simcompare-gui
install_screen
as_teacher "mkdir -p .local/share"
list_files | grep -v ^/home/teacher/venv > /tmp/before
test_on_screen venv/bin/simcompare-gui
first_windows venv/bin/simcompare-gui

as_teacher "venv/bin/pip uninstall --quiet --yes simcompare"
echo "Files of simcompare that are left in the environment:"
find /home/teacher/venv -name '*simcompare*' > /tmp/left
cat /tmp/left
test ! -s /tmp/left
as_teacher "rm -r venv"
list_files > /tmp/after
echo "Files that are left, or missing:"
diff /tmp/before /tmp/after
