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
import sys
import tempfile
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from threading import Event, Lock, Thread
from typing import Final, Protocol

from bestmove.api import tickets as rules
from bestmove.api.tickets import ENDING, RUNNING, WAITING, Ticket
from bestmove.errors import Overloaded
from bestmove.search.cancellation import Cancellation
from bestmove.search.engine import BESIDE_BYTES
from bestmove.search.limits import SearchLimits

TICK_S: Final = 0.02

_MOST_TICKETS: Final = 1024
_ROW: Final = struct.Struct("BBHqdddd")
_FREE: Final = bytes(_ROW.size)

_FULL: Final = (
    "All search slots are taken: try again later. 3×3 boards and finished games are still answered."
)

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
        limits: the limits of the search. From the start on, `threads` is the number of slots held.
        due, is_timed: as in `Ticket`.
        is_long: whether its turns may be long.
        size: the bytes of memory that the work needs with one thread.
        peer: the client's connection; None if the server does not provide it.
        client: identifies the client.
        cancellation: ends the work.
        is_gone: whether the client has left.
        granted_ms: how long the work ran until it was told to end for others; None if it was not.
        waited: the seconds for which it waited.
        slots: the slots that it holds.
    """

    limits: SearchLimits
    due: float = 0.0
    is_timed: bool = True
    is_long: bool = False
    size: int = 0
    peer: Peer | None = None
    client: str = ""
    cancellation: Cancellation = field(default_factory=Cancellation)
    is_gone: bool = False
    granted_ms: int | None = None
    waited: float = 0.0
    slots: int = 0
    number: int = -1
    ready: Event = field(default_factory=Event)


class Scheduler:
    """Lets work run, wait or end.

    Args:
        slots: the most slots in use at the same time, in all processes together.
        queue: the most work that may wait in this process.
        most: the most work of this process, waiting and running. Half of it may be long, and one
            more: that is half of the process's threads.
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
        self._is_watched = self._lacks_memory = False

    def enter(self, work: Work, *, is_let_in: bool) -> None:
        """Wait until the work may run, or its client has left. Call `leave` at the end.

        Args:
            is_let_in: whether the service has already begun with the request.

        Raises:
            Overloaded: too much other work waits.
        """
        now = time.monotonic()
        with self._table():
            # In a browser, Python cannot start threads, and answers one request after the other.
            if not self._is_watched and sys.platform != "emscripten":
                # This may fail, so it is first: nothing then remains of the work.
                Thread(target=self._watch, name="scheduler", daemon=True).start()
                self._is_watched = True
            number = self._free_number()
            long = sum(each.is_long for each in self._mine.values())
            is_full = len(self._mine) >= self._most or long * work.is_long > self._most // 2
            if number is None or (is_full and not is_let_in):
                raise Overloaded(_FULL, 1)
            self._mine[number], work.number = work, number
            client = hash(work.client)
            self._write(Ticket(WAITING, work.is_timed, 1, client, now, work.due, now, 0.0, number))
            self._start_next(now)
            waiting = sum(not each.slots for each in self._mine.values())
            if not (work.slots or is_let_in) and waiting > self._queue:
                self._remove(work)
                raise Overloaded(_FULL, 1)
        if not work.slots:
            work.ready.wait()
            work.waited = time.monotonic() - now

    def leave(self, work: Work) -> None:
        with self._table():
            self._remove(work)
            self._start_next(time.monotonic())

    def ends_at(self, work: Work) -> float:
        """Return when running work must end because others wait; infinity if it may go on."""
        with self._table():
            tickets = self._read()
        mine = next(each for each in tickets if each.number == work.number)
        return rules.ends_at(mine, tickets, self._slots, time.monotonic())

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
                work.is_gone = True
                work.cancellation.cancel()
                work.ready.set()
        now = time.monotonic()
        with self._table():
            tickets = self._start_next(now)
            here = [each for each in tickets if each.number in self._mine]
            late = rules.overdue(tickets, self._slots, now)
            if self._lacks_memory:
                late += rules.overdue(here, rules.used(here), now)
            for ticket in set(late) & set(here):
                work = self._mine[ticket.number]
                self._write(ticket._replace(state=ENDING))
                work.granted_ms = round((now - ticket.started) * 1000)
                work.cancellation.cancel()
        running = (each for each in here if each.state == RUNNING)
        ends = (rules.ends_at(each, tickets, self._slots, now) for each in running)
        return min([TICK_S, *(end - now for end in ends if end > now)])

    def _start_next(self, now: float) -> list[Ticket]:
        """Start the work of this process whose turn it is, and wake the processes of other work.

        Return the tickets. If this process has no memory for the work, wait until it has.
        """
        tickets = self._read()
        others = self._lacks_memory = False
        while (chosen := rules.next_up(tickets, self._slots)) is not None:
            before, tickets = tickets, rules.start(tickets, chosen, now)
            work = self._mine.get(chosen.number)
            if work is None:
                others = True
                continue
            running = [each for each in self._mine.values() if each.slots]
            taken = sum(each.size + (each.slots - 1) * BESIDE_BYTES for each in running)
            free = self._memory - taken - work.size
            if free < 0:
                self._lacks_memory = True
                tickets = before
                break
            work.slots = 1
            if not any(each.state == WAITING for each in tickets):
                more = min(self._slots - rules.used(tickets), free // BESIDE_BYTES)
                work.slots += max(0, min((work.limits.threads or 1) - 1, more))
            if work.limits.threads is not None:
                work.limits = replace(work.limits, threads=work.slots)
            tickets[before.index(chosen)] = tickets[before.index(chosen)]._replace(slots=work.slots)
            for ticket in set(tickets) - set(before):
                self._write(ticket)
            work.ready.set()
        if others:
            with suppress(BlockingIOError):  # they will be woken anyway
                os.write(self._wake, b".")
        return tickets

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
            if row[0] and (number in self._mine or not self._take(number)):
                found.append(Ticket(*row)._replace(number=number))
            elif row[0]:
                self._clear(number)
        return found

    def _free_number(self) -> int | None:
        free = (each for each in range(self._count) if not self._rows[each * _ROW.size])
        return next(filter(self._take, free), None)

    def _write(self, ticket: Ticket) -> None:
        _ROW.pack_into(self._rows, ticket.number * _ROW.size, *ticket[:-1])

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
