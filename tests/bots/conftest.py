"""One running service for the bots that ask one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bestmove.client import Client
from tests.support.servers import running_service


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    with running_service() as address:
        yield address


@pytest.fixture
def client(url: str) -> Iterator[Client]:
    with Client(url) as connected:
        yield connected
