"""The source distribution and the wheel are complete, with and without a compiler.

The wheel is built from the source distribution. It is installed in a new environment. The new
environment can import the dependencies of the current environment, but not the checkout.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import bestmove
from bestmove.cli.exits import EXTRAS
from tests.support import programs
from tests.support.builds import COMPILED, PROJECT, REQUIRE_COMPILED, ROOT, SUFFIX, compile_quickly
from tests.support.connection import Connection
from tests.support.needs import LONG
from tests.support.replicas import replica

pytestmark = [pytest.mark.slow, LONG]

SECONDS = 60
"""The seconds after which a command is stopped. They suffice on a busy machine."""

FOLDERS = (".ci", ".github", "benchmarks", "deploy", "docs", "service", "tests")
BUILT = ("node_modules", "*.so", "*.c", "*.py[co]", "__pycache__", "*.egg-info", ".venv")


def clean_copy(folder: Path) -> Path:
    """Copy the checkout without built files, so that no old binary gets into a wheel."""
    folder.mkdir()
    for path in ROOT.iterdir():
        if path.is_file() and path.name != ".git":
            shutil.copy(path, folder)
        elif path.name in FOLDERS:
            shutil.copytree(path, folder / path.name, ignore=shutil.ignore_patterns(*BUILT))
    return folder


def build_wheel(source: Path, folder: Path, **environment: str) -> Path:
    """Build a wheel from a copy of the unpacked source distribution."""
    shutil.copytree(source, folder / "source")
    compile_quickly(folder / "source" / "pyproject.toml")
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    pip = ("-m", "pip", "wheel", *options)
    programs.run(sys.executable, *pip, folder / "source", env=os.environ | environment)
    return next(folder.glob("bestmove-*.whl"))


@dataclass(frozen=True)
class Installed:
    """A virtual environment in which the wheel is installed."""

    folder: Path

    @property
    def python(self) -> str:
        return str(self.folder / "bin" / "python")

    @property
    def command(self) -> str:
        return str(self.folder / "bin" / "bestmove")

    def run(
        self, *command: str, status: int = 0, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a program, by default in a folder without sources."""
        options = {"cwd": cwd or self.folder, "env": outside(), "timeout": SECONDS}
        return programs.run(*command, status=status, **options)

    def printed(self, code: str) -> str:
        return self.run(self.python, "-c", code).stdout


def outside() -> dict[str, str]:
    """Return this process's environment without the variables that point to the checkout."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def install(wheel: Path, folder: Path) -> Installed:
    """Install the wheel in a new environment.

    `dependencies.pth` adds the current environment's folder of packages. In that folder, another
    .pth file points to the checkout. Python ignores the .pth files of an added folder.
    """
    venv.create(folder, with_pip=False)
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    installed = Installed(folder)
    options = ["--quiet", "--no-deps", "--no-index", "--ignore-installed"]
    pip = ("-m", "pip", "--python", installed.python, "install", *options)
    programs.run(sys.executable, *pip, wheel, env=outside())
    return installed


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    build = f"from setuptools import build_meta; build_meta.build_sdist({str(folder)!r})"
    copy = clean_copy(folder / "source")
    programs.run(sys.executable, "-c", build, cwd=copy)
    return next(folder.glob("bestmove-*.tar.gz"))


@pytest.fixture(scope="module")
def source(sdist: Path) -> Path:
    programs.run("tar", "--extract", "--file", sdist, "--directory", sdist.parent)
    return sdist.parent / sdist.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(source, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Installed:
    return install(wheel, wheel.parent / "environment")


def test_the_source_distribution_contains_the_whole_checkout(source: Path, tmp_path: Path) -> None:
    copy = clean_copy(tmp_path / "copy")
    wanted = {path.relative_to(copy) for path in copy.rglob("*") if path.is_file()}
    packed = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    assert {*map(Path, ("Makefile", "CHANGELOG.md", "tests/support/oracle.py"))} <= wanted
    assert not wanted - packed, "MANIFEST.in must name these files"
    assert not [path for path in packed if path.suffix in {".so", ".c", ".pyc"}]


def test_the_wheel_holds_every_module_and_data_file_of_one_package(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        str(path.relative_to(ROOT / "service"))
        for path in (ROOT / "service" / "bestmove").rglob("*")
        if path.suffix in {".py", ".html", ".css", ".js", ".svg", ".typed", ".yaml"}
    }
    assert wanted <= packed
    assert not [name for name in packed if name.endswith(".c")]
    information = f"bestmove-{bestmove.__version__}.dist-info"
    assert {name.partition("/")[0] for name in packed} == {"bestmove", information}


def test_the_installed_service_has_its_document_and_its_pages(installed: Installed) -> None:
    code = (
        "from bestmove.api.app import create_app;"
        "client = create_app(write_log=lambda line: None).test_client();"
        "print(client.get('/').status_code, client.get('/static/explorer.html').status_code);"
        "print(client.get('/openapi.yaml').text)"
    )
    statuses, _, served = installed.printed(code).partition("\n")
    assert statuses == "200 200"
    # Both the installed service and the file have the default limits.
    document = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    assert yaml.safe_load(served) == yaml.safe_load(document)


def test_without_the_servers_packages_serve_says_what_to_install(installed: Installed) -> None:
    extra = PROJECT["project"]["optional-dependencies"]["server"]
    distributions = {canonicalize_name(Requirement(text).name) for text in extra}
    modules = {
        module
        for module, names in packages_distributions().items()
        if distributions & {canonicalize_name(name) for name in names} and module[0] != "_"
    }
    assert modules == set(EXTRAS["server"])
    missing = f"import sys; sys.modules.update(dict.fromkeys({EXTRAS['server']}))\n"
    code = missing + "from bestmove.cli import main; main(['serve'], prog_name='bestmove')"
    done = installed.run(installed.python, "-c", code, status=1)
    # The tests install a wheel, which pip then names as the place that it came from.
    line = r"Error: some packages are not installed: \S+ -m pip install 'bestmove\[server\] @ file:"
    assert re.match(line, done.stderr)


@pytest.fixture
def strange_folder(tmp_path: Path) -> Path:
    """Make a user's folder that contains a program `service.py` and a folder `bestmove`."""
    (tmp_path / "service.py").write_text("raise SystemExit('somebody else')\n", encoding="utf-8")
    (tmp_path / "bestmove").mkdir()
    (tmp_path / "bestmove" / "games.csv").write_text("X...O....\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["bestmove", "serve"],
        ["python", "-m", "bestmove", "serve"],
        ["python", "-m", "gunicorn", "-c", "python:bestmove.gunicorn_conf"],
    ],
    ids=" ".join,
)
def test_the_service_serves_beside_files_of_the_same_names(
    arguments: list[str], installed: Installed, strange_folder: Path, tmp_path: Path
) -> None:
    program, *rest = arguments
    command = [str(installed.folder / "bin" / program), *rest]
    kept = {"PYTHONPATH": "", "PYTHONHOME": ""}
    with (
        replica(tmp_path, command=command, cwd=strange_folder, extra=kept, workers=1) as service,
        Connection(service.port) as connection,
    ):
        answer = connection.post("/best-move", {"board": "XX..O...."})
        assert answer.json()["after"]["board"] == "XXO.O...."
        assert service.stop() == 0


def test_the_engine_is_compiled_if_there_is_a_compiler(wheel: Path, installed: Installed) -> None:
    binaries = {name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")}
    if not REQUIRE_COMPILED and shutil.which("cc") is None:
        assert not binaries
        return
    shared = "bestmove.search.common.shared"  # Cython's library of code that compiled modules share
    assert binaries == {name.replace(".", "/") + SUFFIX for name in (*COMPILED, shared)}
    code = (
        "from importlib import import_module\n"
        f"for name in {list(COMPILED)}: print(import_module(name).__file__.endswith('.so'))"
    )
    assert set(installed.printed(code).split()) == {"True"}


def test_with_no_compiler_the_wheel_is_plain_python_and_plays(source: Path, tmp_path: Path) -> None:
    wheel = build_wheel(source, tmp_path, CC="false", CXX="false")
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")]
    plain = install(wheel, tmp_path / "environment")
    done = plain.run(
        plain.command, "suggest", "XXX.../OOO.../....../....../....../......", "-k4", "--depth=2"
    )
    assert "X plays d6: wins in 1" in done.stdout
