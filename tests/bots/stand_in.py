"""An engine that plays the first legal move, for tests of the adapters that call an engine."""

from dataclasses import dataclass
from typing import Any

from bestmove.game import Board


@dataclass
class Answer:
    move: int | None


class FirstMove:
    def __init__(self) -> None:
        self.asked: list[Board] = []
        self.options: list[dict[str, Any]] = []

    def best_move(self, board: Board, **options: Any) -> Answer:
        self.asked.append(board)
        self.options.append(options)
        return Answer(board.moves[0] if board.moves else None)
