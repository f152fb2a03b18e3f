"""What holds for every test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator

import pytest

SLOW_SECONDS = 1200
"""The limit of a test that is marked slow, which may compile the engine on a busy machine.

That of the others is in pyproject.toml.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    slow = [item for item in items if item.get_closest_marker("slow")]
    for item in slow:
        item.add_marker(pytest.mark.timeout(SLOW_SECONDS))
    # The longest files first, or one processor ends with them while the others have nothing to do.
    first = {item.path for item in slow}
    items.sort(key=lambda item: item.path not in first)


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One more than there are processors: tests wait for servers, a browser and clocks, too."""
    return (yield) + 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Last of all, what this machine could not test and why, so that no skip goes unseen."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.getreports("skipped")
        if isinstance(report.longrepr, tuple)
    )
    if reasons:
        terminalreporter.section("not tested on this machine")
        for reason, tests in reasons.most_common():
            terminalreporter.write_line(f"{tests:4} skipped: {reason}")
