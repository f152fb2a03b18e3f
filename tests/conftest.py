"""Fixtures and settings for all tests."""

import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator

import hypothesis
import pytest

from bestmove.client import Client
from bestmove.search.textbook import algorithms
from tests.support.patient import give_more_time
from tests.support.servers import running_service

PATIENT = [sys.executable, "-m", "gunicorn", "-c", "python:tests.support.patient_service"]

LONGEST = {
    "test_proofs.py",
    "test_documents.py",
    "test_door.py",
    "test_engines.py",
    "test_fuzz.py",
    "test_kernel.py",
    "test_play.py",
    "test_server.py",
    "test_verify.py",
}
"""Test files that need more than five seconds of processor time, even without the slow tests."""

# Hypothesis sets no deadline for an example: the time depends on the machine.
hypothesis.settings.register_profile("bestmove", deadline=None)
hypothesis.settings.load_profile("bestmove")

give_more_time()


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    with running_service(command=PATIENT) as address:
        yield address


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let textbook searches of this process end when their time is up."""
    monkeypatch.setattr(algorithms, "monotonic", time.monotonic)


@pytest.fixture
def client(url: str) -> Iterator[Client]:
    with Client(url) as connected:
        yield connected


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Start the longest files first. Otherwise one process may run a long file at the end while the
    # other processes are idle.
    first = {item.path for item in items if item.get_closest_marker("timeout")}
    items.sort(key=lambda item: (item.path not in first, item.path.name not in LONGEST))


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Use one more process than processors, because tests often wait for servers and clocks."""
    return (yield) + 1


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print at the end which tests were skipped and why, so that nobody overlooks them."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.getreports("skipped")
        if isinstance(report.longrepr, tuple)
    )
    if reasons:
        terminalreporter.section("not tested on this machine")
        for reason, tests in reasons.most_common():
            terminalreporter.write_line(f"{tests:4} skipped: {reason}")
    if config.option.markexpr == "not slow":
        terminalreporter.section("not tested in this run")
        terminalreporter.write_line("The slow tests: run `make test-slow`.")
