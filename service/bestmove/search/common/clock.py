# cython: cdivision=True, annotation_typing=False, infer_types=True
# mypy: disallow-any-unimported=False
"""Counts the nodes of a search, and ends the search at its node limit or its deadline.

Plain Python; `clock.pxd` declares the C types. The compiled module needs no GIL.
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

# After n nodes, the clock is read again after n/128 more nodes, or sooner if these would take more
# than half a millisecond. At first the clock is read at every node: a node may take milliseconds,
# because the system provides the table's memory only at the first write.
LOOK_SHIFT = 7
LOOK_SECONDS = 0.0005

GRACE_SECONDS: Final = 0.005
"""The search for the variation of a proven result may exceed the deadline by this many seconds."""


class Limited:
    """The base class of every kernel: the node count and the limits.

    At each node a kernel adds 1 to `nodes`, calls `check` if the count has reached `next_check`,
    and returns if it is `stopped`.

    Attributes:
        nodes: nodes visited since `start`.
        cutoffs: nodes left early because one move was enough.
        table_hits: nodes answered by the table.
        most_nodes: the node limit passed to `start`.
        node_limit: the node count that ends the search; `allow` and `grant` change it.
        deadline: when a `timed` search ends, in seconds of `time.monotonic`.
        stopped: whether the kernel's call must return; after the call, whether it was cut short.
        out: whether a limit has ended the whole search. The end of a `slice` sets only `stopped`.
        cancelled: another thread sets it to end the search.
        next_check: the node count at which to check the limits next.
    """

    def start(self, deadline: float | None, nodes: int | None) -> None:
        """Begin a search within these limits. None means no limit."""
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
        """Replace the node limit. A stopped search may then go on, unless it is beyond a limit.

        Args:
            nodes: the node limit, counted from `start`; None means no limit.
            grace: seconds to continue after the deadline.
        """
        self.node_limit = ENDLESS if nodes is None else min(nodes, ENDLESS)
        self.deadline = self.due + grace
        self.stopped = self.out = False
        self.check()

    def restore(self) -> None:
        """Undo `allow` and `grant`: return to the limits of the search."""
        self.allow(self.most_nodes)

    def grant(self, nodes: int) -> None:
        """Let the search exceed its limits, to find the variation of a proven result.

        The deadline is extended by GRACE_SECONDS. `restore` brings back the old limits.

        Args:
            nodes: how many more nodes the search may visit.
        """
        self.allow(max(self.node_limit, self.nodes + nodes), GRACE_SECONDS)

    def slice(self, end: int) -> None:
        """Make the kernel's next call stop when `nodes` reaches `end`, or at a limit."""
        self.slice_end = end
        self.stopped = self.out
        self.check()

    def cancel(self) -> None:
        """End the current search. Another thread may call this."""
        self.cancelled = True

    def check(self) -> None:
        """Stop if a limit is reached; otherwise decide when to check next."""
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
