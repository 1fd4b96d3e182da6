. /proof/common.sh
install_packages python3-venv fonts-noto-cjk xvfb xauth ca-certificates $(cat /proof/libraries.txt)

as_teacher "python3 -m venv venv && venv/bin/pip install --quiet /proof/*.whl"
as_teacher "venv/bin/simcompare --version"
self_tests venv/bin/simcompare-gui
