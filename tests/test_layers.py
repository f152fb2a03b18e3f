"""Imports run one way: the rule as data, the imports read from the sources."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "service" / "bestmove"

MAY_IMPORT = {
    "version": set(),
    "errors": set(),
    "game": {"errors"},
    "search": {"errors", "game"},
    "grid": {"errors", "game", "search"},
    "bots": {"errors", "game", "search", "version"},
    "client": {"errors", "game", "version"},
    "api": {"errors", "game", "search", "version"},
    "server": {"errors", "search", "api", "version"},
    "gunicorn_conf": {"errors", "api", "server", "version"},
    "cli": {
        "errors",
        "game",
        "search",
        "grid",
        "bots",
        "client",
        "api",
        "version",
        "gunicorn_conf",
    },
    "__main__": {"cli"},
    "__init__": {"errors", "game", "search", "version"},
}
"""For each part of the package, the other parts that it may import."""

STANDARD_LIBRARY_ONLY = {"errors", "game", "version"}
NO_HTTP = {"errors", "game", "search", "grid", "bots"}
HTTP_LIBRARIES = {"flask", "werkzeug", "marshmallow", "requests", "gunicorn", "prometheus_client"}


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


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
    names = (name.split(".") for name in imported_modules(path))
    return {name[1] for name in names if name[0] == "bestmove" and len(name) > 1}


def test_every_part_of_the_package_has_its_place_in_the_rule() -> None:
    assert {part_of(path) for path in sources()} <= set(MAY_IMPORT)


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    part = part_of(path)
    public_face = {"Board", "Limits", "Rules", "analyze", "best_move", "__version__"}
    assert imported_parts(path) - {part} - public_face <= MAY_IMPORT[part]


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_inner_layers_import_neither_http_nor_third_parties(path: Path) -> None:
    part = part_of(path)
    roots = {name.split(".")[0] for name in imported_modules(path)}
    if part in NO_HTTP:
        assert not roots & HTTP_LIBRARIES
    if part in STANDARD_LIBRARY_ONLY:
        assert roots <= sys.stdlib_module_names | {"bestmove"}


def test_the_library_imports_neither_flask_nor_marshmallow() -> None:
    code = "import sys, bestmove; print(*{name.split('.')[0] for name in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "bestmove" in loaded
    assert not HTTP_LIBRARIES & set(loaded)
