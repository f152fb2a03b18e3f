"""Which small changes to the code do the tests notice? A sample of mutants, by cosmic-ray.

    python -m benchmarks.mutation --sample 200

Each mutant is made in a copy of the checkout and tested there, by the tests of its area until one
fails: first by the file named after its module. Nothing is written to the checkout. A mutant that
all of them pass has survived; its change is shown, to be judged: some change nothing that can be
seen. The compiled kernels are left out, as their `.py` does not run; annotations, what only the
type checker reads, and changes that are no Python are no mutants.

The sample takes places at random, then one of the changes possible there; the same `--seed` gives
the same sample of the same code.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_and_test, mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = Path("service/bestmove")

SIGNATURE: Final = "tests/cli/test_bench.py"
"""Counts the nodes of all engines."""

AREAS: Final = {
    "game": ("tests/game", "tests/api/test_spellings.py", "tests/search/test_door.py"),
    "search/connect4": ("tests/search/connect4", SIGNATURE, "tests/search/test_bounds.py"),
    "search/gomoku": ("tests/search/gomoku", SIGNATURE, "tests/search", "tests/bots"),
    "search/solver": ("tests/search/solver", SIGNATURE, "tests/search"),
    "search/general": (
        "tests/search/general",
        SIGNATURE,
        "tests/search/test_engines.py",
        "tests/search",
    ),
    "search/textbook": ("tests/search/textbook", "tests/api/test_game_tree.py", "tests/cli"),
    "search": ("tests/search", SIGNATURE, "tests/api"),
    "api": ("tests/api", "tests/contract/test_openapi.py", "tests/deploy/test_lifecycle.py"),
    "server": ("tests/server", "tests/api/test_server.py", "tests/deploy/test_lifecycle.py"),
    "client": ("tests/client", "tests/bots"),
    "bots": ("tests/bots",),
    "cli": ("tests/cli", "tests/bots/test_gomocup_process.py", "tests/bots/test_mcp.py"),
    "": ("tests/test_grid.py", "tests/game", "tests/api", "tests/deploy/test_lifecycle.py"),
}
"""By the beginning of a module's path, the longest first: the tests that are to notice, the nearest
first."""

TIMES: Final = 4
"""How much longer than on the unchanged code the tests may take; then the mutant is noticed."""

UNLIKE: Final = ("_Is", "_IsNot", "VariableReplacer", "VariableInserter")
"""Ends of names of changes that nobody makes by mistake."""


def main() -> None:
    """Sample, test and report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--sample", type=int, default=200, help="mutants (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default 1)")
    parser.add_argument("--only", default="", help="modules whose path begins so, as api/")
    options = parser.parse_args()
    with _copy() as copy, contextlib.chdir(copy):
        sample = _sample(options.only, options.sample, random.Random(options.seed))
        survived = [spec for spec in sample if not _is_noticed(spec)]
    noticed = len(sample) - len(survived)
    print(f"{noticed} of {len(sample)} noticed ({noticed / max(1, len(sample)):.1%}); survived:")
    for spec in survived:
        print(f"  {_name(spec)}")


@contextlib.contextmanager
def _copy() -> Iterator[Path]:
    """The checkout's files as they are, built kernels among them, without its environment."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    built = [str(path.relative_to(ROOT)) for path in (ROOT / PACKAGE).rglob("*.so")]
    with tempfile.TemporaryDirectory(prefix="bestmove-mutants-") as folder:
        for name in [*listed.stdout.splitlines(), *built]:
            source, target = ROOT / name, Path(folder) / name
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)
        os.environ["PYTHONPATH"] = str(Path(folder) / "service")
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        yield Path(folder)


def _sample(only: str, size: int, dice: random.Random) -> list[MutationSpec]:
    compiled = {
        source
        for module in tomllib.loads(Path("pyproject.toml").read_text())["tool"]["setuptools"][
            "ext-modules"
        ]
        for source in module["sources"]
    }
    modules = [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if str(path) not in compiled and str(path.relative_to(PACKAGE)).startswith(only)
    ]
    places: dict[tuple[Path, tuple[int, int]], list[MutationSpec]] = defaultdict(list)
    with use_db(":memory:", WorkDB.Mode.create) as found:
        init(modules, found, {})
        skipped = {path: _no_code(path) for path in modules}
        for item in found.work_items:
            (spec,) = item.mutations
            is_code = not any(
                begin <= spec.start_pos < end for begin, end in skipped[spec.module_path]
            )
            if is_code and not spec.operator_name.endswith(UNLIKE):
                places[spec.module_path, spec.start_pos].append(spec)
    chosen = dice.sample(sorted(places), min(size, len(places)))
    return [spec for spec in (dice.choice(places[place]) for place in chosen) if _is_python(spec)]


def _is_python(spec: MutationSpec) -> bool:
    operator = get_operator(spec.operator_name)(**spec.operator_args)
    with contextlib.suppress(SyntaxError):
        ast.parse(mutate_code(spec.module_path.read_text(), operator, spec.occurrence))
        return True
    return False


def _no_code(path: Path) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where annotations begin and end, and what only the type checker reads."""
    spans: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for node in ast.walk(ast.parse(path.read_text())):
        found: list[ast.AST | None] = []
        if isinstance(node, ast.AnnAssign | ast.arg):
            found.append(node.annotation)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(node.returns)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            found += [node.test, *node.body]
        for part in found:
            if isinstance(part, ast.expr | ast.stmt):
                assert part.end_lineno is not None
                assert part.end_col_offset is not None
                end = (part.end_lineno, part.end_col_offset)
                spans.append(((part.lineno, part.col_offset), end))
    return spans


def _is_noticed(spec: MutationSpec) -> bool:
    below = str(spec.module_path.relative_to(PACKAGE))
    area = next(area for area in AREAS if below.startswith(area))
    files = _files(area)
    seconds = _time(area, files)
    files.sort(key=lambda path: path.stem != f"test_{spec.module_path.stem}")
    result = mutate_and_test([spec], _command(files), TIMES * seconds)
    if result.test_outcome is TestOutcome.SURVIVED:
        print(f"SURVIVED  {_name(spec)}\n{result.diff}", flush=True)
        return False
    how = "too slow " if result.output == "timeout" else "noticed  "
    print(f"{how} {_name(spec)}", flush=True)
    return True


def _files(area: str) -> list[Path]:
    """The area's test files, the nearest first, each once."""
    found = (
        path for tests in AREAS[area] for path in [Path(tests), *sorted(Path(tests).rglob("*"))]
    )
    return list(dict.fromkeys(path for path in found if path.match("test_*.py")))


def _command(files: list[Path]) -> str:
    # Plugins that pytest would load on its own take longer to start than most modules' tests.
    return (
        f"{sys.executable} -m pytest -x -q -p pytest_timeout -p no:cacheprovider -p no:warnings "
        + " ".join(map(str, files))
    )


_times: dict[str, float] = {}


def _time(area: str, files: list[Path]) -> float:
    """Seconds that an area's tests take on the unchanged code.

    Raises:
        SystemExit: they fail on it.
    """
    if area not in _times:
        started = time.monotonic()
        done = subprocess.run(_command(files).split(), capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{area} fails without any change:\n{done.stdout[-3000:]}")
        _times[area] = time.monotonic() - started
    return _times[area]


def _name(spec: MutationSpec) -> str:
    operator = spec.operator_name.removeprefix("core/")
    return f"{spec.module_path}:{spec.start_pos[0]}:{spec.start_pos[1]} {operator}"


if __name__ == "__main__":
    main()
