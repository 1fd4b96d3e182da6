"""The workflows and issue forms are valid, and their actions are pinned."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from simcompare import __version__

yaml = pytest.importorskip("yaml", reason="pre-commit is not installed")

GITHUB = Path(__file__).resolve().parents[2] / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = sorted((GITHUB / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))
PINNED = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)+$")
FIELDS = {"markdown", "textarea", "input", "dropdown", "checkboxes"}


def read(path: Path) -> dict[Any, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_that_each_job_of_a_workflow_ends_in_time_and_has_named_rights(path: Path):
    workflow = read(path)
    # YAML reads the key `on` as true
    assert {"name", True, "permissions", "jobs"} <= set(workflow)
    for job in workflow["jobs"].values():
        assert {"runs-on", "timeout-minutes", "steps"} <= set(job)
        assert all(("run" in step) != ("uses" in step) for step in job["steps"])


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_that_actions_are_pinned_to_a_commit(path: Path):
    used = [line.strip().removeprefix("- ") for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line for line in used if line.startswith("uses:") and not PINNED.match(line)] == []


def test_that_the_check_of_each_change_runs_all_stages():
    steps = read(GITHUB / "workflows" / "checks.yml")["jobs"]["checks"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == [".ci/run"]


def test_that_a_release_has_the_packages_of_all_systems_each_tested():
    jobs = read(GITHUB / "workflows" / "release.yml")["jobs"]
    needed = {job for name in jobs["release"]["needs"] for job in (name, jobs[name].get("needs", name))}
    assert needed == set(jobs) - {"release"}
    assert [name for name in jobs if name != "version" and "needs" not in jobs[name]] == []
    assert "--draft" in jobs["release"]["steps"][-1]["run"]
    older = jobs["linux-older-systems"]
    assert older["container"] == "debian:11"
    assert {"run": "sh packaging/linux/older_systems.sh"} in older["steps"]


@pytest.mark.skipif(sys.platform == "win32", reason="bash may be that of another system")
@pytest.mark.parametrize(
    ("tag", "error"), [("v{}", ""), ("v9.{}", "::error::The tag is v9.{0}, but the version in .* is {0}.\n")]
)
def test_that_a_tag_that_is_not_the_version_is_refused(tag: str, error: str):
    script = read(GITHUB / "workflows" / "release.yml")["jobs"]["version"]["steps"][-1]["run"]
    env = {**os.environ, "GITHUB_REF_NAME": tag.format(__version__)}
    command = ["bash", "-e", "-c", script]
    done = subprocess.run(command, cwd=GITHUB.parent, env=env, capture_output=True, text=True, check=False)
    assert re.fullmatch(error.format(__version__), done.stdout)
    assert done.returncode == bool(error)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_that_an_issue_form_is_valid_and_in_both_languages(path: Path):
    form = read(path)
    assert {"name", "description", "body"} <= set(form)
    ids = [field["id"] for field in form["body"] if field["type"] != "markdown"]
    assert len(ids) == len(set(ids)) > 0
    for field in form["body"]:
        assert field["type"] in FIELDS
        text = field["attributes"].get("label") or field["attributes"]["value"]
        assert re.search("[\u4e00-\u9fff]", text)
        assert re.search("[A-Za-z]{3}", text)
