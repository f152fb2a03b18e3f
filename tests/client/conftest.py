"""One running service for all the client's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bestmove.client import Client
from tests.client.serving import service


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    with service() as address:
        yield address


@pytest.fixture
def client(url: str) -> Iterator[Client]:
    with Client(url) as connected:
        yield connected
