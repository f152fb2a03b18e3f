"""How the slots are shared, without threads: as functions of a list of tickets and a time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestmove.api import tickets as rules
from bestmove.api.tickets import ENDING, LEAST_S, RUNNING, WAITING, Ticket

STEP = 0.001


@dataclass
class Service:
    """Work that comes and goes as the tickets say, with a clock of its own.

    Attributes:
        waited, ran: the seconds for which each ticket's work waited and ran.
        busy: the seconds that all slots together were in use.
    """

    slots: int
    now: float = 0.0
    tickets: list[Ticket] = field(default_factory=list)
    waited: dict[int, float] = field(default_factory=dict)
    ran: dict[int, float] = field(default_factory=dict)
    busy: float = 0.0
    _count: int = 0

    def ask(self, seconds: float, client: int = 0, *, is_timed: bool = True) -> int:
        self._count += 1
        due = self.now + seconds
        ticket = Ticket(WAITING, is_timed, 1, client, self.now, due, self.now, 0.0, self._count)
        self.tickets.append(ticket)
        return self._count

    def step(self) -> None:
        while (chosen := rules.next_up(self.tickets, self.slots)) is not None:
            self.tickets = rules.start(self.tickets, chosen, self.now)
            self.waited[chosen.number] = self.now - chosen.arrived
        late = {each.number for each in rules.overdue(self.tickets, self.slots, self.now)}
        ended = [each for each in self.tickets if each.number in late or self._is_over(each)]
        for ticket in ended:
            self.ran[ticket.number] = self.now - ticket.started
        self.tickets = [each for each in self.tickets if each not in ended]
        endless = sum(each.is_running and not each.is_timed for each in self.tickets)
        assert endless <= max(1, self.slots - 1)
        assert rules.used(self.tickets) <= max(self.slots, min(2, self.slots + endless))
        self.busy += STEP * rules.used(self.tickets)
        self.now += STEP

    def finish(self) -> None:
        while self.tickets:
            self.step()

    def _is_over(self, ticket: Ticket) -> bool:
        return ticket.is_running and self.now >= max(ticket.due, ticket.started + LEAST_S)


@pytest.mark.parametrize("slots", [1, 2, 4])
@pytest.mark.parametrize("each", [1, 2, 3, 8, 16])
def test_equal_questions_have_equal_shares_of_all_slots(slots: int, each: int) -> None:
    service = Service(slots)
    for client in range(slots * each):
        service.ask(1.0, client)
    service.finish()
    fair = max(LEAST_S, 1 / each)
    assert list(service.ran.values()) == [pytest.approx(fair, abs=0.02)] * slots * each
    assert service.busy >= 0.95 * slots * service.now


def test_a_question_that_comes_late_waits_no_longer_than_its_share() -> None:
    service = Service(2)
    for client in (1, 2):
        service.ask(10.0, client)
    while service.now < 5:
        service.step()
    victim = service.ask(0.5, 3)
    service.finish()
    assert service.waited[victim] < 0.01
    assert service.ran[victim] == pytest.approx(0.5, abs=0.01)
    # Only one of the others had to end.
    assert sorted(service.ran.values())[1:] == [pytest.approx(5, abs=0.1), pytest.approx(10, abs=1)]


def test_clients_take_turns_however_many_questions_each_has() -> None:
    service = Service(1)
    many = [service.ask(1.0, client=1) for _ in range(6)]
    service.step()
    few = [service.ask(1.0, client) for client in (2, 3)]
    service.finish()
    order = sorted(service.waited, key=lambda number: service.waited[number])
    assert order == [*many[:2], *few, *many[2:]]


@given(
    slots=st.integers(1, 4),
    asked=st.lists(
        st.tuples(st.floats(0, 0.3), st.floats(0.01, 1.0), st.integers(1, 4), st.booleans()),
        max_size=10,
    ),
)
def test_nobody_starves(slots: int, asked: Sequence[tuple[float, float, int, bool]]) -> None:
    """While new clients ask all the time, the others are still answered."""
    service = Service(slots)
    questions: list[int] = []
    comes = sorted(asked)
    while comes or any(number not in service.ran for number in questions):
        while comes and comes[0][0] <= service.now:
            _, seconds, client, is_timed = comes.pop(0)
            questions.append(service.ask(seconds, client, is_timed=is_timed))
        if round(service.now / STEP) % 40 == 0 and len(service.tickets) < 24:
            service.ask(0.2, client=service._count + 10)
        service.step()
        assert service.now < 40
    assert all(service.ran[number] >= 0.009 for number in questions)


def ticket(number: int, state: int = RUNNING, **fields: float) -> Ticket:
    usual: dict[str, float] = {"is_timed": True, "slots": 1, "client": number, "arrived": 0.0}
    usual |= {"due": 1.0, "turn": 0.0, "number": number}
    return Ticket(state, **usual | fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("slots", "tickets", "late"),
    [
        (1, [ticket(1)], []),
        (1, [ticket(1), ticket(2, WAITING)], [1]),
        (2, [ticket(1), ticket(2, WAITING)], []),  # a slot is free
        (1, [ticket(1, ENDING), ticket(2, WAITING)], []),
        (1, [ticket(1, is_timed=False), ticket(2), ticket(3, WAITING)], [2]),
        (1, [ticket(1, is_timed=False), ticket(2), ticket(3, WAITING, is_timed=False)], []),
        (2, [ticket(1, is_timed=False), ticket(2), ticket(3, WAITING, is_timed=False)], []),
        (2, [ticket(1), ticket(2), ticket(3, WAITING, is_timed=False)], [1]),
        (2, [ticket(1, slots=2), ticket(2, WAITING), ticket(3, WAITING)], [1]),
    ],
)
def test_only_needed_timed_work_ends(slots: int, tickets: list[Ticket], late: list[int]) -> None:
    assert [each.number for each in rules.overdue(tickets, slots, now=0.9)] == late


def test_work_of_several_threads_uses_up_its_share_faster() -> None:
    waits = ticket(2, WAITING)
    for threads, end in ((1, 1.0), (2, 0.5), (64, LEAST_S)):
        tickets = [ticket(1, slots=threads), waits]
        assert rules.ends_at(tickets[0], tickets, 2, now=0.0) == pytest.approx(end, abs=0.1)
    assert rules.ends_at(tickets[0], tickets[:1], 2, now=0.0) == math.inf
