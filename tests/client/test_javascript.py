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

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGE = json.loads((ROOT / "deploy" / "npm" / "package.json").read_text(encoding="utf-8"))
COMPILE = ("--strict", "--target", "es2022", "--module", "nodenext", "--outDir", "built")


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
    shutil.copy(HERE / "program.ts", installed)
    run(TOOLS / "tsc", *COMPILE, installed / "program.ts", cwd=installed)
    lines = run("node", installed / "built" / "program.js", url, cwd=installed).splitlines()
    assert re.fullmatch(r"(won|draw) 6 null", lines[0])
    assert lines[1] == f"6 20 {len(PRESETS)}"
    assert lines[2] == "1"
    assert lines[3].startswith(f"422 {url}/best-move the board has 2 cells")
    assert lines[4] == "http://127.0.0.1:1/analyze: no connection"


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
    shutil.copy(HERE / "react.mjs", tmp_path)
    first, second, refused = run("node", "react.mjs", cwd=tmp_path).splitlines()[:3]
    assert (first, second) == ("XX..O....", "XXO.O....")
    assert "the board has 2 cells" in refused


def test_the_package_has_the_version_of_the_service() -> None:
    # npm spells a release candidate differently: 1.0.0-rc.1 for 1.0.0rc1.
    assert PACKAGE["version"] == re.sub(r"(\d)(a|b|rc)(\d)", r"\1-\2.\3", __version__)
