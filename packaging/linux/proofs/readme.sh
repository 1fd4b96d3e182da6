. /proof/common.sh
install_packages python3 ca-certificates git
installed_packages > /tmp/packages
git clone --quiet /proof/source.git /root/simcompare
cd /root/simcompare

timed python3 packaging/dev.py run
test -s out/sample-comparison.html
echo "Packages that run brought: $(installed_packages | comm -13 /tmp/packages - | tr '\n' ' ')"

stages="ruff format mypy imports packages window"
echo "Of dev.py test, only these stages are run here: $stages."
echo "All of them take 15 minutes on two cores without other load: python3 packaging/dev.py test"
timed python3 packaging/dev.py test $(printf -- '--only %s ' $stages)
echo "Packages in all: $(installed_packages | comm -13 /tmp/packages - | wc -l)"
