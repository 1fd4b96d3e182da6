. /proof/common.sh
install_packages python3-venv fonts-noto-cjk xvfb xauth ca-certificates $(cat /proof/libraries.txt)

# the pip of Debian 12 crashes on the extras of lxml that two distributions spell differently
as_teacher "python3 -m venv venv && venv/bin/pip install --quiet --upgrade pip"
as_teacher "venv/bin/pip install --quiet /proof/*.whl"
as_teacher "venv/bin/simcompare --version"
self_tests venv/bin/simcompare-gui
