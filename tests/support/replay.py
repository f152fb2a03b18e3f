"""Checks a proven win of the gomoku engine by playing it against every legal reply."""

from bestmove.search.engines.gomoku.proofs import LongestDefence
from bestmove.search.results import Found
from bestmove.search.scores import WIN
from tests.support.oracle import Game

NOT_WON = 1_000
"""Means "no win" where a number of plies is expected. Every win takes fewer plies."""


class Replay:
    """Plays the winner's moves of a `LongestDefence` against every legal reply."""

    def __init__(self, game: Game, played: LongestDefence, winner: int) -> None:
        self.game = game
        self.winner = winner
        # The winner's move in a position is the first move of the line stored for the position.
        self.moves = {
            (x, o): told.line[0]
            for (x, o, turn, side), told in played._known.items()
            if turn == side == winner
        }
        self.alike: dict[int, list[tuple[int, int]]] = {}
        for marks, move in self.moves.items():
            self.alike.setdefault(marks[winner], []).append((marks[1 - winner], move))
        self.known: dict[tuple[int, int], int] = {}

    def plies(self, marks: tuple[int, int]) -> int:
        """Return after how many plies the winner, who is to move, wins; or `NOT_WON`.

        The loser delays as long as possible. If no move is stored for the position, the winner
        tries the moves of similar positions, in which the winner has the same marks.
        """
        if marks not in self.known:
            mine, yours = marks[self.winner], marks[1 - self.winner]
            at_once = self.win_at_once(mine, yours)
            if at_once:
                self.known[marks] = at_once
            elif marks in self.moves:
                self.known[marks] = 1 + self.longest(mine | 1 << self.moves[marks], yours)
            else:
                moves = {
                    move
                    for others, move in self.alike.get(mine, ())
                    if (others ^ yours).bit_count() <= 4 and not yours >> move & 1
                }
                self.known[marks] = 1 + min(
                    (self.longest(mine | 1 << move, yours) for move in moves), default=NOT_WON
                )
        return self.known[marks]

    def longest(self, mine: int, yours: int) -> int:
        """Return the same as `plies`, but the loser is to move."""
        if self.rests(yours, mine, 1) or self.game.has_line(mine):
            return NOT_WON
        longest = 0
        for reply in self.free(mine, yours):
            after = yours | 1 << reply
            marks = (mine, after) if self.winner == 0 else (after, mine)
            longest = max(longest, 1 + self.plies(marks))
            if longest >= NOT_WON:
                break
        return longest or NOT_WON

    def win_at_once(self, mine: int, yours: int) -> int:
        """Return 1 if a move completes a line, 3 if a move makes two threats, otherwise 0."""
        if self.rests(mine, yours, 1):
            return 1
        ends = self.rests(yours, mine, 1)
        pairs = self.rests(mine, yours, 2)
        forks = 0
        for one in pairs:
            for two in pairs:
                if one != two:
                    forks |= one & two
        for end in ends:
            forks &= end
        return 3 if forks else 0

    def rests(self, mine: int, yours: int, count: int) -> set[int]:
        """Return the missing cells of each window that lacks exactly `count` marks of `mine`."""
        return {
            line & ~mine
            for line, ends in self.game.ends.items()
            if not line & yours
            and (line & ~mine).bit_count() == count
            and (self.game.overline or not ends & mine)
        }

    def free(self, mine: int, yours: int) -> list[int]:
        return [i for i in range(self.game.size) if not (mine | yours) >> i & 1]


def check_plies(game: Game, cells: bytes, side: int, told: Found, played: LongestDefence) -> None:
    """Assert that a replay confirms the value, and that `told.pv` wins with its last move."""
    marks = [sum(1 << i for i, mark in enumerate(cells) if mark == 1 + who) for who in (0, 1)]
    winner = side if told.value > 0 else 1 - side
    replay = Replay(game, played, winner)
    if winner == side:
        replay.moves[marks[0], marks[1]] = told.pv[0]
        plies = replay.plies((marks[0], marks[1]))
    else:
        plies = replay.longest(marks[winner], marks[side])
    assert plies == WIN - abs(told.value) == len(told.pv)
    turn = side
    for step, move in enumerate(told.pv, 1):
        assert not (marks[0] | marks[1]) >> move & 1
        marks[turn] |= 1 << move
        assert game.completes(marks[turn], move) == (step == len(told.pv))
        turn = 1 - turn
