"""The locked lists: all that pyproject.toml asks for, pinned and hashed, for every Python."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RUNTIME = ROOT / "deploy" / "requirements.lock"
BUILD = ROOT / "deploy" / "build.lock"
WANTED = {
    RUNTIME: [
        *PROJECT["project"]["dependencies"],
        *PROJECT["project"]["optional-dependencies"]["server"],
    ],
    BUILD: PROJECT["build-system"]["requires"],
}
both = pytest.mark.parametrize("path", [RUNTIME, BUILD], ids=["requirements", "build"])


def locked(path: Path) -> dict[str, tuple[Requirement, list[str]]]:
    """Each requirement by name, with its hashes."""
    text = path.read_text("utf-8").replace("\\\n", " ")
    entries: dict[str, tuple[Requirement, list[str]]] = {}
    for line in text.splitlines():
        if line and not line.lstrip().startswith("#"):
            specification, *hashes = line.split("--hash=")
            requirement = Requirement(specification)
            entries[requirement.name] = requirement, [digest.strip() for digest in hashes]
    return entries


@both
def test_every_requirement_of_the_project_is_locked_to_a_version_it_allows(path: Path) -> None:
    entries = locked(path)
    for text in WANTED[path]:
        wanted = Requirement(text)
        pinned, _ = entries[wanted.name]
        (exactly,) = pinned.specifier
        assert exactly.operator == "=="
        assert wanted.specifier.contains(Version(exactly.version)), f"{wanted} but {pinned}"


@both
def test_every_locked_package_has_hashes(path: Path) -> None:
    for requirement, hashes in locked(path).values():
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", digest) for digest in hashes), requirement


@both
def test_the_lists_hold_for_every_python_and_name_no_index(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "://" not in text
    assert not re.search(r"(?m)^\s*--(?!hash)", text), "options would tie the list to one place"
    for requirement, _ in locked(path).values():
        assert requirement.marker is None, f"{requirement} is for some Pythons only"
        assert requirement.url is None
