"""What holds for every test."""

from __future__ import annotations

import pytest

SLOW_SECONDS = 1200
"""The limit of a test that is marked slow, which may compile the engine on a busy machine.

That of the others is in pyproject.toml.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(SLOW_SECONDS))
