"""The lock files: all requirements of pyproject.toml, pinned and hashed, for every Python, and
audited (here with a stand-in for pip-audit)."""

import os
import re
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

from tests.support.builds import PROJECT, ROOT
from tests.support.programs import run

RUNTIME = ROOT / "deploy" / "requirements.lock"
LABEL = ROOT / "deploy" / "label.lock"
BUILD = ROOT / "deploy" / "build.lock"
EXTRAS = PROJECT["project"]["optional-dependencies"]
SERVED = [*PROJECT["project"]["dependencies"], *EXTRAS["server"]]
WANTED = {
    RUNTIME: SERVED,
    LABEL: [*SERVED, *EXTRAS["label"]],
    BUILD: PROJECT["build-system"]["requires"],
}
each = pytest.mark.parametrize("path", WANTED, ids=lambda path: path.stem)


def locked(path: Path) -> dict[str, tuple[Requirement, list[str]]]:
    text = path.read_text("utf-8").replace("\\\n", " ")
    entries: dict[str, tuple[Requirement, list[str]]] = {}
    for line in text.splitlines():
        if line and not line.lstrip().startswith("#"):
            specification, *hashes = line.split("--hash=")
            requirement = Requirement(specification)
            entries[requirement.name] = requirement, [digest.strip() for digest in hashes]
    return entries


@each
def test_every_requirement_of_the_project_is_locked_to_a_version_it_allows(path: Path) -> None:
    entries = locked(path)
    for text in WANTED[path]:
        wanted = Requirement(text)
        pinned, _ = entries[wanted.name]
        (exactly,) = pinned.specifier
        assert exactly.operator == "=="
        assert wanted.specifier.contains(Version(exactly.version)), f"{wanted} but {pinned}"


@each
def test_every_package_has_hashes_no_marker_and_no_index(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "://" not in text
    assert not re.search(r"(?m)^\s*--(?!hash)", text), "an option would name an index"
    for requirement, hashes in locked(path).values():
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in hashes), requirement
        assert requirement.marker is None, f"{requirement} is only for some versions of Python"
        assert requirement.url is None


NOTHING = '{"dependencies": [], "fixes": []}'
SOMETHING = '{"dependencies": [{"name": "flask", "vulns": [{"id": "PYSEC-1"}]}]}'


@pytest.mark.parametrize(
    ("printed", "status", "expected", "says"),
    [
        (NOTHING, 0, 0, "no known vulnerability"),
        (SOMETHING, 1, 1, "PYSEC-1"),
        ("", 1, 2, "the advisory database could not be asked"),
    ],
)
def test_an_audit_passes_only_if_the_database_answers_that_nothing_is_known(
    tmp_path: Path, printed: str, status: int, expected: int, says: str
) -> None:
    asked = tmp_path / "asked"
    stand_in = tmp_path / "pipx"
    stand_in.write_text(
        f"#!/bin/sh\necho \"$@\" >> {asked}\nprintf '%s' '{printed}'\nexit {status}\n"
    )
    stand_in.chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ended = run(ROOT / ".ci" / "audit", env=environment, status=expected)
    assert says in ended.stdout + ended.stderr
    calls = asked.read_text().splitlines()
    assert all("pip-audit --strict " in call for call in calls)
    if expected < 2:
        audited = {Path(word).name for call in calls for word in call.split() if ".lock" in word}
        assert audited == {path.name for path in (ROOT / "deploy").glob("*.lock")}


@pytest.mark.parametrize("workflow", ["ci", "release"])
def test_every_change_and_every_release_is_audited(workflow: str) -> None:
    text = (ROOT / ".github" / "workflows" / f"{workflow}.yaml").read_text(encoding="utf-8")
    steps = yaml.safe_load(text)["jobs"]["audit"]["steps"]
    assert ".ci/audit" in [step.get("run") for step in steps]
