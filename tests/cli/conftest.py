"""One running service for all the command line's tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.client.serving import service


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    with service() as address:
        yield address
