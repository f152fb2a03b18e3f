"""What answers a command: the engine in this process, or a service."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from bestmove.bots.engine import Engine

if TYPE_CHECKING:
    from bestmove.client.connection import Client


def backend(url: str | None, in_game: bool = False) -> AbstractContextManager[Engine | Client]:
    """Return a context with a client of the service at `url`. None means the engine in this
    process."""
    if url is None:
        return nullcontext(Engine(in_game))
    from bestmove.client.connection import Client

    return Client(url)
