"""A cluster for the tests of jobs."""

from collections.abc import Iterator

import pytest
from distributed import Client, LocalCluster

from bestmove.cluster import Cluster


@pytest.fixture(scope="session")
def workers() -> Iterator[Cluster]:
    """Provide a cluster of two threads, which start faster than processes."""
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0"
        ) as local,
        Client(local, set_as_default=False) as client,
    ):
        yield Cluster(client)
