# cython: cdivision=True, annotation_typing=False, infer_types=True
# mypy: disallow-any-unimported=False
"""Counts the nodes of a search, and ends it at a limit of nodes or time.

Plain Python; its types in C are declared in `clock.pxd`. When compiled, it needs no GIL.
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

if not cython.compiled:
    from time import monotonic as seconds

ENDLESS: Final = 1 << 60

# The clock is read again after 1/128 of the nodes so far, or after half a millisecond's worth of
# nodes if these are fewer. At first the clock is read at every node, because the first write to
# each part of the table may take milliseconds: the system provides 2 MB at once.
LOOK_SHIFT = 7
LOOK_SECONDS = 0.0005

GRACE_SECONDS: Final = 0.005
"""How long after the deadline a search may look for the line of a proven result."""


class Limited:
    """The base of every kernel: its count of nodes and its limits.

    At each node a kernel adds 1 to `nodes`, calls `check` if the count has reached `next_check`,
    and returns if it is `stopped`.

    Attributes:
        nodes: nodes visited since `start`.
        cutoffs: nodes left early because a move decided them.
        table_hits: nodes answered by the table.
        most_nodes: the node limit given to `start`.
        node_limit: the count of nodes that ends the search.
        deadline: when the search ends if it is `timed`, in seconds of `time.monotonic`.
        stopped: whether the current call must return; after a call, whether it was cut short.
        out: whether the whole search is over, not only a slice.
        cancelled: set from another thread to end the search.
        next_check: the count of nodes at which to look at the limits next.
    """

    def start(self, deadline: float | None, nodes: int | None) -> None:
        """Begin a search within these limits; None is no limit."""
        self.nodes = self.cutoffs = self.table_hits = 0
        self.cancelled = self.stopped = self.out = False
        self.slice_end = ENDLESS
        self.began = time.monotonic()
        self.clock_offset = self.began - seconds()
        self.until(deadline)
        self.most_nodes = self.node_limit = ENDLESS if nodes is None else min(nodes, ENDLESS)
        self.next_check = min(1, self.node_limit)

    def until(self, deadline: float | None) -> None:
        self.timed = deadline is not None
        self.deadline = self.due = deadline or 0.0

    def allow(self, nodes: int | None, grace: float = 0.0) -> None:
        """Set another node limit, and continue unless a limit is reached.

        Args:
            nodes: the node limit, counted from `start`; None is no limit.
            grace: seconds to continue after the deadline.
        """
        self.node_limit = ENDLESS if nodes is None else min(nodes, ENDLESS)
        self.deadline = self.due + grace
        self.stopped = self.out = False
        self.check()

    def restore(self) -> None:
        """Set the limits of the search again, after `allow` or `grant`."""
        self.allow(self.most_nodes)

    def grant(self, nodes: int) -> None:
        """Until `restore`, continue past the limits to find the line of a proven result.

        Args:
            nodes: the most nodes for this. The time for it ends GRACE_SECONDS after the deadline.
        """
        self.allow(max(self.node_limit, self.nodes + nodes), GRACE_SECONDS)

    def slice(self, end: int) -> None:
        """Make the next call also stop when `nodes` reaches `end`."""
        self.slice_end = end
        self.stopped = self.out
        self.check()

    def cancel(self) -> None:
        """End the current search, from another thread."""
        self.cancelled = True

    def check(self) -> None:
        """Stop if a limit is reached; otherwise decide when to look next."""
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
