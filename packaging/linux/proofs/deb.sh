. /proof/common.sh
install_desktop
installed_packages > /tmp/packages
as_teacher "mkdir -p .local/share"
list_files > /tmp/before

timed install_packages /proof/simcompare.deb
echo "Packages that it brought: $(installed_packages | comm -13 /tmp/packages - | tr '\n' ' ')"
install_packages fonts-noto-cjk
dpkg-query -W -f 'Installed size: ${Installed-Size} KiB\n' simcompare
as_teacher "simcompare --version"
test_without_screen simcompare-gui
test_on_screen simcompare-gui
first_windows simcompare-gui
open_session

apt-get purge -qq --yes --autoremove simcompare fonts-noto-cjk > /tmp/apt.log 2>&1
list_files > /tmp/after
echo "Files that are left, or missing:"
diff /tmp/before /tmp/after
