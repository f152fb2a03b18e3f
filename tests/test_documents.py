"""Every block of code in README and docs/ is run or checked, and shows the right output.

Other tests run some blocks: tests/client/test_javascript.py the React hook of docs/embedding.md,
tests/deploy/test_nginx.py the nginx configuration. tests/test_examples.py runs docs/examples.
"""

import contextlib
import doctest
import importlib.util
import json
import os
import re
import shutil
import sys
import urllib.request
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest
import yaml

import bestmove
import bestmove.bots
import bestmove.client
from bestmove.api import settings
from bestmove.game.rules import MAX_SIDE
from tests.api.http import DOCUMENT
from tests.support.builds import PROJECT, ROOT
from tests.support.documents import (
    ADDRESS,
    EMBEDDING,
    EXAMPLES,
    PAGES,
    README,
    blocks,
    comparable,
    console_examples_of,
    languages,
    said,
)
from tests.support.needs import require
from tests.support.programs import run
from tests.support.replicas import children
from tests.support.servers import running_process

DOCUMENTS = [README, *PAGES, ROOT / "deploy" / "npm" / "README.md"]
SESSIONS = [path for path in DOCUMENTS if ">>>" in path.read_text(encoding="utf-8")]
KNOWN_LANGUAGES = {
    *("console", "js", "json", "jsonc", "nginx", "promql", "python", "sh", "text", "yaml")
}
OTHER_LANGUAGES = {
    "go": ("golang-go", "Bot.go", "go run Bot.go"),
    "java": ("default-jdk-headless", "Bot.java", "java Bot.java"),
    "csharp": ("mono-mcs", "Bot.cs", "mcs -r:System.Net.Http.dll Bot.cs && mono Bot.exe"),
    "php": ("php-cli", "bot.php", "php bot.php"),
}
"""For each language: its Debian package, the name of the program's file, and the command that runs
the program."""

ELSEWHERE = {"kaggle_environments", "pandas", "polars", "pyspark", "pyspiel", "ray"}
"""Packages that are installed in a separate environment: see benchmarks/peers/environment.py."""

GENERATORS = {"openapi-python-client", "openapi-typescript"}
"""Commands of client generators. tests/contract/test_generators.py runs them."""

ENVIRONMENT = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def each(language: str) -> list[tuple[str, str]]:
    return [(path.name, block) for path in DOCUMENTS for block in blocks(path, language)]


def console_examples() -> list[tuple[str, str, str]]:
    return [(path.name, *found) for path in DOCUMENTS for found in console_examples_of(path)]


def programs() -> list[tuple[str, str]]:
    return [(name, block) for name, block in each("python") if ">>>" not in block]


@pytest.fixture
def address(url: str) -> str:
    return url.removeprefix("http://")


def printed(command: list[str], folder: Path) -> str:
    return run(*command, cwd=folder, env=ENVIRONMENT).stdout


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_block_of_code_is_in_a_language_that_is_run_or_checked(document: Path) -> None:
    assert languages(document) <= KNOWN_LANGUAGES | OTHER_LANGUAGES.keys()


@pytest.mark.parametrize(("document", "command", "answer"), console_examples())
def test_every_console_example_prints_the_answer_that_it_shows(
    document: str, command: str, answer: str, address: str, tmp_path: Path
) -> None:
    assert answer, f"{document} shows no answer to: {command}"
    for program in ("curl", "jq"):
        if re.search(rf"\b{program} ", command):
            require(program, program)
    shown = printed(["bash", "-c", ADDRESS.sub(address, command)], tmp_path)
    assert comparable(shown) == comparable(answer)


@pytest.mark.parametrize(("document", "program"), programs())
def test_every_program_prints_what_its_last_comment_says(
    document: str, program: str, address: str, tmp_path: Path
) -> None:
    for name in ELSEWHERE & set(re.findall(r"^(?:import|from) (\w+)", program, re.MULTILINE)):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{document}: {name} has an environment of its own: make peers")
    command = [sys.executable, "-c", ADDRESS.sub(address, program)]
    assert printed(command, tmp_path).rstrip() == said(program)


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_programs_in_other_languages_run(language: str, address: str, tmp_path: Path) -> None:
    package, name, command = OTHER_LANGUAGES[language]
    require("mcs" if language == "csharp" else language, package)
    (program,) = blocks(EMBEDDING, language)
    (tmp_path / name).write_text(ADDRESS.sub(address, program), encoding="utf-8")
    environment = ENVIRONMENT | {"GOCACHE": str(tmp_path), "HOME": str(tmp_path)}
    shown = run("bash", "-c", command, cwd=tmp_path, env=environment).stdout
    assert shown.rstrip() == said(program, "// ")


@pytest.mark.slow
def test_every_program_and_session_passes_the_strictest_check_of_types(tmp_path: Path) -> None:
    for path in EXAMPLES.glob("*.py"):
        shutil.copy(path, tmp_path)
    for number, (document, program) in enumerate(programs()):
        file = tmp_path / f"{Path(document).stem}_{number}.py"
        file.write_text(program, encoding="utf-8")
    for path in SESSIONS:
        examples = doctest.DocTestParser().get_examples(path.read_text(encoding="utf-8"))
        session = "".join(example.source for example in examples)
        (tmp_path / f"{path.stem}_session.py").write_text(session, encoding="utf-8")
    # Make mypy ignore the project's settings, and imports of packages that are not installed.
    options = ["--config-file=", "--strict", "--ignore-missing-imports"]
    command = [sys.executable, "-m", "mypy", *options, str(tmp_path)]
    assert printed(command, ROOT).startswith("Success")


@pytest.mark.parametrize(
    ("document", "program"), [(name, text) for name, text in each("js") if '"react"' not in text]
)
def test_every_node_example_prints_what_its_last_comment_says(
    document: str, program: str, address: str, tmp_path: Path
) -> None:
    del document
    require("node", "nodejs")
    with urllib.request.urlopen(f"http://{address}/static/client.js") as response:
        (tmp_path / "client.mjs").write_bytes(response.read())
    program = ADDRESS.sub(address, program).replace('"bestmove"', '"./client.mjs"')
    (tmp_path / "game.mjs").write_text(program, encoding="utf-8")
    assert printed(["node", "game.mjs"], tmp_path).strip() == said(program, "// ")


@pytest.mark.parametrize("document", SESSIONS, ids=lambda path: path.name)
def test_every_python_session_prints_what_it_shows(document: Path) -> None:
    results = doctest.testfile(str(document), module_relative=False)
    assert results.attempted
    assert results.failed == 0


def commands() -> list[tuple[str, str]]:
    lines = [(name, line) for name, block in each("sh") for line in block.splitlines()]
    return [(name, line.partition("  #")[0].strip()) for name, line in lines if line.strip()]


@cache
def help_of(command: str) -> str:
    return printed(["bestmove", command, "--help"], ROOT)


@pytest.mark.parametrize(("document", "command"), commands())
def test_every_command_names_what_exists(document: str, command: str) -> None:
    words = [word.strip("'") for word in command.split() if not re.match(r"[A-Z_]+=", word)]
    if words[0] == "make":
        assert f"\n{words[1]}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
    elif words[:2] == ["pip", "install"]:
        for extra in re.findall(r"[.\w]\[(.*?)\]", command):
            assert set(extra.split(",")) <= PROJECT["project"]["optional-dependencies"].keys()
    elif words[0] == "bestmove":
        known = help_of(words[1])
        for option in (word for word in words[2:] if word.startswith("--")):
            assert option in known
    elif GENERATORS & set(words):
        (url,) = re.findall(rf"http://{ADDRESS.pattern}(\S+)", command)
        assert url[1] in DOCUMENT["paths"]
    elif words[0] == "docker":
        assert words[-1] in (".", "bestmove")
    else:
        assert words[0] == "opentelemetry-instrument", f"{document}: nothing checks {command}"
        assert command.endswith("gunicorn -c python:bestmove.gunicorn_conf")


def origins() -> list[tuple[str, str, str]]:
    text = (ROOT / "docs" / "algorithms.md").read_text(encoding="utf-8")
    found = re.findall(r"\| `POST (/\S+)` `(\{.*\})` \| `(\{.*\})`", text)
    assert len(found) == 6
    return found


@pytest.mark.parametrize(("path", "body", "expected"), origins())
def test_each_original_program_can_be_asked(path: str, body: str, expected: str, url: str) -> None:
    request = urllib.request.Request(url + path, body.encode())
    with urllib.request.urlopen(request) as answer:
        search = json.load(answer)["search"]
    assert search.items() >= json.loads(expected).items()


@pytest.mark.parametrize(("document", "text"), each("yaml"))
def test_every_yaml_is_valid(document: str, text: str) -> None:
    assert yaml.safe_load(text), document


def says(claim: str) -> None:
    """Assert that README makes this claim. The calling test checks that the claim is true."""
    assert claim in " ".join(README.read_text(encoding="utf-8").split())


def test_readme_states_the_limits_of_the_service() -> None:
    says(f"any (m,n,k)-game up to {MAX_SIDE}×{MAX_SIDE} gomoku")
    usual = settings.Settings()
    says(f"serves on http://{usual.host}:{usual.port}")
    says("with Python 3.11 or newer")
    assert PROJECT["project"]["requires-python"] == ">=3.11"


def sockets(pid: int) -> set[str]:
    targets = []
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # the process has closed the file
            targets.append(os.readlink(file))
    return {target[8:-1] for target in targets if target.startswith("socket:[")}


def test_no_secret_is_held_and_no_outgoing_connection_is_made() -> None:
    says("holds no secret and makes no outgoing connection")
    assert not re.search("SECRET|TOKEN|PASSWORD|KEY", settings.table())
    with running_process() as (master, url):
        port = int(url.rpartition(":")[2])
        for path in ("/", "/docs", "/metrics", "/best-move?board=X...O...."):
            urllib.request.urlopen(url + path).close()
        ours = {socket for pid in (master.pid, *children(master.pid)) for socket in sockets(pid)}
        for table in ("tcp", "tcp6", "udp", "udp6"):
            for row in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
                _, local, *rest = row.split()
                assert rest[7] not in ours or local.endswith(f":{port:04X}"), row


def test_the_settings_are_those_of_the_service() -> None:
    shown = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    assert settings.table() in shown, "print it with: python -m bestmove.api.settings"


def test_the_assistants_settings_name_the_command() -> None:
    (found,) = map(json.loads, blocks(EMBEDDING, "json"))
    assert found["mcpServers"]["bestmove"] == {"command": "bestmove", "args": ["mcp"]}


class Page(HTMLParser):
    """Reads a built page: the files that it loads, the targets of its links, and its anchors."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: set[str] = set()
        self.links: set[str] = set()
        self.anchors: set[str] = {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        elif tag == "link" and given.get("rel") not in ("canonical", "next", "prev"):
            self.loads.add(given["href"])
        elif "src" in given:
            self.loads.add(given["src"])
        self.anchors.add(given.get("id", ""))


@cache
def page_at(path: Path) -> Page:
    return Page(path)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the pages with --strict from a new copy, so that no earlier build affects them."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / ".zensical.toml", folder / "zensical.toml")
    run(Path(sys.executable).with_name("zensical"), "build", "--strict", cwd=folder)
    return folder / "site"


def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    for path in site.rglob("*.html"):
        for target in page_at(path).loads:
            assert "//" not in target, f"{path.name} loads {target}"
            folder = site if target.startswith("/") else path.parent
            file = folder / target.partition("?")[0].lstrip("/")
            assert file.exists() or path.name == "404.html"


@pytest.mark.parametrize("module", [bestmove, bestmove.client, bestmove.bots])
def test_the_reference_has_every_public_name(site: Path, module: ModuleType) -> None:
    anchors = page_at(site / "reference" / "index.html").anchors
    names = set(module.__all__) - {"__version__"}
    assert {f"{module.__name__}.{name}" for name in names} <= anchors


DEMONSTRATION = "../demo/"
"""The link to the demonstration. Only `make docs` builds its target, and
tests/browser/test_demonstration.py opens it."""


def test_every_link_of_a_page_leads_somewhere(site: Path) -> None:
    for path in site.rglob("index.html"):
        page = page_at(path)
        for target in page.links:
            if "://" not in target and target != DEMONSTRATION:
                name, _, anchor = target.partition("#")
                aim = path.parent / name if name else path
                if aim.is_dir():
                    aim /= "index.html"
                assert aim.exists(), (path, target)
                assert not anchor or anchor in page_at(aim).anchors, (path, target)
