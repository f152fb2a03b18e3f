"""What contributors find: forms and workflows are valid, and what the documents name is there."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
GITHUB = ROOT / ".github"
DOCUMENTS = [
    path
    for folder in (ROOT, GITHUB, ROOT / "benchmarks", ROOT / "deploy", ROOT / "docs")
    for path in sorted(folder.glob("*.md"))
]
SCHEMAS = {
    "vendor.github-workflows": sorted(GITHUB.glob("workflows/*.yaml")),
    "vendor.github-issue-forms": sorted(GITHUB.glob("ISSUE_TEMPLATE/*.yaml")),
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
}
"""Schemas that come with check-jsonschema, and the files that they describe."""

every_document = pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_githubs_files_are_valid(schema: str) -> None:
    assert SCHEMAS[schema]
    checker = Path(sys.executable).with_name("check-jsonschema")
    done = subprocess.run(
        [checker, "--builtin-schema", schema, *SCHEMAS[schema]],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_ci_runs_on_every_python_that_the_package_says_it_is_for() -> None:
    workflow = yaml.safe_load((GITHUB / "workflows" / "ci.yaml").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    said = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    job = workflow["jobs"]["test"]
    assert job["strategy"]["matrix"]["python"] == said
    assert job["steps"][-1]["run"] == ".ci/run"
    assert project["requires-python"] == f">={said[0]}"


def test_what_runs_before_a_commit_is_what_make_check_runs() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    entries = [hook["entry"] for repository in hooks["repos"] for hook in repository["hooks"]]
    for command in ("ruff format", "ruff check", "mypy"):
        assert f"$(BIN)/{command}" in makefile
        assert any(entry.startswith(f".venv/bin/{command}") for entry in entries)


@every_document
def test_every_module_that_a_document_runs_is_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for name in re.findall(r"python3? -m ((?:benchmarks|tests|bestmove)[\w.]*\w)", text):
        assert importlib.util.find_spec(name), name


@every_document
def test_the_tests_that_a_document_picks_by_name_are_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for file, word in re.findall(r"pytest (tests/\S+\.py) -k (\w+)", text):
        tests = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"^def test_\w*{word}", tests, re.MULTILINE), word


@every_document
def test_every_file_that_a_document_links_to_is_there(document: Path) -> None:
    prose = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        assert (document.parent / target).exists(), target


@every_document
def test_every_make_target_that_a_document_names_exists(document: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:^|`)make ([a-z]+)", document.read_text(encoding="utf-8"), re.M):
        assert re.search(rf"^{target}:", makefile, re.M), target
