"""What is installed is what was tested: the wheel, with and without a compiler, from outside."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import bestmove
from tests.builds import COMPILED

ROOT = Path(__file__).parents[1]
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
REQUIRE_COMPILED = bool(os.environ.get("BESTMOVE_REQUIRE_COMPILED"))


def build_wheel(folder: Path, **environment: str) -> Path:
    """A wheel of a clean copy: a leftover build/ could smuggle an old binary into it."""
    clean = folder / "source"
    leftovers = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "service", clean / "service", ignore=leftovers)
    for name in ("pyproject.toml", "README.md", "LICENSE", "openapi.yaml"):
        shutil.copy(ROOT / name, clean)
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder)]
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *options, str(clean)],
        check=True,
        capture_output=True,
        env=os.environ | environment,
    )
    return next(folder.glob("bestmove-*.whl"))


def run_installed(wheel: Path, code: str) -> str:
    """What `code` prints with the wheel's files first on the path, far from the checkout."""
    site = wheel.parent / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        cwd=site,
        env=os.environ | {"PYTHONPATH": str(site)},
    ).stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_every_module_and_data_file(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        str(path.relative_to(ROOT / "service"))
        for path in (ROOT / "service").rglob("*")
        if path.suffix in {".py", ".html", ".css", ".js", ".svg", ".typed"}
    }
    assert wanted <= packed
    assert any(name.endswith("openapi.yaml") for name in packed)
    assert not [name for name in packed if name.startswith("tests") or name.endswith(".c")]


def test_the_installed_wheel_answers(wheel: Path) -> None:
    code = (
        "import bestmove; from bestmove import *;"
        "print(bestmove.__file__); print(best_move(Board.parse('XX..O....')).move)"
    )
    where, move = run_installed(wheel, code).splitlines()
    assert str(wheel.parent) in where
    assert move == "2"


def test_the_installed_wheel_serves_its_own_document(wheel: Path) -> None:
    code = (
        "from bestmove.api.app import create_app;"
        "print(create_app(write_log=lambda line: None).test_client().get('/openapi.yaml').text)"
    )
    served = run_installed(wheel, code).rstrip("\n")
    assert served == (ROOT / "openapi.yaml").read_text(encoding="utf-8").rstrip("\n")


def test_the_engine_is_compiled_where_there_is_a_compiler(wheel: Path) -> None:
    binaries = {name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")}
    wanted = {name.replace(".", "/") + SUFFIX for name in COMPILED}
    if not REQUIRE_COMPILED and shutil.which("cc") is None:
        assert not binaries
        return
    assert binaries == wanted
    code = (
        f"import importlib; [print(importlib.import_module(m).__file__) for m in {list(COMPILED)}]"
    )
    loaded = run_installed(wheel, code).split()
    assert [path.endswith(SUFFIX) for path in loaded] == [True] * len(COMPILED)


def test_without_a_compiler_the_wheel_is_plain_python_and_plays(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path, CC="false", CXX="false")
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")]
    code = (
        "from bestmove import *; from bestmove.search.gomoku import search;"
        "board = Board.parse('XXX.../OOO.../....../....../....../......', k=4);"
        "print(search.compiled, best_move(board, Limits(depth=2)).move)"
    )
    assert run_installed(wheel, code).split() == ["False", "3"]


def test_every_module_written_for_cython_is_in_the_list_of_the_compiled() -> None:
    written = {
        path
        for path in (ROOT / "service").rglob("*.py")
        if "\nimport cython" in path.read_text(encoding="utf-8")
    }
    assert set(COMPILED.values()) == written


@pytest.mark.parametrize("name", COMPILED)
def test_no_edited_source_hides_behind_an_older_binary(name: str) -> None:
    source = COMPILED[name]
    binary = source.with_name(source.stem + SUFFIX)
    if REQUIRE_COMPILED:
        assert binary.exists(), "make build"
    if binary.exists():
        for edited in (source, *source.parent.glob("*.pxd")):
            newer = binary.stat().st_mtime >= edited.stat().st_mtime
            assert newer, f"{edited} is newer than {binary.name}: make build"


def test_the_version_is_written_down_once() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'version = "{bestmove.__version__}"' in text
