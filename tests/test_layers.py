"""The package's parts import each other only in the directions that MAY_IMPORT allows.

The imports are read from the sources.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.builds import COMPILED, ROOT
from tests.support.programs import run

PACKAGE = ROOT / "service" / "bestmove"

MAY_IMPORT = {
    "version": set(),
    "cpus": set(),
    "errors": set(),
    "extras": set(),
    "game": {"errors"},
    "words": {"game"},
    "answers": {"game", "words"},
    "search": {"errors", "game", "words", "answers"},
    "grid": {"errors", "game", "search"},
    "proof/verify": set(),
    "proof": {"errors", "game", "search"},
    "__init__": {"errors", "game", "answers", "search", "proof", "version"},
    "cluster": {"errors", "search", "cpus", "version"},
    "label": {"errors", "extras", "game", "words", "search", "cluster"},
    "api": {"errors", "game", "words", "answers", "search", "proof", "cpus", "version"},
    "server": {"errors", "game", "search", "api", "version"},
    "gunicorn_conf": {"errors", "game", "search", "api", "server", "version"},
    "client": {"errors", "extras", "game", "answers", "version"},
    "bots": {"errors", "extras", "game", "answers", "search", "proof", "client", "version"},
    "cli": {"errors", "extras", "game", "words", "answers", "search", "grid", "proof", "cluster"}
    | {"label", "client", "bots", "version"},
    "cli/serve": {"errors", "api", "server", "gunicorn_conf", "version"},
    "__main__": {"cli"},
}
"""For each part of the package, the other parts that it may import. A part is a folder, a top-level
module, or a file that has its own entry here."""

PUBLIC_FACE = {"Board", "Limits", "Rules", "analyze", "best_move", "prove", "verify", "__version__"}
"""Names that every part may import from `bestmove` itself."""

STANDARD_LIBRARY_ONLY = {"errors", "extras", "game", "proof/verify", "version", "cpus"}
NO_HTTP = {"errors", "game", "search", "grid", "cluster", "label", "bots"}
HTTP_LIBRARIES = {"flask", "werkzeug", "marshmallow", "requests", "gunicorn", "prometheus_client"}

SHARED_DECLARATIONS = {f"bestmove.search.common.{name}" for name in ("bits", "clock", "layer")}
"""The modules that the kernels of all folders may cimport."""

CIMPORT = re.compile(r"^\s*(?:from\s+(?P<module>[\w.]+)\s+)?cimport\s+(?P<names>[\w., ]+)", re.M)


TESTS_OF_THE_SERVICE = sorted(
    path.name
    for path in (ROOT / "tests").iterdir()
    if path.is_dir() and path.name not in {"benchmarks", "load", "__pycache__"}
)


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


def part_of(path: Path) -> str:
    name = name_of(path)
    return name if name in MAY_IMPORT else name.partition("/")[0]


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imported_modules(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            yield node.module or ""
            if node.module == "bestmove":
                yield from (f"bestmove.{alias.name}" for alias in node.names)


def imported_parts(path: Path) -> set[str]:
    """Return the parts of the package that a file imports, at its top or within a function."""
    names = (name.split(".") for name in imported_modules(path))
    own = name_of(path).partition("/")[0]
    found = {name[1] for name in names if name[0] == "bestmove" and len(name) > 1}
    return found - {own} - PUBLIC_FACE


every_source = pytest.mark.parametrize("path", sources(), ids=name_of)


def test_every_part_of_the_package_is_in_the_rule() -> None:
    assert {part_of(path) for path in sources()} == set(MAY_IMPORT)


def test_the_rule_itself_runs_one_way() -> None:
    seen: set[str] = set()
    for part, others in MAY_IMPORT.items():
        assert others <= seen, f"{part} may import what comes after it"
        seen.add(part)


@every_source
def test_imports_run_one_way(path: Path) -> None:
    assert imported_parts(path) <= MAY_IMPORT[part_of(path)]


@every_source
def test_the_inner_layers_import_neither_http_nor_third_parties(path: Path) -> None:
    part = part_of(path)
    roots = {name.split(".")[0] for name in imported_modules(path)}
    if part in NO_HTTP:
        assert not roots & HTTP_LIBRARIES
    if part in STANDARD_LIBRARY_ONLY:
        assert roots <= sys.stdlib_module_names | {"bestmove"}


def test_a_kernel_cimports_only_kernels_of_its_own_folder_and_what_all_share() -> None:
    for path in sorted({*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pxd")}):
        for found in CIMPORT.finditer(path.read_text(encoding="utf-8")):
            module = found["module"] or found["names"].split()[0]
            if module.split(".")[0] != "bestmove":
                continue  # cython itself, or the C library
            if module in SHARED_DECLARATIONS:
                continue
            folder = ".".join(("bestmove", *path.relative_to(PACKAGE).parts[:-1]))
            assert module.rpartition(".")[0] == folder, f"{path} cimports {module}"
            assert {module, f"{folder}.{path.stem}"} <= COMPILED.keys(), f"{path} is not compiled"


def test_the_library_imports_neither_flask_nor_marshmallow() -> None:
    code = "import sys, bestmove; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = run(sys.executable, "-c", code).stdout.split()
    assert "bestmove" in loaded
    assert not HTTP_LIBRARIES & set(loaded)


@pytest.mark.parametrize(
    ("folder", "of", "allowed"),
    [
        ("benchmarks", "tests", "tests.support"),
        ("tests/support", "tests", "tests.support"),
        *((f"tests/{name}", "benchmarks", "none") for name in TESTS_OF_THE_SERVICE),
    ],
)
def test_tests_and_benchmarks_share_only_tests_support(folder: str, of: str, allowed: str) -> None:
    for path in (ROOT / folder).rglob("*.py"):
        used = {name for name in imported_modules(path) if name.split(".")[0] == of}
        assert all(name.startswith(allowed) for name in used), path
