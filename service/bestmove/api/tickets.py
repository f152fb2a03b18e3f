"""Decides how requests share the slots for searches. Every decision is a function of a list of
tickets and a time.

- A slot is for one thread of a search. Work that finds no slot waits.
- Those who wait come in turn by client: the client who was served longest ago is next. A client who
  arrives queues up behind all clients who wait.
- While others wait, timed work has a share of the time (see `ends_at`). Other work always runs to
  its end, but may not take all slots.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

LEAST_S: Final = 0.05
"""Timed work that has run for so many seconds may end for others. Work that had to wait until its
time was over still runs for so many seconds."""

WAITING: Final = 1
RUNNING: Final = 2
ENDING: Final = 3


class Ticket(NamedTuple):
    """The work of one request.

    All times are seconds of `time.monotonic()`.

    Attributes:
        state: WAITING, RUNNING, or ENDING (running, but told to end).
        is_timed: whether the work may end early, with the best answer so far.
        slots: the slots that the work holds; one while it waits.
        client: identifies the client.
        arrived: when the request arrived.
        due: when the time is over that the request gives the work.
        turn: when the client was last served while this work waited; at first when the work
            queued up.
        started: when the work got its slots.
        number: the ticket's place in the table.
    """

    state: int
    is_timed: bool
    slots: int
    client: int
    arrived: float
    due: float
    turn: float
    started: float = 0.0
    number: int = 0

    @property
    def is_running(self) -> bool:
        return self.state >= RUNNING


def used(tickets: Iterable[Ticket]) -> int:
    """Return how many slots are in use."""
    return sum(ticket.slots for ticket in tickets if ticket.is_running)


def has_room(tickets: Sequence[Ticket], slots: int, *, is_timed: bool) -> bool:
    """Return True if a slot is free for work of this kind.

    Work that never ends early holds at most `slots - 1` slots. If there is only one slot, timed
    work may run beside such work.
    """
    taken, endless = used(tickets), _endless(tickets)
    if slots == 1:
        return (taken - endless if is_timed else endless) < 1
    return taken < slots and (is_timed or endless < slots - 1)


def next_up(tickets: Sequence[Ticket], slots: int) -> Ticket | None:
    """Return the ticket that may start now; None if there is none."""
    rooms = {is_timed: has_room(tickets, slots, is_timed=is_timed) for is_timed in (True, False)}
    able = (each for each in tickets if each.state == WAITING and rooms[each.is_timed])
    return min(able, key=lambda each: (each.turn, each.arrived, each.number), default=None)


def start(tickets: Sequence[Ticket], chosen: Ticket, now: float) -> list[Ticket]:
    """Return the tickets after `chosen` has got a slot.

    The other tickets of its client queue up anew.
    """

    def after(ticket: Ticket) -> Ticket:
        if ticket.number == chosen.number:
            return ticket._replace(state=RUNNING, started=now)
        if ticket.client == chosen.client and not ticket.is_running:
            return ticket._replace(turn=now)
        return ticket

    return [after(ticket) for ticket in tickets]


def ends_at(ticket: Ticket, tickets: Sequence[Ticket], slots: int, now: float) -> float:
    """Return when running work must end because others wait; infinity if it may go on.

    What all slots can do until the first of those who wait is due, and what the running timed work
    has had, is divided equally among all who run or wait. But everybody may have LEAST_S. Work with
    several slots uses up its share several times as fast.
    """
    waiting = _waiting(tickets, slots) if ticket.is_timed else []
    if not waiting:
        return math.inf
    sharing = [each for each in tickets if each.state != ENDING]
    running = [each for each in sharing if each.is_running and each.is_timed]
    had = sum((now - each.started) * each.slots for each in running)
    left = max(0.0, min(each.due for each in waiting) - now)
    share = max(LEAST_S, (left * slots + had) / len(sharing))
    return ticket.started + share / ticket.slots


def overdue(tickets: Sequence[Ticket], slots: int, now: float) -> list[Ticket]:
    """Return the tickets whose work must end now: no more than others wait for."""
    running = [each for each in tickets if each.state == RUNNING]
    ending = sum(each.slots for each in tickets if each.state == ENDING)
    needed = len(_waiting(tickets, slots)) - ending - max(0, slots - used(tickets))
    late: list[Ticket] = []
    for ticket in sorted(running, key=lambda each: each.started):
        if needed > 0 and ends_at(ticket, tickets, slots, now) <= now:
            late.append(ticket)
            needed -= ticket.slots
    return late


def _endless(tickets: Iterable[Ticket]) -> int:
    return sum(each.slots for each in tickets if each.is_running and not each.is_timed)


def _waiting(tickets: Sequence[Ticket], slots: int) -> list[Ticket]:
    """Return the tickets that wait for a slot of timed work."""
    takes_all = _endless(tickets) < slots - 1
    return [each for each in tickets if each.state == WAITING and (each.is_timed or takes_all)]
