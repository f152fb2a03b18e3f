"""client.js as an npm package: its types, and games played with it by node."""

import json
import re
import shutil
from pathlib import Path

import pytest

from bestmove.game import PRESETS
from bestmove.version import __version__
from tests.contract.node import TOOLS, run, tools  # noqa: F401
from tests.support.documents import EMBEDDING, IN_THE_GUIDE, blocks
from tests.support.needs import LONG

ROOT = Path(__file__).parents[2]
PACKAGE = json.loads((ROOT / "deploy" / "npm" / "package.json").read_text(encoding="utf-8"))
COMPILE = ("--strict", "--target", "es2022", "--module", "nodenext", "--outDir", "built")

PROGRAM = """
import { Client, RequestRefused, ServiceUnreachable, type BestMove, type Options } from "bestmove";

declare const process: { argv: string[] };

const service = new Client(process.argv[2]!);
const options: Options = { game: "connect-four", level: 3, seed: 1 };
let answer: BestMove = await service.bestMove({ moves: "4" }, options);
while (answer.move !== null) {
  const board: string = answer.after.board;
  answer = await service.bestMove(board, options);
}
const over: null = answer.turn;
console.log(answer.status, answer.rows, over);

const { games, limits } = await service.games();
const rows: number | undefined = games.find(({ name }) => name === options.game)?.rows;
console.log(rows, limits.lines, games.length);

const helped = await service.bestMove({ moves: "h8" }, { game: "gomoku", time_ms: 20, threads: 2 });
const threads: number | undefined = helped.search.threads;
console.log(threads === 1 || threads === 2);

const proven = await service.prove("XX..O.O..");
if (proven.proof === null) console.log(proven.detail);
else console.log(proven.proof.claims[0]?.plies);

const refused = await service.bestMove("XX").catch((error: unknown) => error);
if (refused instanceof RequestRefused) console.log(refused.status, refused.url, refused.message);

const nowhere = new Client(new URL("http://127.0.0.1:1"));
const lost = await nowhere.analyze("X........", { time_ms: 1 }).catch((error: unknown) => error);
if (lost instanceof ServiceUnreachable) console.log(lost.message);
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, tools: Path) -> Path:  # noqa: F811
    """Install the package as npm would publish it. Return the folder."""
    folder = tmp_path_factory.mktemp("npm")
    assert tools == TOOLS
    run("make", "npm", cwd=ROOT)
    run("npm", "pack", "--pack-destination", folder, cwd=ROOT / "dist" / "npm")
    (folder / "package.json").write_text('{"type": "module"}')
    (archive,) = folder.glob("*.tgz")
    run("npm", "install", "--offline", "--no-audit", "--no-fund", archive, cwd=folder)
    return folder


@pytest.mark.slow
@LONG
def test_the_package_holds_the_module_and_its_types_alone(installed: Path) -> None:
    package = installed / "node_modules" / "bestmove"
    files = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    main = PACKAGE["exports"]["."]
    named = {main["types"].removeprefix("./"), main["default"].removeprefix("./")}
    assert files == named | {"package.json", "README.md", "LICENSE"}


@pytest.mark.slow
@LONG
def test_a_typed_program_compiles_and_plays(installed: Path, url: str) -> None:
    (installed / "program.ts").write_text(PROGRAM)
    run(TOOLS / "tsc", *COMPILE, installed / "program.ts", cwd=installed)
    lines = run("node", installed / "built" / "program.js", url, cwd=installed).splitlines()
    assert re.fullmatch(r"(won|draw) 6 null", lines[0])
    assert lines[1] == f"6 20 {len(PRESETS)}"
    assert lines[2] == "true"
    assert lines[3] == "1"
    assert lines[4].startswith(f"422 {url}/best-move the board has 2 cells")
    assert lines[5] == "http://127.0.0.1:1/analyze: no connection"


IN_REACT = """
import { createElement } from "react";
import { create } from "react-test-renderer";
import { useBestMove } from "./hook.mjs";

function Shown({ board }) {
  const { answer, error } = useBestMove(board);
  return error ? error.message : answer ? answer.after.board : "…";
}

const shows = async (root, wanted) => {
  while (!root.toJSON()?.includes(wanted)) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(root.toJSON());
};

const root = create(createElement(Shown, { board: "X...O...." }));
await shows(root, "XX..O");
root.update(createElement(Shown, { board: "XX..O...." }));
await shows(root, "XXO");
root.update(createElement(Shown, { board: "XX" }));
await shows(root, "cells");
root.unmount();
"""


@pytest.mark.slow
@LONG
def test_the_guides_hook_follows_the_board_of_a_component(
    tools: Path,  # noqa: F811
    url: str,
    tmp_path: Path,
) -> None:
    (hook,) = (text for text in blocks(EMBEDDING, "js") if '"react"' in text)
    (tmp_path / "node_modules").symlink_to(tools.parent)
    (tmp_path / "hook.mjs").write_text(hook.replace(IN_THE_GUIDE, url))
    shutil.copy(ROOT / "service" / "bestmove" / "web" / "client.js", tmp_path / "client.mjs")
    (tmp_path / "program.mjs").write_text(IN_REACT)
    first, second, refused = run("node", "program.mjs", cwd=tmp_path).splitlines()[:3]
    assert (first, second) == ("XX..O....", "XXO.O....")
    assert "the board has 2 cells" in refused


def test_the_package_has_the_version_of_the_service() -> None:
    # npm spells a release candidate differently: 1.0.0-rc.1 for 1.0.0rc1.
    assert PACKAGE["version"] == re.sub(r"(\d)(a|b|rc)(\d)", r"\1-\2.\3", __version__)
