"""Fixtures that make the application."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bestmove.api.app import create_app
from bestmove.api.settings import Settings
from bestmove.search.limits import SearchLimits
from tests.api.http import Api

MakeApi = Callable[..., Api]


@pytest.fixture(scope="session")
def log() -> list[str]:
    return []


@pytest.fixture(scope="session")
def api(log: list[str]) -> Api:
    return Api(create_app(Settings(log_format="json"), write_log=log.append))


@pytest.fixture(scope="session")
def make_api() -> MakeApi:
    def make(log: list[str] | None = None, **settings: object) -> Api:
        lines = [] if log is None else log
        return Api(create_app(Settings(**settings), write_log=lines.append))  # type: ignore[arg-type]

    return make


@contextmanager
def busy(api: Api, seconds: float = 60, **limits: Any) -> Iterator[None]:
    """Hold a slot of a service, as a search does that may take so many seconds."""
    given = SearchLimits(**limits, deadline=time.monotonic() + seconds)
    with api.app.extensions["bestmove"].slot(given):
        yield
