. /proof/common.sh
install_packages python3 ca-certificates
installed_packages > /tmp/packages
mkdir /root/simcompare
tar --extract --file /proof/source.tar --directory /root/simcompare
cd /root/simcompare

python3 packaging/dev.py run
test -s out/sample-comparison.html
echo "Packages that run brought: $(installed_packages | comm -13 /tmp/packages - | tr '\n' ' ')"
python3 packaging/dev.py test --only ruff --only imports
echo "Packages in all: $(installed_packages | comm -13 /tmp/packages - | wc -l)"
