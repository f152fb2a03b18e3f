"""Builds the engines with bounds checks and assertions, and searches random positions with them.

python -m tests.search.checkedbuild FOLDER [--positions N] [--seed N]

In this build, an access outside an array or a false assertion ends the process with an error. The
installed build omits both checks.
"""

import argparse
import importlib
import os
import random
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tests.support.builds import COMPILED, ROOT
from tests.support.oracle import Game, Position

SANITIZE = "-fsanitize=bounds"

RUNS_DEEP = (
    "....O....X...../....X...X.O..../O............../.............../..X...........O/"
    "..............O/..X.....X....../O......X......./...X..........O/.......X......./"
    ".....X..X....../.............../O............../.............../.........O..O.."
)
"""A nearly lost position. The engine searches it so quickly that the depth exceeds 64."""

MOST_K = 19
"""The largest k that the engine plays; 18 where only exactly k in a row win."""


def build(folder: Path) -> None:
    """Compile a copy of the package. Cython and the C compiler both add checks of array bounds."""
    compiled = shutil.ignore_patterns("*.so", "*.c", "__pycache__")
    shutil.copytree(ROOT / "service" / "bestmove", folder / "bestmove", ignore=compiled)
    sources = {name: folder / f"{name.replace('.', '/')}.py" for name in COMPILED}
    for source in sources.values():
        text = source.read_text().replace("boundscheck=False", "boundscheck=True", 1)
        assert "boundscheck=False" not in text
        source.write_text(text)
    flags = ["-shared", "-fPIC", "-O1", "-w", SANITIZE, "-fno-sanitize-recover=bounds"]
    gcc = ["gcc", *flags, f"-I{sysconfig.get_path('include')}"]
    for name, source in sources.items():
        target, library = source.with_suffix(".c"), source.with_suffix(".so")
        cython = [sys.executable, "-m", "cython", "-3", "--module-name", name, "-o", target, source]
        subprocess.run(cython, check=True, capture_output=True)
        subprocess.run([*gcc, target, "-o", library], check=True, capture_output=True)


def use(folder: Path) -> None:
    """Import the package from a folder, and assert that its engines are from the checked build."""
    sys.path.insert(0, str(folder))
    for name in COMPILED:
        loaded = Path(str(importlib.import_module(name).__file__))
        assert loaded.suffix == ".so", f"{name} is not compiled: it is {loaded}"
        assert loaded.is_relative_to(folder), f"{name} is not the checked one: it is {loaded}"


def end_at_false_assertions() -> None:
    """Make the process end when an assertion of a kernel fails. A compiled kernel cannot raise, so
    Python would only print the error."""
    from bestmove.search.engines.gomoku.search import Search

    failed: list[type[BaseException]] = []
    sys.unraisablehook = lambda said: failed.append(said.exc_type)
    kernel = Search(5, 5, 4, 4)
    kernel.set_up(bytes(25))
    kernel.play(12, 0)
    kernel.play(12, 1)
    assert failed[:1] == [AssertionError], "the build does not check assertions"

    def end(said: "sys.UnraisableHookArgs") -> None:
        sys.__unraisablehook__(said)
        os._exit(1)

    sys.unraisablehook = end


def search_through(positions: int, seed: int) -> None:
    """Search random positions of every size in all the ways that the engines offer."""
    from bestmove.search.engine import Task
    from bestmove.search.engines.gomoku.driver import GomokuEngine
    from bestmove.search.engines.solver.proof import Solver, nodes_for_proof

    lost = Position.of(Game(15, 15, 5), RUNS_DEEP, 2)
    deep = GomokuEngine(15, 15, 5, 18).search(Task(lost.cells, 2, nodes=600_000))
    assert deep.depth > 64, deep
    rng = random.Random(seed)
    searched = 0
    while searched < positions:
        rows, columns = rng.randint(1, 19), rng.randint(1, 19)
        k = min(max(rows, columns), rng.choice((3, 4, 5, 5, 6, rng.randint(1, MOST_K))))
        overline = k == MOST_K or rng.random() < 0.7
        engine = GomokuEngine(rows, columns, k, rng.choice((4, 8, 16)), overline=overline)
        for _ in range(4):
            marks = rng.randint(0, min(rows, 9) * min(columns, 9) - 1)
            at = Game(rows, columns, k).crowded(rng, marks)
            if at is None:
                continue
            task = Task(at.cells, at.to_move, nodes=rng.choice((100, 3_000, 60_000)))
            rng.choice((engine.search, engine.search, engine.search_moves))(task)
            if nodes_for_proof(rows, columns, k, task.cells.count(0), 1000):
                Solver(rows, columns, k, rng.choice((6, 12))).best(task)
            searched += 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    build(asked.folder)
    use(asked.folder.resolve())
    end_at_false_assertions()
    search_through(asked.positions, asked.seed)
    print(f"{asked.positions} positions searched, no access out of bounds, no false assertion")


if __name__ == "__main__":
    main()
