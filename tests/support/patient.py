"""Gives textbook searches a minute more than their time, so that no test needs an idle processor.

A textbook search that does not end in time, by default in a second, gives no answer. The tests of
this refusal use the fixture `impatient`.
"""

import time

from bestmove.search.textbook import algorithms

LONGER_S = 60


def slow_clock() -> float:
    return time.monotonic() - LONGER_S


def give_more_time() -> None:
    algorithms.__dict__["monotonic"] = slow_clock
