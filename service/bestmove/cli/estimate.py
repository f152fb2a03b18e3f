"""Estimates the cost of a labelling job: reads and checks all rows, and searches a sample."""

from __future__ import annotations

import random
import time
from collections import Counter
from typing import Final

from bestmove.game import PRESETS, Board
from bestmove.label.job import LabelJob
from bestmove.label.labelling import answer, positions
from bestmove.label.tables import reading
from bestmove.label.tally import Tally, tally_of
from bestmove.search.table import POSITIONS
from bestmove.words import duration

_SAMPLE: Final = 200
"""The most positions of each game to search."""

_SAMPLE_S: Final = 3.0
"""The most processor time of all searches together, in seconds."""


def estimate(job: LabelJob) -> tuple[str, Tally]:
    """Read and check all rows, and search some of them.

    Returns:
        A text with the estimated time for each game's rows, and the tally of all rows.
    """
    tally = Tally()
    rows: Counter[str] = Counter()
    samples: dict[str, list[Board]] = {}
    dice = random.Random(0)
    started = time.thread_time()
    for file in job.files:
        start = 0
        with reading(file.name):
            for table in file.source.tables():
                boards, places = positions(table, job.options)
                found = [boards[place] for place in places]
                tally.add(tally_of(found, 0, file.number, start))
                start += len(table)
                for board in (board for board in found if isinstance(board, Board)):
                    game = _name(board)
                    rows[game] += 1
                    _draw(samples.setdefault(game, []), board, rows[game], dice)
    reading_s = (time.thread_time() - started) / max(1, tally.rows)
    lines = []
    for game, count in rows.most_common():
        # A process remembers the answers of all positions of tic-tac-toe.
        searches = min(count, POSITIONS) if samples[game][0].rules.is_3x3 else count
        search_s = _seconds(samples[game], job, _SAMPLE_S / len(rows))
        seconds = count * reading_s + searches * search_s
        lines.append(
            f"{game}: {count:,} row{'s' * (count > 1)}, {count / seconds:,.0f} a second, about "
            f"{duration(seconds)} of one processor"
        )
    return "\n".join(lines), tally


def _draw(sample: list[Board], board: Board, seen: int, dice: random.Random) -> None:
    """Keep a random sample, in which all boards so far are equally likely (Vitter's algorithm
    R)."""
    if len(sample) < _SAMPLE:
        sample.append(board)
    elif (place := dice.randrange(seen)) < _SAMPLE:
        sample[place] = board


def _seconds(sample: list[Board], job: LabelJob, most: float) -> float:
    """Return the average processor time of an answer. Measure for at most about `most` seconds."""
    options = job.options

    def search(board: Board) -> None:
        # `__wrapped__` bypasses the cache: answers from the cache take no time.
        answer.__wrapped__(board, options.limits(board.rules), options.all_moves, options.reason)

    search(sample[0])  # The first search also builds the engine's tables.
    started, done = time.thread_time(), 0
    for board in sample:
        search(board)
        done += 1
        if time.thread_time() - started > most:
            break
    return max(time.thread_time() - started, 1e-6) / done


def _name(board: Board) -> str:
    rules = board.rules
    names = {preset.rules: name for name, preset in PRESETS.items()}
    return names.get(rules, f"{rules.rows}x{rules.columns}, k {rules.k}")
