"""Answers: what was found, in the shapes of `bestmove.api.schemas`."""

from __future__ import annotations

import json
from typing import Any, Final

from bestmove.api.schemas import AnalysisAnswer, BestMoveAnswer, TreeAnswer
from bestmove.game import Board
from bestmove.search.results import Analysis, BestMove, SearchStats

_BEST_MOVE: Final = BestMoveAnswer()
_ANALYSIS: Final = AnalysisAnswer()
_TREE: Final = TreeAnswer()
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def position(board: Board) -> dict[str, Any]:
    """The fields of a position."""
    line = board.winning_line
    return {
        "board": str(board),
        "rows": board.rules.rows,
        "columns": board.rules.columns,
        "k": board.rules.k,
        "turn": board.turn,
        "status": board.status,
        "winner": board.winner,
        "winning_line": None if line is None else list(line),
    }


def cell(board: Board, index: int) -> dict[str, int]:
    """A cell's index, row and column."""
    row, column = board.rules.coordinates(index)
    return {"index": index, "row": row, "column": column}


def best_move(board: Board, found: BestMove) -> dict[str, Any]:
    """The answer of /best-move, less `search`."""
    move = found.move
    answer: dict[str, Any] = _BEST_MOVE.dump(
        position(board)
        | {
            "move": None if move is None else cell(board, move),
            "board_after": None if move is None else str(board.play(move)),
            "score": found.score,
            "exact": found.exact,
            "outcome": found.outcome,
            "plies": found.plies,
            "pv": found.pv,
            "reason": found.reason,
        }
    )
    return answer


def analysis(board: Board, found: Analysis) -> dict[str, Any]:
    """The answer of /analyze, less `search`."""
    moves = [
        cell(board, move.index)
        | {
            "score": move.score,
            "exact": move.exact,
            "outcome": move.outcome,
            "plies": move.plies,
            "pv": move.pv,
        }
        for move in found.moves
    ]
    answer: dict[str, Any] = _ANALYSIS.dump(
        position(board) | {"moves": moves, "complete": found.complete}
    )
    return answer


def tree(found: Any) -> dict[str, Any]:
    """The answer of /game-tree."""
    answer: dict[str, Any] = _TREE.dump(
        {
            "value": found.value,
            "path": found.path,
            "evaluated": found.evaluated,
            "pruned": found.pruned,
            "search": search(found.search),
        }
    )
    return answer


def search(stats: SearchStats) -> dict[str, Any]:
    """What a search cost."""
    return {
        "algorithm": stats.algorithm,
        "nodes": stats.nodes,
        "cutoffs": stats.cutoffs,
        "table_hits": stats.table_hits,
        "depth": stats.depth,
        "elapsed_ms": round(stats.elapsed_ms, 3),
    }


def text(answer: dict[str, Any]) -> str:
    """An answer as JSON, compact."""
    return _ENCODER.encode(answer)


def server_timing(stats: SearchStats, elapsed_ms: float | None = None) -> str:
    """What a search cost, as the header Server-Timing; `elapsed_ms` if not that of `stats`."""
    duration = round(stats.elapsed_ms, 3) if elapsed_ms is None else elapsed_ms
    return (
        f'search;dur={duration};desc="{stats.algorithm}", nodes;desc="{stats.nodes}", '
        f'cutoffs;desc="{stats.cutoffs}", table_hits;desc="{stats.table_hits}", '
        f'depth;desc="{stats.depth}"'
    )
