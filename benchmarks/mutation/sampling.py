"""Mutants: small changes of the code at random places, as unified diffs."""

import ast
import contextlib
import difflib
import json
import random
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Final

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db

from benchmarks.mutation.running import PACKAGE, ROOT, Fault, compiled_sources

UNLIKE: Final = ("_Is", "_IsNot", "VariableReplacer", "VariableInserter")
"""The names of changes that nobody makes by mistake end in one of these."""


def sample(room: str, size: int, seed: int) -> list[Fault]:
    """At most `size` mutants of a room: random places, with one of the possible changes at each.

    The same seed gives the same sample of the same code.
    """
    dice = random.Random(f"{room} {seed}")
    below = ROOT / PACKAGE / room
    if room == "web":
        return _of_javascript(sorted(below.glob("*.js")), size, dice)
    hidden = compiled_sources()
    found = below.glob("*.py") if room == "" else below.rglob("*.py")
    return _of_python(
        [path for path in sorted(found) if str(path.relative_to(ROOT)) not in hidden], size, dice
    )


def _of_python(modules: list[Path], size: int, dice: random.Random) -> list[Fault]:
    places = defaultdict(list)
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
    faults = []
    for place in dice.sample(sorted(places), len(places)):
        spec = dice.choice(places[place])
        text = spec.module_path.read_text(encoding="utf-8")
        operator = get_operator(spec.operator_name)(**spec.operator_args)
        with contextlib.suppress(SyntaxError):
            changed = mutate_code(text, operator, spec.occurrence)
            ast.parse(changed)
            faults.append(_fault(spec.module_path, place[1][0], text, changed))
        if len(faults) == size:
            break
    return faults


def _no_code(path: Path) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The beginnings and ends of annotations and other code that only the type checker reads."""
    spans: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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


def _of_javascript(modules: list[Path], size: int, dice: random.Random) -> list[Fault]:
    """Mutants of JavaScript, found by TypeScript's parser, which the tests of the contract install.

    Stryker does not fit: it compiles all mutants into the code and chooses one by an environment
    variable, which code in a browser cannot read.
    """
    tools = ROOT / "tests" / "contract"
    if not (tools / "node_modules").exists():
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=tools, check=True)
    script = Path(__file__).with_name("javascript.mjs")
    parser = tools / "node_modules" / "typescript" / "lib" / "typescript.js"
    node = shutil.which("node") or "node"
    found = subprocess.run(
        [node, script, parser, *modules], capture_output=True, text=True, check=True
    )
    places = defaultdict(list)
    for file, start, end, instead in json.loads(found.stdout):
        places[file, start].append((end, instead))
    faults = []
    for file, start in dice.sample(sorted(places), min(size, len(places))):
        end, instead = dice.choice(places[file, start])
        text = Path(file).read_text(encoding="utf-8")
        units = text.encode("utf-16-le")  # JavaScript counts positions in UTF-16 units
        before, after = units[: 2 * start].decode("utf-16-le"), units[2 * end :].decode("utf-16-le")
        line = before.count("\n") + 1
        faults.append(_fault(Path(file), line, text, before + instead + after))
    return faults


def _fault(path: Path, line: int, text: str, changed: str) -> Fault:
    file = str(path.relative_to(ROOT))
    lines = difflib.unified_diff(
        text.splitlines(keepends=True), changed.splitlines(keepends=True), f"a/{file}", f"b/{file}"
    )
    return Fault(f"{file.removeprefix(PACKAGE)}:{line}", "".join(lines))
