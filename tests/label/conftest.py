"""A cluster of threads: what a job does is the same there, and it starts at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from distributed import Client, LocalCluster

from bestmove.cluster import Cluster


@pytest.fixture(scope="session")
def workers() -> Iterator[Cluster]:
    """Two workers."""
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=False,
            dashboard_address="127.0.0.1:0",
        ) as local,
        Client(local, set_as_default=False) as client,
    ):
        yield Cluster(client)
