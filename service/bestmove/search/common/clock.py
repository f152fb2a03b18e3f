# cython: cdivision=True, annotation_typing=False
# mypy: disallow-any-unimported=False
"""The count of nodes, the clock, and the limits that a search keeps to by them.

Plain Python; its types in C are declared in `clock.pxd`. Compiled it needs no GIL.
"""

from __future__ import annotations

import time
from typing import Final

try:
    import cython  # type: ignore[import-untyped]
except ModuleNotFoundError:
    from bestmove.search import cython

from bestmove.search import declared

compiled: bool = declared.is_compiled(__file__)
"""Whether this module runs as machine code."""

if not cython.compiled:
    from time import monotonic as seconds

ENDLESS: Final = 1 << 60
"""A count of nodes that no search reaches."""

# The next look at the clock comes after a 128th of the nodes so far, or after those of half a
# millisecond if they are fewer. So a search looks after every node while each may be the first to
# write to a part of its table: to give it 2 MB takes the system up to some milliseconds.
LOOK_SHIFT = 7
LOOK_SECONDS = 0.0005

GRACE_SECONDS: Final = 0.005
"""What the line of a result may take that is proven as the deadline strikes."""


class Limited:
    """A search that counts its nodes and stops at a count of them, at a time or when cancelled.

    The base of every kernel. At each node a kernel counts it in `nodes`, calls `check` where that
    has reached `next_check`, and returns where it has `stopped`.

    Attributes:
        nodes: visited since `start`.
        cutoffs: nodes left early because a move decided them.
        table_hits: nodes that found their position in the table.
        node_limit: the count of nodes at which the search is over.
        deadline: the time at which it is over, in seconds of `time.monotonic`, if it is `timed`.
        stopped: whether the call that runs has to return, or the last one had to.
        out: whether the whole search is over, not a slice of it alone.
        cancelled: set from another thread to end the search.
        next_check: the count of nodes at which the limits are looked at next.
    """

    def start(self, deadline: float | None, nodes: int | None) -> None:
        """Count from 0, within these limits; None is no limit."""
        self.nodes = self.cutoffs = self.table_hits = 0
        self.cancelled = self.stopped = self.out = False
        self.slice_end = ENDLESS
        self.began = time.monotonic()
        self.clock_offset = self.began - seconds()
        self.until(deadline)
        self.node_limit = ENDLESS if nodes is None else min(nodes, ENDLESS)
        self.next_check = min(1, self.node_limit)

    def until(self, deadline: float | None) -> None:
        """Set another deadline."""
        self.timed = deadline is not None
        self.deadline = self.due = deadline or 0.0

    def allow(self, nodes: int | None, grace: float = 0.0) -> None:
        """Set another limit of nodes since `start`, and go on unless a limit is reached.

        `grace` is in seconds after the deadline.
        """
        self.node_limit = ENDLESS if nodes is None else min(nodes, ENDLESS)
        self.deadline = self.due + grace
        self.stopped = self.out = False
        self.check()

    def grant(self, nodes: int) -> None:
        """Go on past the limits, for so many nodes or GRACE_SECONDS, until `allow` sets them again.

        The line of a proven result may take these.
        """
        self.allow(max(self.node_limit, self.nodes + nodes), GRACE_SECONDS)

    def slice(self, end: int) -> None:
        """Begin a call that is to stop at this count of nodes, too."""
        self.slice_end = end
        self.stopped = self.out
        self.check()

    def cancel(self) -> None:
        """From another thread: end the search that is at work."""
        self.cancelled = True

    def check(self) -> None:
        """Look at the limits, and set when to look again."""
        now = seconds() + self.clock_offset
        if self.cancelled or self.nodes >= self.node_limit or (self.timed and now >= self.deadline):
            self.stopped = self.out = True
        if self.nodes >= self.slice_end:
            self.stopped = True
        every = self.nodes >> LOOK_SHIFT
        while every * (now - self.began) > LOOK_SECONDS * self.nodes:
            every >>= 1
        self.next_check = self.nodes + 1 + every
        if self.slice_end < self.next_check:
            self.next_check = self.slice_end
        if self.node_limit < self.next_check:
            self.next_check = self.node_limit
        if self.stopped:
            self.next_check = self.nodes
