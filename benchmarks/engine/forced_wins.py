"""Does a change of the threat search prove more? Forced wins, and whether they come as claimed.

    python -m benchmarks.engine.forced_wins [--nodes N] [--verify [--every N]] [--exactly]

Counts the wins that the door proves within so many nodes each: 900,000 are about a second's.
`--verify` asks what the door claims of each position, or each Nth, and four of its images, and
plays it out against every legal reply: the win must come within the plies of the claim. The engine
says only which moves to try; the rules tell the end. With `--exactly` more than five in a row do
not win: most of the positions are won all the same.
"""

from collections.abc import Iterator

from benchmarks.options import asked
from bestmove.game import EMPTY, Board, O, X
from bestmove.search.analysis import best_move
from bestmove.search.engine import Task, encoded
from bestmove.search.engines.gomoku.driver import Engine
from bestmove.search.engines.gomoku.patterns import CELL_OPEN_FOUR, CELL_THREE
from bestmove.search.limits import Limits
from bestmove.search.results import Found
from tests.support.won_positions import positions

NODES = 900_000
VERIFIED_NODES = 300_000
IMAGES = 5
MOST_REPLIES = 60_000
MOST_NODES = 50_000


class TooManyReplies(Exception):
    """Neither kept nor broken, as far as was tried."""


class Verifier:
    """Plays a win out against every defence; remembers what it has seen won or not."""

    def __init__(self, board: Board) -> None:
        self.rules = board.rules
        self.engine = engine_for(board, 16)
        self.cells = list(board.cells)
        self.winner, self.loser = (X, O) if board.turn == X else (O, X)
        self.won: dict[str, int] = {}
        self.open: dict[str, int] = {}
        self.replies = 0

    def wins_within(self, plies: int, first: int | None = None) -> bool:
        """Whether the winner, to move, wins within so many plies, whatever is replied.

        `first` is tried first, then what the engine says, then every four and three.
        """
        if self._completing(self.winner, self._free()):
            return plies >= 1
        if plies < 3:
            return False
        key = "".join(self.cells)
        if key in self.won and plies >= self.won[key]:
            return True
        if plies <= self.open.get(key, 0):
            return False
        for move in self._candidates(plies, first):
            self.cells[move] = self.winner
            held = self._is_held(plies - 1)
            self.cells[move] = EMPTY
            if not held:
                self.won[key] = plies
                return True
        self.open[key] = plies
        return False

    def _candidates(self, plies: int, first: int | None) -> Iterator[int]:
        must = self._completing(self.loser, self._free())
        if must:
            yield must[0]
            return
        if first is not None:
            yield first
        cells, mover = encoded("".join(self.cells), self.winner)
        kernel = self.engine.kernel
        kernel.begin(cells, None, None)
        if kernel.fours_win(mover - 1, plies, MOST_NODES) and (line := kernel.line()):
            yield line[0]
        answer = best_move(
            Board("".join(self.cells), self.rules, self._first()), Limits(time_ms=None, nodes=5_000)
        )
        if answer.move is not None:
            yield answer.move
        found = threats(self.engine, self.cells, self.winner)
        if found is not None:
            yield found.pv[0]
        yield from self._making(CELL_THREE)

    def _first(self) -> str:
        """Who moved first, that it is the winner's turn."""
        even = self.cells.count(X) == self.cells.count(O)
        return self.winner if even else self.loser

    def _is_held(self, plies: int) -> bool:
        """Whether the loser, to move, has a reply after which he is not lost in time."""
        if self._completing(self.loser, self._free()):
            return True
        ends = self._completing(self.winner, self._free())
        if len(ends) > 1:
            self.replies += 1
            return plies < 2
        fours = [] if ends else self._open_fours()
        # Any reply but the one that stops a line lets it be completed.
        for reply in ends or self._free():
            self.replies += 1
            if self.replies > MOST_REPLIES:
                raise TooManyReplies
            self.cells[reply] = self.loser
            won = (
                plies >= 4
                and any(self._wins_at(four) for four in fours)
                and not self._threatens(reply)
            ) or self.wins_within(plies - 1)
            self.cells[reply] = EMPTY
            if not won:
                return True
        return False

    def _free(self) -> list[int]:
        return [index for index, mark in enumerate(self.cells) if mark == EMPTY]

    def _completing(self, mark: str, among: list[int]) -> list[int]:
        """The cells with which a side completes a line, by the rules."""
        cells = "".join(self.cells)
        return [index for index in among if self.rules.completes_line(cells, index, mark)]

    def _open_fours(self) -> list[int]:
        return [index for index in self._making(CELL_OPEN_FOUR) if self._wins_at(index)]

    def _making(self, least: int) -> list[int]:
        """The cells where the engine sees the winner's mark make a class of `patterns` or more."""
        cells, mover = encoded("".join(self.cells), self.winner)
        return [
            index
            for index, classes in enumerate(self.engine.classes(cells))
            if classes is not None and classes[1 + mover] >= least
        ]

    def _wins_at(self, index: int) -> bool:
        """Whether the winner's mark on a cell leaves two cells to complete a line."""
        if self.cells[index] != EMPTY:
            return False
        self.cells[index] = self.winner
        ends = self._completing(self.winner, self._free_along(index))
        self.cells[index] = EMPTY
        return len(ends) > 1

    def _threatens(self, index: int) -> bool:
        """Whether the loser's mark on a cell lets him complete a line next."""
        return bool(self._completing(self.loser, self._free_along(index)))

    def _free_along(self, index: int) -> list[int]:
        cells = {at for line in self.rules.lines_through[index] for at in line}
        return [at for at in cells if self.cells[at] == EMPTY]


def engine_for(board: Board, table_bits: int = 20) -> Engine:
    """An engine that plays by the rules of a board."""
    rules = board.rules
    return Engine(rules.rows, rules.columns, rules.k, table_bits, overline=rules.overline)


def threats(engine: Engine, cells: list[str], mover: str) -> Found | None:
    """The engine's win by threats for the side to move."""
    return engine.forced_win(Task(*encoded("".join(cells), mover), deadline=None, nodes=2_000_000))


def images(board: Board, count: int) -> list[Board]:
    """A square board, turned and mirrored in so many ways, itself the first."""
    side = board.rules.rows
    lines = [board.cells[row * side : (row + 1) * side] for row in range(side)]
    found = []
    for number in range(count):
        if number == 4:
            lines = [line[::-1] for line in lines]
        found.append(Board("".join(lines), board.rules, board.first))
        lines = ["".join(column)[::-1] for column in zip(*lines, strict=True)]
    return found


def verify(boards: list[Board]) -> None:
    """Play out what is claimed of each; SystemExit for a claim that is not kept."""
    verified = undecided = replies = 0
    for number, board in enumerate(boards, 1):
        for image in images(board, IMAGES):
            answer = best_move(image, Limits(time_ms=None, nodes=VERIFIED_NODES))
            if answer.outcome != "win" or answer.plies is None:
                continue
            verifier = Verifier(image)
            try:
                if not verifier.wins_within(answer.plies, answer.move):
                    raise SystemExit(f"NOT WON in {answer.plies} plies: {image}")
                verified += 1
            except TooManyReplies:
                undecided += 1
            replies += verifier.replies
        print(
            f"{number}: {verified} wins kept, {undecided} undecided, {replies:,} replies",
            flush=True,
        )


def main() -> None:
    """Count, and verify when asked to."""
    options = asked(__doc__, nodes=NODES, verify=False, every=1, exactly=False)
    boards = positions(overline=not options.exactly)
    limits = Limits(time_ms=None, nodes=options.nodes)
    answers = [best_move(board, limits) for board in boards]
    proven = [answer for answer in answers if answer.outcome == "win"]
    print(f"proven within {options.nodes:,} nodes: {len(proven)} of {len(boards)}")
    if options.verify:
        verify(boards[:: options.every])


if __name__ == "__main__":
    main()
