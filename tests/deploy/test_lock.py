"""The lock files: all requirements of pyproject.toml, pinned and hashed, for every Python."""

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from tests.support.builds import PROJECT, ROOT

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
