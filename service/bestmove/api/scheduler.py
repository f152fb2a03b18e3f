"""Gives the work of requests its turn, in all worker processes together.

The processes share a table of tickets: create it before the workers are forked. The decisions are
those of `bestmove.api.tickets`. While a process has work, one thread looks every TICK_S seconds
whether clients have left, whether work must end, and whether waiting work may start.
"""

from __future__ import annotations

import fcntl
import logging
import mmap
import os
import select
import struct
import tempfile
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import Final, Protocol

from bestmove.api import tickets as rules
from bestmove.api.tickets import BLOCKED, ENDING, RUNNING, WAITING, Ticket
from bestmove.errors import Overloaded
from bestmove.search.cancellation import Cancellation

TICK_S: Final = 0.02

_MOST_TICKETS: Final = 1024
_ROW: Final = struct.Struct("BBHqdddd")
_FREE: Final = bytes(_ROW.size)

_log: Final = logging.getLogger(__name__)


class Peer(Protocol):
    """A client's connection."""

    def is_gone(self) -> bool:
        """Return True if the client has closed the connection, or its sending half."""

    def is_behind(self) -> bool:
        """Send as much as possible without blocking. Return True if some data is still unsent."""


@dataclass(eq=False)
class Work:
    """The work of one request in this process.

    Attributes:
        peer: the client's connection; None if the server does not provide it.
        client: identifies the client.
        arrived, due: as in `Ticket`.
        is_timed: whether the work may end early, with the best answer so far.
        size: the bytes of memory that the work needs.
        threads: the most slots that the work can use.
        size_of_thread: the bytes that each slot after the first needs.
        cancellation: ends the work.
        is_gone: whether the client has left.
        granted_ms: how long the work ran until it was told to end for others; None if it was not.
        waited: the seconds for which it waited.
        slots: the slots that it holds.
    """

    peer: Peer | None
    client: str
    arrived: float
    due: float
    is_timed: bool
    size: int
    threads: int = 1
    size_of_thread: int = 0
    cancellation: Cancellation = field(default_factory=Cancellation)
    is_gone: bool = False
    granted_ms: int | None = None
    waited: float = 0.0
    slots: int = 0
    number: int = -1
    _ready: Event = field(default_factory=Event)

    def needs(self, slots: int) -> int:
        return self.size + (slots - 1) * self.size_of_thread

    def wait(self) -> None:
        self._ready.wait()

    def start(self, slots: int) -> None:
        self.slots = slots
        self._ready.set()

    def leave(self) -> None:
        """End the work, because its client has left."""
        self.is_gone = True
        self.cancellation.cancel()
        self._ready.set()


class Scheduler:
    """Lets work run, wait or end.

    Args:
        slots: the most slots in use at the same time, in all processes together.
        queue: the most work that may wait in this process. Work that never ends early may take half
            of these places, because its turns may be long.
        most: the most work of this process, waiting and running.
        rows: the most work of all processes.
        memory: bytes for the work of this process.
    """

    def __init__(self, slots: int, queue: int, most: int, rows: int, memory: int) -> None:
        self._slots, self._queue, self._most, self._memory = slots, queue, most, memory
        self._count = min(_MOST_TICKETS, rows)
        self._rows = mmap.mmap(-1, self._count * _ROW.size)
        self._file = _unnamed_file()
        # Who gives a slot back wakes the processes that wait for one.
        self._woken, self._wake = os.pipe()
        for descriptor in (self._file, self._woken, self._wake):
            # Not at the end of the process: the thread may still use them.
            weakref.finalize(self, os.close, descriptor).atexit = False
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wake, False)
        self._mine: dict[int, Work] = {}
        self._lock = Lock()
        self._is_watched = False

    @property
    def waiting(self) -> int:
        return sum(not work.slots for work in list(self._mine.values()))

    def enter(self, work: Work, *, is_let_in: bool) -> None:
        """Wait until the work may run, or its client has left. Call `leave` at the end.

        Args:
            is_let_in: whether the service has already begun with the request.

        Raises:
            Overloaded: too much other work waits.
        """
        now = time.monotonic()
        with self._table():
            is_full = len(self._mine) >= self._most and not is_let_in
            number = None if is_full else self._free_number()
            if number is None:
                raise _overloaded()
            client = hash(work.client)
            self._write(
                Ticket(WAITING, work.is_timed, 1, client, work.arrived, work.due, now), number
            )
            self._mine[number], work.number = work, number
            self._start_next(self._read(), now)
            if not (work.slots or is_let_in or self._may_wait(work)):
                self._remove(work)
                raise _overloaded()
            if not self._is_watched:
                self._is_watched = True
                Thread(target=self._watch, name="scheduler", daemon=True).start()
            if work.slots:
                return
        work.wait()
        work.waited = time.monotonic() - now

    def _may_wait(self, work: Work) -> bool:
        alike = sum(not (each.slots or each.is_timed) for each in self._mine.values())
        has_place = work.is_timed or alike <= (self._queue + 1) // 2
        return self.waiting <= self._queue and has_place

    def leave(self, work: Work) -> None:
        with self._table():
            self._remove(work)
            self._start_next(self._read(), time.monotonic())

    def ends_at(self, work: Work) -> float:
        """Return when running work must end because others wait; infinity if it may go on.

        If it must end now, it is told so.
        """
        now = time.monotonic()
        with self._table():
            tickets = self._read()
            self._end_late(tickets, now)
        if work.granted_ms is not None:
            return now
        mine = next(each for each in tickets if each.number == work.number)
        return max(now + TICK_S, rules.ends_at(mine, tickets, self._slots, now))

    def _watch(self) -> None:
        while True:
            with self._lock:
                if not self._mine:
                    self._is_watched = False
                    return
            seconds = TICK_S
            try:
                seconds = self._tick()
            except Exception:
                _log.exception("the scheduler failed, and goes on")
            if select.select([self._woken], [], [], seconds)[0]:
                with suppress(BlockingIOError):  # another process was faster
                    os.read(self._woken, select.PIPE_BUF)

    def _tick(self) -> float:
        """Do what is due. Return the seconds until the next call."""
        for work in list(self._mine.values()):
            if not work.is_gone and work.peer is not None and _is_gone(work.peer):
                work.leave()
        now = time.monotonic()
        with self._table():
            tickets = self._start_next(self._read(), now)
            self._end_late(tickets, now)
            ends = (
                rules.ends_at(each, tickets, self._slots, now)
                for each in tickets
                if each.state == RUNNING and each.number in self._mine
            )
            return min([TICK_S, *(end - now for end in ends if end > now)])

    def _end_late(self, tickets: list[Ticket], now: float) -> None:
        """Tell work of this process to end if it has had its time."""
        late = [*rules.overdue(tickets, self._slots, now), *self._overdue_here(tickets, now)]
        for ticket in late:
            work = self._mine.get(ticket.number)
            if work is not None and work.granted_ms is None:
                self._write(ticket._replace(state=ENDING), ticket.number)
                work.granted_ms = round((now - ticket.started) * 1000)
                work.cancellation.cancel()

    def _overdue_here(self, tickets: list[Ticket], now: float) -> list[Ticket]:
        """Return work of this process that must end so that others in this process get memory."""
        here = [each for each in tickets if each.number in self._mine]
        if not any(each.state == BLOCKED for each in here):
            return []
        wanted = [
            each._replace(state=WAITING) if each.state == BLOCKED else each
            for each in here
            if each.state != WAITING
        ]
        return rules.overdue(wanted, rules.used(wanted), now)

    def _start_next(self, tickets: list[Ticket], now: float) -> list[Ticket]:
        """Start the work of this process whose turn it is. Wake the processes of other work."""
        tickets = self._with_memory(tickets)
        others = False
        while (chosen := rules.next_up(tickets, self._slots)) is not None:
            work = self._mine.get(chosen.number)
            before, tickets = tickets, rules.start(tickets, chosen, now)
            if work is None:
                others = True
                continue
            slots = 1
            if work.threads > 1 and not any(each.state in (WAITING, BLOCKED) for each in tickets):
                free = self._slots - rules.used(tickets)
                slots += max(0, min(work.threads - 1, free))
                while slots > 1 and self._taken() + work.needs(slots) > self._memory:
                    slots -= 1
            tickets = [
                each._replace(slots=slots) if each.number == chosen.number else each
                for each in tickets
            ]
            for ticket in set(tickets) - set(before):
                self._write(ticket, ticket.number)
            work.start(slots)
            tickets = self._with_memory(tickets)
        if others:
            with suppress(BlockingIOError):  # they will be woken anyway
                os.write(self._wake, b".")
        return tickets

    def _with_memory(self, tickets: list[Ticket]) -> list[Ticket]:
        """Block the waiting work for which this process has no memory, and all that comes later."""
        free = self._memory - self._taken()
        known = {each.number: each for each in tickets}
        waiting = [known[number] for number, work in self._mine.items() if not work.slots]
        for ticket in sorted(waiting, key=lambda each: (each.turn, each.arrived)):
            free -= self._mine[ticket.number].size
            changed = ticket._replace(state=WAITING if free >= 0 else BLOCKED)
            if changed != ticket:
                known[ticket.number] = changed
                self._write(changed, ticket.number)
        return list(known.values())

    def _taken(self) -> int:
        return sum(work.needs(work.slots) for work in self._mine.values() if work.slots)

    # The table. A ticket is a row in shared memory, and a record lock on a byte of a file. If a
    # process crashes, the kernel releases its locks. The byte after the last is locked by the
    # process that reads or writes the table.

    @contextmanager
    def _table(self) -> Iterator[None]:
        # The locks do not exclude threads of the same process.
        with self._lock:
            fcntl.lockf(self._file, fcntl.LOCK_EX, 1, self._count)
            try:
                yield
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, self._count)

    def _read(self) -> list[Ticket]:
        """Return the tickets. Remove those of processes that have ended."""
        found = []
        for number, row in enumerate(_ROW.iter_unpack(self._rows[:])):
            if not row[0]:
                continue
            if number not in self._mine and self._take(number):
                self._clear(number)
            else:
                found.append(Ticket(*row)._replace(number=number))
        return found

    def _free_number(self) -> int | None:
        for number in range(self._count):
            if not self._rows[number * _ROW.size] and self._take(number):
                return number
        return None

    def _write(self, ticket: Ticket, number: int) -> None:
        _ROW.pack_into(self._rows, number * _ROW.size, *ticket[:-1])

    def _remove(self, work: Work) -> None:
        del self._mine[work.number]
        self._clear(work.number)

    def _take(self, number: int) -> bool:
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
        except OSError:
            return False
        return True

    def _clear(self, number: int) -> None:
        self._rows[number * _ROW.size : (number + 1) * _ROW.size] = _FREE
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, number)


def _is_gone(peer: Peer) -> bool:
    try:
        return peer.is_gone()
    except (OSError, ValueError):  # the connection is closed
        return True


def _unnamed_file() -> int:
    if hasattr(os, "memfd_create"):  # a memfd needs no writable folder
        return os.memfd_create("bestmove-tickets")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _overloaded() -> Overloaded:
    return Overloaded(
        "All search slots are taken: try again later. "
        "3×3 boards and finished games are still answered.",
        1,
    )
