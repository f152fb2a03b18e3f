"""Tools read openapi.yaml: a linter, and generators of a Python client and TypeScript types."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import requests

from tests.contract.node import run
from tests.support.needs import LONG
from tests.support.servers import running_service

pytestmark = [pytest.mark.slow, LONG]

HERE = Path(__file__).parent
WRITTEN = HERE.parents[1] / "openapi.yaml"
PACKAGE = "generated_best_move"

PROGRAM = """
import type { components, paths } from "./generated.js";

type Question = paths["/play"]["post"]["requestBody"]["content"]["application/json"];
type Answer = paths["/play"]["post"]["responses"]["200"]["content"]["application/json"];
type Tree = components["schemas"]["TreeRequest"];

export const tree: Tree = { tree: [[3, [5, 2]], { value: 6, children: [9] }] };

export async function play(question: Question): Promise<Question | null> {
  const response = await fetch("/play", { method: "POST", body: JSON.stringify(question) });
  const answer: Answer = await response.json();
  const cells: number[] = answer.reason?.cells ?? [];
  if (answer.move === null || cells.length === 0) return null;
  return { ...answer.rules, board: answer.after.board, move: answer.move };
}
"""


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Yield the address of a real server, and a file with the openapi.yaml that it serves."""
    folder = tmp_path_factory.mktemp("document")
    with running_service() as url:
        file = folder / "served.yaml"
        file.write_bytes(requests.get(f"{url}/openapi.yaml", timeout=60).content)
        yield url, file


def test_the_linter_finds_nothing(tools: Path, document: tuple[str, Path]) -> None:
    for file in (WRITTEN, document[1]):
        # Without "--format" the linter's summary leaves out the warnings.
        said = run(
            tools / "redocly", "lint", "--max-problems=1000", "--format=stylish", file, cwd=HERE
        )
        assert "is valid" in said
        assert "warning" not in said.lower().replace("deprecation warning", "")


def test_generated_types_compile(tools: Path, document: tuple[str, Path], tmp_path: Path) -> None:
    for file in (WRITTEN, document[1]):
        run(tools / "openapi-typescript", file, "-o", tmp_path / "generated.ts", cwd=HERE)
        (tmp_path / "program.ts").write_text(PROGRAM)
        options = ("--strict", "--noEmit", "--target", "es2022", "--module", "nodenext")
        run(tools / "tsc", *options, tmp_path / "program.ts", cwd=tmp_path)


@pytest.fixture(scope="module")
def generated(document: tuple[str, Path]) -> Iterator[str]:
    """Generate the Python client, without a warning. Yield the name of its package."""
    folder = document[1].parent
    run(
        "openapi-python-client", "generate", "--path", document[1], "--meta", "none",
        "--output-path", PACKAGE, "--fail-on-warning", cwd=folder,
    )  # fmt: skip
    sys.path.insert(0, str(folder))
    yield PACKAGE
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
        del sys.modules[name]


def part(package: str, name: str) -> ModuleType:
    return importlib.import_module(f"{package}.{name}")


def test_the_generated_client_plays_a_game(generated: str, document: tuple[str, Path]) -> None:
    models: Any = part(generated, "models")
    best_move: Any = part(generated, "api.play.post_best_move")
    play: Any = part(generated, "api.play.post_play")
    kind = models.Game("misere-tic-tac-toe")
    with part(generated, "client").Client(base_url=document[0]) as client:
        answer = best_move.sync(client=client, body=models.PositionRequest(game=kind, seed=1))
        while answer.move is not None:
            assert isinstance(answer, models.BestMoveAnswer)
            assert answer.reason.cells
            move = models.CellInput(**answer.move.to_dict())
            body = models.PlayRequest(board=answer.board, move=move, game=kind, seed=1)
            answer = play.sync(client=client, body=body)
    assert (answer.status, answer.winner) == ("draw", None)
