"""Clients that send one byte per second, as an attacker may do."""

import contextlib
import selectors
import socket
import threading
from collections.abc import Callable
from typing import NamedTuple


class Slow(NamedTuple):
    """A client: its connection, the bytes still to be sent, and whether it reads the answer."""

    connection: socket.socket
    rest: bytes
    reads: bool = True


class Drip:
    """Runs `size` slow clients. `connect(number)` connects client `number`. A client that
    `reads` connects again after the server has answered or closed the connection."""

    def __init__(self, size: int, connect: Callable[[int], Slow]) -> None:
        self.sent = 0
        self.statuses: set[str] = set()
        self._size, self._connect = size, connect
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        clients: dict[int, Slow] = {}
        positions: dict[int, int] = {}
        with selectors.DefaultSelector() as ended:

            def begin(number: int) -> None:
                clients[number], positions[number] = self._connect(number), 0
                if clients[number].reads:
                    ended.register(clients[number].connection, selectors.EVENT_READ, number)

            for number in range(self._size):
                begin(number)
            while not self._stop.wait(1):
                for key, _ in ended.select(0):
                    gone = clients[key.data].connection
                    with contextlib.suppress(OSError):
                        self.statuses.add(gone.recv(12).decode("latin-1")[9:] or "closed")
                    ended.unregister(gone)
                    gone.close()
                    begin(key.data)
                for number, (connection, rest, _) in clients.items():
                    at = positions[number]
                    with contextlib.suppress(OSError):
                        self.sent += connection.send(rest[at : at + 1])
                    positions[number] = at + 1
        for client in clients.values():
            client.connection.close()
