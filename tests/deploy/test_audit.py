"""The audit of the locked dependencies, with a stand-in for pip-audit."""

import os
from pathlib import Path

import pytest
import yaml

from tests.support.builds import ROOT
from tests.support.programs import run

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
        assert {Path(word).name for call in calls for word in call.split() if ".lock" in word} == {
            path.name for path in (ROOT / "deploy").glob("*.lock")
        }


@pytest.mark.parametrize("workflow", ["ci", "release"])
def test_every_change_and_every_release_is_audited(workflow: str) -> None:
    text = (ROOT / ".github" / "workflows" / f"{workflow}.yaml").read_text(encoding="utf-8")
    steps = yaml.safe_load(text)["jobs"]["audit"]["steps"]
    assert ".ci/audit" in [step.get("run") for step in steps]
