"""An engine that plays the first legal move, for what an adapter does around the search."""

from dataclasses import dataclass
from typing import Any

from bestmove.game import Board


@dataclass
class Answer:
    move: int | None


class FirstMove:
    """Remembers the boards and the options that it was asked about."""

    def __init__(self) -> None:
        self.asked: list[Board] = []
        self.options: list[dict[str, Any]] = []

    def best_move(self, board: Board, **options: Any) -> Answer:
        self.asked.append(board)
        self.options.append(options)
        return Answer(board.moves[0] if board.moves else None)
