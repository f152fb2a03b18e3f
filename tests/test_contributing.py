"""GitHub's forms and workflows are valid. The documents mention no missing file or command."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest
import yaml

from tests.support.builds import ROOT
from tests.support.programs import run

GITHUB = ROOT / ".github"
DOCUMENTS = [
    path
    for folder in (ROOT, GITHUB, ROOT / "benchmarks", ROOT / "deploy", ROOT / "docs")
    for path in sorted(folder.glob("*.md"))
]
SCHEMAS = {
    "vendor.github-workflows": sorted(GITHUB.glob("workflows/*.yaml")),
    "vendor.github-issue-forms": sorted(GITHUB.glob("ISSUE_TEMPLATE/*.yaml")),
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
}
"""For each schema of check-jsonschema, the files to check."""


@pytest.mark.parametrize("schema", SCHEMAS)
def test_githubs_files_are_valid(schema: str) -> None:
    assert SCHEMAS[schema]
    checker = Path(sys.executable).with_name("check-jsonschema")
    run(checker, "--builtin-schema", schema, *SCHEMAS[schema])


def test_the_commit_hooks_run_what_make_check_runs() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    entries = [hook["entry"] for repository in hooks["repos"] for hook in repository["hooks"]]
    for command in ("ruff format", "ruff check", "mypy"):
        assert f"$(BIN)/{command}" in makefile
        assert any(entry.startswith(f".venv/bin/{command}") for entry in entries)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_document_names_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for name in re.findall(r"python3? -m ((?:benchmarks|tests|bestmove)[\w.]*\w)", text):
        assert importlib.util.find_spec(name), name
    for file, word in re.findall(r"pytest (tests/\S+\.py) -k (\w+)", text):
        tests = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"^def test_\w*{word}", tests, re.MULTILINE), word
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        assert (document.parent / target).exists(), target
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:^|`)make ([a-z]+)", text, re.M):
        assert re.search(rf"^{target}:", makefile, re.M), target


HOSTS = {
    "127.0.0.1": "this machine",
    "www.w3.org": "namespaces of SVG",
    "ghcr.io": "where the release workflow puts the images of the repository that runs it",
    "keepachangelog.com": "the form of the changelog",
    "semver.org": "the rule for versions",
    "docs.pypi.org": "how a release is published",
    "cosmic-ray.readthedocs.io": "makes faults for the tests to find",
    "distributed.dask.org": "the schedulers of a cluster",
    "filesystem-spec.readthedocs.io": "the addresses of tables",
    "modelcontextprotocol.io": "the protocol of assistants",
    "pettingzoo.farama.org": "game environments",
    "github.com/google-deepmind/open_spiel": "game environments",
    "github.com/Kaggle/kaggle-environments": "game environments",
    "github.com/dhbloo/c-gomoku-cli": "a manager of gomoku matches",
    "plastovicka.github.io": "the protocol of Gomocup",
    "github.com/accreator/Yixin-protocol": "the extension of that protocol",
    "github.com/kubernetes-sigs/prometheus-adapter": "metrics for the autoscaler",
    "github.com/wg/wrk": "measures rates",
    "render.com": "a platform that deploy/render.yaml is for",
    "fly.io": "a platform that deploy/fly.toml is for",
    "lichess.org": "a page that ours is compared with",
    "pyodide.org": "Python in the browser, for the demonstration",
    "gomocalc.com": "a page that ours is compared with",
    "connect4.gamesolver.org": "a page that ours is compared with",
    "blog.gamesolver.org": "the source of the sets of test positions",
}
"""For each host in the project's files, why it is there."""


def test_no_host_is_named_without_a_reason() -> None:
    """Anybody could register a host that nobody owns, and would get its traffic."""
    named = set()
    tracked = run("git", "ls-files", "-z", cwd=ROOT).stdout.split("\0")
    for name in filter(None, tracked):
        if name.endswith((".lock", "package-lock.json")) or not (ROOT / name).is_file():
            continue
        text = (ROOT / name).read_bytes().decode("utf-8", "ignore")
        for host, path in re.findall(r"(?:https?|oci)://([\w.-]+)((?:/[\w.-]+){0,2})", text):
            if "." in host and not host.lower().endswith((".example", ".invalid")):
                named.add(host + path if host == "github.com" else host)
    assert named == HOSTS.keys()
