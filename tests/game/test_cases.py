"""A table of texts and arrays that people paste, read in every way that the package offers.

Each case of cases.json has a `board` or `moves`, and other arguments in `given`. A valid case also
has its meaning (`cells` and `shape`, or the indices of the moves). An invalid case has a part of
the error message (`fault`). Some name the `field` of the error and its class (`error`).
With `only`, the other readers have messages of their own.
"""

import json
import os
import random
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bestmove import Board, Rules
from bestmove.bots.mcp import PositionInput
from bestmove.cli.app import bestmove
from bestmove.errors import InvalidInput
from bestmove.game.inputs import spelled
from bestmove.game.rules import LETTERS
from bestmove.label.positions import board_of
from tests.api.conftest import api, log  # noqa: F401
from tests.api.http import Api
from tests.support.needs import NODE
from tests.support.positions import random_board
from tests.web.node import shown

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))


EVERYWHERE = [case for case in CASES if "only" not in case]


def meaning(case: dict[str, Any]) -> str:
    if "board" in case:
        return str(case["cells"])
    board = Board.empty(**case.get("given", {}))
    for index in case["cells"]:
        board = board.play(index)
    return board.cells


def read_by_library(case: dict[str, Any]) -> Board:
    given = case.get("given", {})
    if "moves" in case:
        return Board.from_moves(case["moves"], **given)
    return Board.parse(case["board"], **given)


def reads(case: dict[str, Any], read: Callable[[], Board]) -> Board | None:
    if "fault" in case:
        with pytest.raises(InvalidInput) as refused:
            read()
        assert case["fault"] in str(refused.value)
        assert case.get("field") in (None, refused.value.field)
        assert case.get("error") in (None, type(refused.value).__name__)
        return None
    board = read()
    assert board.cells == meaning(case), case
    return board


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case)[:60])
def test_the_library_reads_it(case: dict[str, Any]) -> None:
    board = reads(case, lambda: read_by_library(case))
    if board is not None:
        if "shape" in case:
            assert [board.rules.rows, board.rules.columns] == case["shape"]
            assert case.get("k") in (None, board.rules.k)
            drops = case.get("given", {}).get("game") == "connect-four"
            assert "k" not in case or board.rules.gravity == drops
        rules = asdict(board.rules) | {"rows": None, "columns": None}
        assert Board.parse(str(board), **rules, first=board.first) == board


def fields_of(case: dict[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = case.get("given", {})
    return {name: case[name] for name in ("board", "moves") if name in case} | given


def agrees(case: dict[str, Any], answer: Any) -> None:
    if "fault" in case:
        faults = [error["detail"] for error in answer["errors"]]
        assert any(case["fault"] in fault for fault in faults), faults
    else:
        assert answer["board"].replace("/", "") == meaning(case)


def test_the_service_reads_it_from_bodies_batches_and_queries(api: Api) -> None:  # noqa: F811
    quick: dict[str, Any] = {"level": 1, "seed": 0, "time_ms": 1}
    for case in EVERYWHERE:
        fields = fields_of(case)
        agrees(case, api.post("/best-move", fields | quick).json)
        batch: Any = api.post("/best-moves", {"boards": [fields], **quick}).json
        (item,) = batch["results"]
        agrees(case, item.get("result") or item["problem"])
        if isinstance(fields.get("board", fields.get("moves")), str):
            query = {
                name: "true" if value is True else str(value)
                for name, value in (fields | quick).items()
            }
            agrees(case, api.get("/best-move", None, **query).json)


def test_the_client_sends_what_the_service_reads_alike() -> None:
    for case in EVERYWHERE:
        if "board" in case and "fault" not in case:
            sent, own = spelled(case["board"])
            board = Board.parse(sent, **own, **case.get("given", {}))
            assert board.cells == meaning(case)


def test_label_reads_it() -> None:
    for case in EVERYWHERE:
        given = dict(case.get("given", {}))
        if case.get("board") == "" or ("moves" in case and not given.keys() & {"game", "k"}):
            continue  # `label` reads an empty value as a missing one, and moves need a game
        row: dict[str, Any] = {name: case[name] for name in ("board", "moves") if name in case}
        if "shape" in case and case["shape"][0] != case["shape"][1] and "game" not in given:
            given.setdefault("k", min(*case["shape"], 5))
        reads(case, partial(board_of, row, given))


def test_assistants_read_it() -> None:
    for case in EVERYWHERE:
        fields = fields_of(case)
        if isinstance(fields.get("board", ""), str) and set(fields) <= {"board", "moves", "game"}:
            reads(case, PositionInput(**fields).to_board)


def test_the_command_reads_it() -> None:
    for case in EVERYWHERE:
        text = case.get("board", case.get("moves"))
        given = dict(case.get("given", {}))
        if not isinstance(text, str) or "columns" in given or "rows" in given or text == "":
            continue
        options = [*("--level", "1", "--seed", "0", "--time", "10", "--json")]
        for name, value in given.items():
            options.append(f"--{name}" if len(name) > 1 else f"-{name}")
            options += [] if value is True else [str(value)]
        position = ["--moves", text] if "moves" in case else ["--", text]
        shown = CliRunner().invoke(
            bestmove, ["suggest", *options, *position], standalone_mode=False
        )
        if "fault" in case:
            told = " ".join((shown.stderr + str(shown.exception or "")).split())
            assert case["fault"] in told, (case, told)
        else:
            assert shown.exit_code == 0, (case, shown.stderr)
            assert json.loads(shown.stdout)["board"].replace("/", "") == meaning(case)


UNLIKE_THE_PAGE = {
    "": "On the page, an empty text is nothing to read.",
    "[]": "On the page, a list without items is a game without moves.",
    **dict.fromkeys(
        (
            "X O X\n  O  \n     ",
            "  X\n  O\n  X",
            "   |   |   \n   |   |   \n   |   |   ",
            "X | O |\nO | X |\nX |   |",
            "X1O/2X/1O1",
        ),
        "The page gives its size, so that the text can mean only one board.",
    ),
    ".../...": "The page does not give its size to a board of another size.",
}
"""The texts that the page reads otherwise, with the reasons."""


def answer_on(text: str, rules: dict[str, Any], first: str) -> dict[str, Any] | None:
    """Return what the page needs from the service's answer; None if the service refuses."""
    try:
        board = Board.parse(text, **rules, first=first)
    except InvalidInput:
        return None
    return {"rules": board.rules.to_dict(), "cells": board.cells}


@NODE
def test_the_page_reads_it() -> None:
    asked = []
    for case in EVERYWHERE:
        text = case.get("board", case.get("moves"))
        text = text if isinstance(text, str) else json.dumps(text)
        given = dict(case.get("given", {}))
        if given and "shape" in case:  # the page shows a board of the size that is meant
            given["rows"], given["columns"] = case["shape"]
        rules = Rules()
        with suppress(InvalidInput):
            rules = Board.empty(**given).rules
        page = rules.to_dict()
        answers = [[answer_on(text, by, first) for by in ({}, page)] for first in "XO"]
        asked.append(
            [text, {"rules": page, "first": given.get("first", "X"), "games": []}, answers]
        )
    found = shown(
        """
        const { answerOn, readRecord } = await load("records.js");
        const { RequestRefused } = await load("client.js");
        const read = async ([text, page, answers]) => {
          const { shared, history } = error(() => readRecord(text, page));
          if (!shared?.page) return history?.now.cells;
          const ask = async ({ first, rows }) => {
            const answer = answers["XO".indexOf(first)][rows ? 1 : 0];
            if (!answer) throw new RequestRefused(new URL("http://localhost"), 422, {});
            return answer;
          };
          return (await answerOn(ask, shared.rules, shared.page).catch(() => null))?.cells;
        };
        show(await Promise.all(given.map(async (one) => (await read(one)) ?? null)));
        """,
        given=asked,
    )
    unlike = set()
    for case, (text, _, _), cells in zip(EVERYWHERE, asked, found, strict=True):
        if cells != (None if "fault" in case else meaning(case)):
            unlike.add(text)
    assert unlike == set(UNLIKE_THE_PAGE)


def written(board: Board, rng: random.Random) -> str:
    empty = rng.choice(".-_+?*")
    width = board.rules.columns
    cells = board.cells.replace(".", empty)
    rows = [cells[at : at + width] for at in range(0, len(cells), width)]
    if rng.random() < 0.3:
        rows = [row.lower() for row in rows]
    if width == 1 or rng.random() < 0.4:
        gap = rng.choice(["", " "]) if empty in cells else ""
        text = rng.choice(["/", "\n", "\r\n"]).join(gap.join(row) for row in rows)
        return text + "/" if len(rows) == 1 else text
    bar = rng.choice(["|", " | "])
    edge = rng.choice(["", "|"])
    lines = [edge + bar.join(row) + edge for row in rows]
    rule = rng.choice(["\n", "\n---\n", "\n-+-+-\n", "\n====\n"])
    return rule.join(lines) + ("/" if len(rows) == 1 else "\n")


def copied(board: Board, rng: random.Random) -> str:
    """Write a board in a notation of other programs, with a character for each empty cell."""
    marks = rng.choice(["❌⭕⬜", "×○·", "●○.", "🔴🟡⚪", "🟥🟦⬛", "⚫⚪⬜", "XO_", "120"])
    text = board.cells.translate(str.maketrans("XO.", marks))
    width = board.rules.columns
    rows = [list(text[at : at + width]) for at in range(0, len(text), width)]
    numbers = range(len(rows), 0, -1)
    form = rng.choice(["rows", "list", "array", "runs", "frame", "coordinates"])
    if form == "rows":
        return rng.choice(["\n", "/"]).join(map(rng.choice(["", " "]).join, rows))
    if form == "list":
        return rng.choice(["", "board = "]) + repr(rows)
    if form == "array":
        return "[" + "\n ".join(f"[{' '.join(map(repr, row))}]" for row in rows) + "]"
    if form == "runs":
        lines = [re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in board.rows()]
        return "/".join(lines)
    if form == "frame":
        bar, line = rng.choice([("│", "─"), ("║", "═"), ("|", "-")])
        edge = line.join("+" * (width + 1)) if bar == "|" else line * (4 * width)
        return "\n".join([edge, *(f"{bar} {f' {bar} '.join(row)} {bar}\n{edge}" for row in rows)])
    lines = [f"{number:2} {' '.join(row)}" for number, row in zip(numbers, rows, strict=True)]
    return "\n".join([f"   {' '.join(LETTERS[:width])}", *lines])


def test_what_programs_write_reads_back_and_damage_makes_no_other_board() -> None:
    rng = random.Random(3)
    for _ in range(int(os.environ.get("BOARDS", "300"))):
        rows, columns = rng.choice([(3, 3), (6, 7), (15, 15), (3, 4), (20, 20)])
        board = random_board(rng, rows, columns, 3, rng.randrange(1, 8))
        text = copied(board, rng)
        assert Board.parse(text, rows, columns, 3) == board, text
        for _ in range(10):
            at = rng.randrange(len(text))
            # Without a mark, '' in a list and a blank after a bar are empty cells: no damage.
            without = [""] * (text[at - 1] not in "'" and text[at] not in "❌×●🔴🟥⚫X⭕○🟡🟦⚪O")
            mended = rng.choice([*without, text[at] * 2, "#", "Z", "7"])
            changed = text[:at] + mended + text[at + 1 :]
            with suppress(InvalidInput):
                assert Board.parse(changed, rows, columns, 3) == board, (text, changed)


def damaged(text: str, rng: random.Random, without: str, added: Sequence[str]) -> str:
    """Remove a character of `without` from the text, or insert one of `added`."""
    at = rng.randrange(len(text) + 1)
    if rng.random() < 0.5 and at < len(text) and text[at] in without:
        return text[:at] + text[at + 1 :]
    return text[:at] + rng.choice(added) + text[at:]


def game_written(board: Board, indices: list[int], rng: random.Random) -> str | list[Any]:
    rules = board.rules
    names = [rules.squares[index] for index in indices]
    columns = [rules.coordinates(index)[1] for index in indices]
    forms: list[list[Any]] = [indices, names]
    forms.append([dict(zip(("row", "column"), rules.coordinates(i), strict=True)) for i in indices])
    words = [names]
    if rules.gravity:
        forms.append([{"column": column} for column in columns])
        words += [[str(column + 1) for column in columns], [LETTERS[column] for column in columns]]
    if rng.random() < 0.2:
        return rng.choice(forms)
    chosen = rng.choice(words)
    if rng.random() < 0.3:
        chosen = [word.upper() for word in chosen]
    count = rng.choice([None, 1, 2])
    if count:
        chosen = [
            f"{at // count + 1}. {word}" if at % count == 0 else word
            for at, word in enumerate(chosen)
        ]
    text: str = rng.choice([" ", "\n"] if count else ["", " ", ", ", "_", "-", "\n", ";"]).join(
        chosen
    )
    return text + rng.choice(["", "\n", " {good}", " *", " 1-0"] if chosen else [""])


def test_games_read_back_and_damaged_layout_is_no_other_game() -> None:
    rng = random.Random(2)
    for _ in range(int(os.environ.get("BOARDS", "300"))):
        shape = rng.choice([(3, 3, 3), (15, 15, 5), (6, 7, 4), (12, 9, 4), (20, 20, 5)])
        empty = Board.empty(*shape, gravity=shape in ((6, 7, 4), (12, 9, 4)))
        board, indices = empty, []
        for _ in range(rng.randrange(1, 12)):
            if not board.is_over:
                indices.append(rng.choice(board.moves))
                board = board.play(indices[-1])
        rules = (*shape, "X")
        text = game_written(empty, indices, rng)
        assert Board.from_moves(text, *rules, gravity=empty.rules.gravity) == board, text
        if not isinstance(text, str):
            continue
        for _ in range(10):
            changed = damaged(text, rng, " ,_-;\n", " ,_-;\n\t")
            with suppress(InvalidInput):
                read = Board.from_moves(changed, *rules, gravity=empty.rules.gravity)
                assert read == board, (text, changed)


def test_what_is_written_reads_back_and_damaged_layout_is_no_other_board() -> None:
    rng = random.Random(1)
    for _ in range(int(os.environ.get("BOARDS", "300"))):
        shape = rng.choice([(3, 3), (6, 7), (15, 15), (4, 4), (2, 5), (1, 5)])
        board = random_board(rng, *shape, 3, rng.randrange(8))
        text = written(board, rng)
        assert Board.parse(text, k=3) == board, text
        # In a board of one row, an added `|` or line end can make another valid board.
        for _ in range(10 if shape[0] > 1 else 0):
            # Without bars, `---+---` is a row of seven empty cells.
            layout = ["\n", " ", "|", "/", "\t", "\r\n", *["\n---+---\n"] * ("|" in text)]
            changed = damaged(text, rng, " |/\n\r", layout)
            with suppress(InvalidInput):
                assert Board.parse(changed, k=3) == board, (text, changed)
