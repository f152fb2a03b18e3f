"""`POST /game-tree`: the textbook searches on an explicit tree."""

from __future__ import annotations

from typing import Final

from flask import Flask, Response, request

from bestmove.api import requests
from bestmove.api.capacity import Capacity
from bestmove.api.record import record
from bestmove.api.requests import Query
from bestmove.api.responses import JSON, json_response
from bestmove.api.schemas import TreeRequest
from bestmove.search.textbook import tree

LARGE: Final = 512
"""Trees of at least this many bytes need a slot. A tree of this size takes about 1 ms."""

MOST_STEPS: Final = 250_000
"""The maximum sum of all nodes' depths. An answer lists the paths of nodes, so the sum limits the
answer's size."""


def register(app: Flask, capacity: Capacity) -> None:
    schema = TreeRequest()

    def post_tree() -> Response:
        requests.representation(request.environ, (JSON,))
        return capacity.read(schema, _answer, LARGE, is_timed=False)

    app.add_url_rule("/game-tree", view_func=post_tree, methods=["POST"])


def _answer(query: Query) -> Response:
    root = _tree_in(query)
    fields, faults, work = query  # small trees have no work
    faults.raise_any()
    assert root is not None
    with faults.catching():
        found = tree.search(
            root,
            fields["algorithm"],
            fields["maximizing"],
            fields.get("depth"),
            None if work is None else work.limits.deadline,
            fields["trace"],
            None if work is None else work.cancellation,
        )
        record().engine_ms = found.search.elapsed_ms
        return json_response(found.to_dict())
    raise faults.problem()


def _tree_in(query: Query) -> tree.Node | None:
    """Return the tree; None if it is missing or invalid. Add its faults to `query.faults`."""
    if "tree" not in query.fields:
        return None
    with query.faults.catching():
        root = tree.parse(query.fields["tree"])
        widths = [len(nodes) for nodes in tree.plies(root)]
        steps = sum(ply * width for ply, width in enumerate(widths))
        if steps > MOST_STEPS:
            query.faults.add(
                "tree",
                f"the depths in plies of its {sum(widths):,} nodes add up to {steps:,}; "
                f"at most {MOST_STEPS:,} is allowed",
            )
        return root
    return None
