"""Tests of the review of licences, on distributions that the tests make."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]

# import path of the tools when dev.py runs
sys.path.insert(0, str(ROOT / "packaging"))

from tools.licences import commands as licences  # noqa: E402

KNOWN = licences.KnownLicences(
    frozenset({"MIT", "Apache-2.0", "BSD-3-Clause"}),
    {"MIT License": "MIT"},
    {"worded": "BSD-3-Clause"},
    {"bare": ["bare.txt"]},
)


def _distribution(
    site: Path, name: str, *, fields: str = "License-Expression: MIT", files: dict[str, str] | None = None
) -> None:
    info = f"{name}-1.0.dist-info"
    texts = {f"{info}/licenses/LICENSE": "You may."} if files is None else files
    written = {f"{info}/METADATA": f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n{fields}\n", **texts}
    for path, text in written.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text, encoding="utf-8")
    record = "".join(f"{path},,\n" for path in written)
    (site / info / "RECORD").write_text(record, encoding="utf-8")


def _crate(name: str, licence: str, **fields: str) -> dict[str, Any]:
    """Entry of a Rust crate in a bill of materials."""
    named = [{"expression": licence}] if licence else []
    return {"name": name, "version": "2.0", "purl": f"pkg:cargo/{name}@2.0", "licenses": named, **fields}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


def _review(*names: str) -> list[licences.Part]:
    return licences.parts([Requirement(name) for name in names], KNOWN)


def test_that_dependencies_and_those_of_chosen_extras_are_reviewed(site: Path):
    needs = ("inner", "fast; extra == 'speed'", "old; python_version < '3'")
    lines = [
        "License-Expression: MIT",
        "Provides-Extra: speed",
        *(f"Requires-Dist: {need}" for need in needs),
    ]
    _distribution(site, "outer", fields="\n".join(lines))
    _distribution(site, "inner")
    _distribution(site, "fast")
    assert [part.name for part in _review("outer")] == ["inner", "outer"]
    assert [part.name for part in _review("outer", "outer[speed]")] == ["fast", "inner", "outer"]


@pytest.mark.parametrize(
    ("fields", "licence"),
    [
        ("License-Expression: MIT OR GPL-2.0-only", "MIT OR GPL-2.0-only"),
        ("License: MIT License", "MIT"),
        ("Classifier: License :: OSI Approved :: MIT License", "MIT"),
        ("License: see the file\nClassifier: License :: OSI Approved :: MIT License", "MIT"),
    ],
)
def test_that_a_licence_is_read_from_any_field_that_names_it(site: Path, fields: str, licence: str):
    _distribution(site, "lib", fields=fields)
    assert _review("lib")[0].licence == licence


def test_that_a_licence_named_vaguely_is_taken_from_the_list(site: Path):
    _distribution(site, "worded", fields="License: BSD")
    assert _review("worded")[0].licence == "BSD-3-Clause"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ("License: BSD", "The licence of lib 1.0 is not named exactly in its metadata."),
        ("License-Expression: AGPL-3.0-only", "The licence of lib 1.0 is not named exactly in its metadata."),
        (
            "License-Expression: MIT AND GPL-3.0-only",
            "The licence of lib 1.0, MIT AND GPL-3.0-only, is not accepted.",
        ),
    ],
)
def test_that_an_unknown_licence_is_one_sentence(site: Path, fields: str, sentence: str):
    _distribution(site, "lib", fields=fields)
    with pytest.raises(licences.LicenceError, match=r"licences\.toml") as raised:
        _review("lib")
    assert str(raised.value).splitlines()[0] == sentence


def test_that_a_distribution_without_a_licence_text_is_refused(site: Path):
    _distribution(site, "silent", files={"silent.py": ""})
    with pytest.raises(licences.LicenceError, match=r"silent 1\.0 contains no licence text"):
        _review("silent")


def test_that_a_distribution_that_is_not_installed_is_named(site: Path):
    with pytest.raises(licences.LicenceError, match="no-such-library is not installed"):
        _review("no-such-library")


def test_that_every_text_is_collected_and_linked_from_the_index(site: Path, tmp_path: Path):
    info = "lib-1.0.dist-info"
    library = {"name": "zlib", "version": "1.3", "licenses": [{"license": {"id": "Zlib"}}]}
    bill = {"components": [library, _crate("scan", "MIT  OR Apache-2.0", author="R. <r@example.org>")]}
    files = {
        f"{info}/licenses/LICENSES/MIT.txt": "You may.",
        f"{info}/licenses/parts/深.md": "You may, too.",
        f"{info}/sboms/lib.cdx.json": json.dumps(bill),
        "lib/NOTICE": "Thanks.",
        "lib/license.py": "",
    }
    _distribution(site, "lib", files=files)
    target = tmp_path / "out"
    licences.collect(_review("lib"), target)
    page = (target / "index.html").read_text(encoding="utf-8")
    assert (target / "lib" / info / "licenses" / "parts" / "深.md").read_text(
        encoding="utf-8"
    ) == "You may, too."
    assert (target / "lib" / "lib" / "NOTICE").is_file()
    assert not list(target.rglob("*.py"))
    assert f'href="lib/{info}/licenses/parts/%E6%B7%B1.md"' in page
    assert 'zlib 1.3, <a href="standard/Zlib.txt">Zlib</a>' in page
    assert (
        '<a href="https://crates.io/crates/scan/2.0">scan</a> 2.0, <a href="standard/MIT.txt">MIT</a> OR'
        in page
    )
    assert "R. &lt;r@example.org&gt;" in page
    assert (target / "standard" / "MIT.txt").is_file()


@pytest.mark.parametrize(
    ("licence", "sentence"),
    [
        ("GPL-3.0-only", "GPL-3.0-only, has no text."),
        ("MIT AND GPL-3.0-only", "MIT AND GPL-3.0-only, has no text."),
        ("", "not named, has no text."),
    ],
)
def test_that_a_crate_without_a_text_of_its_licence_is_refused(site: Path, licence: str, sentence: str):
    bill = json.dumps({"components": [_crate("strict", licence)]})
    info = "lib-1.0.dist-info"
    _distribution(site, "lib", files={f"{info}/LICENSE": "You may.", f"{info}/sboms/lib.cdx.json": bill})
    with pytest.raises(licences.LicenceError, match=f"The licence of strict in lib, {re.escape(sentence)}"):
        _review("lib")


@pytest.mark.parametrize(
    ("expression", "accepted"),
    [
        ("MIT", True),
        ("GPL-2.0-only OR MIT", True),
        ("MIT AND GPL-2.0-only", False),
        ("(MIT OR GPL-2.0-only) AND Zlib", True),
        ("(MIT OR Zlib) AND GPL-2.0-only", False),
        ("((GPL-2.0-only OR MIT) AND Zlib) OR GPL-2.0-only", True),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("Apache-2.0 WITH other-exception", False),
        ("", False),
    ],
)
def test_which_expressions_are_accepted(expression: str, accepted: bool):
    names = {"MIT", "Zlib", "Apache-2.0", "LLVM-exception"}
    assert licences.is_accepted(expression, names) == accepted


def test_that_the_texts_of_the_repository_are_there():
    known = licences.read_known()
    named = {name for names in known.texts.values() for name in names}
    assert named | {licences.PYTHON_LIBRARIES} == {file.name for file in licences.TEXTS.glob("*.txt")}


@pytest.mark.parametrize("name", ["qt-third-party.txt", "psycopg-libraries.txt", licences.PYTHON_LIBRARIES])
def test_that_texts_refer_only_to_standard_texts_that_are_there(name: str):
    text = (licences.TEXTS / name).read_text(encoding="utf-8")
    named = set(re.findall(r"standard/([\w.-]+)\.txt", text))
    assert named
    assert named <= licences.standard_texts()


def test_that_every_numbered_text_of_code_in_qt_is_there():
    text = (licences.TEXTS / "qt-third-party.txt").read_text(encoding="utf-8")
    referred = set(re.findall(r"^  (?:text \d+, )?text (\d+)$", text, re.MULTILINE))
    assert referred <= set(re.findall(r"^Text (\d+): ", text, re.MULTILINE))
    assert {"HarfBuzz-NG", "Freetype 2", "PCRE2", "MD4C", "LibPNG"} <= set(
        re.findall(r"^([\w-]+(?: 2)?)(?: [\d.-]+)?$", text, re.MULTILINE)
    )


def test_that_what_simcompare_needs_is_accepted():
    requirements = licences.runtime_requirements(ROOT / "pyproject.toml", [])
    names = {part.name for part in licences.parts(requirements, licences.read_known())}
    assert {"PySide6_Essentials", "numpy", "lxml_html_clean"} <= names
    assert "pytest" not in names


def test_that_python_without_its_licence_is_an_error(tmp_path: Path):
    with pytest.raises(licences.LicenceError, match="complete Python"):
        licences.python_part([tmp_path / "LICENSE.txt"])


def test_that_an_unknown_extra_is_named():
    with pytest.raises(licences.LicenceError, match="no extra fast"):
        licences.runtime_requirements(ROOT / "pyproject.toml", ["fast"])


# --- known vulnerabilities


def test_that_a_known_vulnerability_is_one_sentence():
    flaws = [{"id": "CVE-1", "fix_versions": ["1.1"]}, {"id": "CVE-2", "fix_versions": []}]
    answer = json.dumps({"dependencies": [{"name": "lib", "version": "1.0", "vulns": flaws}]})
    assert licences.vulnerabilities_in(answer, 1) == [
        "lib 1.0 has a known vulnerability: CVE-1, fixed in 1.1.",
        "lib 1.0 has a known vulnerability: CVE-2, fixed in no version yet.",
    ]


def test_that_distributions_without_an_answer_do_not_count_as_safe():
    entries = [{"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "not found"}]
    with pytest.raises(licences.AuditError, match="1 of 2"):
        licences.vulnerabilities_in(json.dumps({"dependencies": entries}), 2)


def test_that_no_answer_is_one_sentence_and_the_review_passes(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def unreachable(_: object) -> list[str]:
        return licences.vulnerabilities_in("", 1)

    _distribution(site, "lib")
    monkeypatch.setattr(licences, "runtime_requirements", lambda *_: [Requirement("lib")])
    monkeypatch.setattr(licences, "read_known", lambda: KNOWN)
    monkeypatch.setattr(licences, "vulnerabilities", unreachable)
    monkeypatch.setattr(sys, "argv", ["commands.py", "review"])
    assert licences.main() == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "Known vulnerabilities were not checked: pip-audit could not reach its service."
