"""Many clients that ask questions at the same time and count the answers."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Self

from tests.support.connection import Answer, Connection

Ask = Callable[[Connection, int], Answer]
"""A function that asks a question over a connection. Its second argument is the question's number.
"""


@dataclass(frozen=True, slots=True)
class Failure:
    """A request without an answer. The times are those of the monotonic clock."""

    sent: float
    ended: float
    why: str


@dataclass
class Tally:
    """`problems`: what `check` found wrong with answers."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: dict[int, list[float]] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add(self, answer: Answer) -> None:
        self.statuses[answer.status] += 1
        self.seconds.setdefault(answer.status, []).append(answer.seconds)

    def merge(self, other: "Tally") -> None:
        self.statuses += other.statuses
        for status, seconds in other.seconds.items():
            self.seconds.setdefault(status, []).extend(seconds)
        self.failures += other.failures
        self.problems += other.problems

    @property
    def answered(self) -> int:
        return self.statuses.total()

    def quantile(self, share: float, status: int = 200) -> float:
        return quantile(self.seconds.get(status, []), share)


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value at the quantile `share`, or 0 if there are no values."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))]


class Crowd:
    """`size` clients, each with its own connection to the port.

    The clients ask until `stop()` is called, `seconds` have passed, or `count` questions are
    asked. Each client pauses for `pause` seconds between two questions. `check` returns what is
    wrong with an answer, or None. After a failure, a client connects again.
    """

    def __init__(
        self,
        port: int,
        ask: Ask,
        *,
        size: int,
        count: int | None = None,
        seconds: float | None = None,
        pause: float = 0,
        check: Callable[[Answer], str | None] | None = None,
        sources: Sequence[str] = ("127.0.0.1",),
        timeout: float = 30,
    ) -> None:
        self.tally = Tally()
        self._port, self._ask, self._check = port, ask, check
        self._count, self._pause, self._timeout = count, pause, timeout
        self._seconds = seconds
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(
                target=self._run, args=(number, size, sources[number % len(sources)]), daemon=True
            )
            for number in range(size)
        ]

    def start(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def stop(self) -> Tally:
        """Let each client finish its current question. Return the tally."""
        self._stop.set()
        return self.wait()

    def wait(self) -> Tally:
        for thread in self._threads:
            thread.join()
        return self.tally

    def _run(self, number: int, size: int, source: str) -> None:
        mine = Tally()
        question = number
        end = None if self._seconds is None else time.monotonic() + self._seconds
        with Connection(self._port, timeout=self._timeout, source=source) as connection:
            while not self._stop.is_set() and (self._count is None or question < self._count):
                sent = time.monotonic()
                if end is not None and sent >= end:
                    break
                try:
                    answer = self._ask(connection, question)
                except OSError as error:
                    why = f"{type(error).__name__}: {error}"
                    mine.failures.append(Failure(sent, time.monotonic(), why))
                    self._stop.wait(0.01)
                else:
                    mine.add(answer)
                    if self._check and (wrong := self._check(answer)):
                        mine.problems.append(wrong)
                question += size
                if self._pause:
                    self._stop.wait(self._pause)
        with self._lock:
            self.tally.merge(mine)
