"""The service that claims are held to, and what is asked of it."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from bestmove.game import Board
from tests.support.connection import LOOPBACK, Connection
from tests.support.replicas import Replica

LONG_ENOUGH_MS: Final = 10_000
"""For what is proven within any time; the most that the server allows."""


class Service:
    """A running service, asked over HTTP."""

    def __init__(self, running: Replica) -> None:
        self.running = running
        self.address = f"{LOOPBACK}:{running.port}"
        self.connection = Connection(running.port, timeout=60)

    def ask(self, path: str, **question: object) -> Any:
        """The answer to a question that must be answered."""
        answer = self.connection.post(path, question)
        if answer.status != 200:
            raise ValueError(f"{path} {question}: {answer.status} {answer.body.decode()}")
        return answer.json()

    def page(self, path: str) -> str:
        """What a GET of a page answers."""
        answer = self.connection.get(path)
        if answer.status != 200:
            raise ValueError(f"{path}: {answer.status}")
        return answer.body.decode()


def played(service: Service, chance: random.Random, moves: int, game: str) -> Any:
    """The best move's answer after so many random moves that end no game."""
    while True:
        board = Board.empty(game=game)
        for _ in range(moves):
            if not board.is_over:
                board = board.play(chance.choice(board.moves))
        if not board.is_over:
            return service.ask("/best-move", board=str(board), game=game, time_ms=LONG_ENOUGH_MS)


def printed(*command: str) -> str:
    """What a command prints; one that fails is no command."""
    paths = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"PATH": paths},
    ).stdout


def sockets(pid: int) -> Iterator[str]:
    """The inodes of a process's sockets."""
    for file in Path(f"/proc/{pid}/fd").iterdir():
        if found := re.fullmatch(r"socket:\[(\d+)\]", os.readlink(file)):
            yield found[1]


def local_ports() -> Iterator[tuple[str, int]]:
    """The inode and the local port of every TCP socket of this machine."""
    for name in ("tcp", "tcp6"):
        for row in Path(f"/proc/net/{name}").read_text().splitlines()[1:]:
            fields = row.split()
            yield fields[9], int(fields[1].rpartition(":")[2], 16)
