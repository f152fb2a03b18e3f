"""`POST /game-tree`: explicit trees, searched by the textbook's searches."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Final

from flask import Flask, Response, request

from bestmove.api import caching, reading, requests, responses
from bestmove.api.problems import Faults
from bestmove.api.reading import JSON
from bestmove.api.schemas import TreeRequest
from bestmove.api.searching import Searcher, record
from bestmove.api.settings import Settings
from bestmove.errors import InvalidInput
from bestmove.search.textbook import tree

LARGE: Final = 2000
"""Nodes from which on a tree takes a search slot."""

MOST_STEPS: Final = 1_000_000
"""Plies from the root, summed over the nodes: the paths in an answer are no longer together."""


class Trees:
    """The view of /game-tree."""

    def __init__(self, settings: Settings, searcher: Searcher) -> None:
        self._settings = settings
        self._searcher = searcher
        self._schema = TreeRequest()

    def register(self, app: Flask) -> None:
        """Give the app its route."""
        app.add_url_rule("/game-tree", view_func=self.post_tree, methods=["POST"])

    def post_tree(self) -> Response:
        """`POST /game-tree`."""
        reading.representation(request, (JSON,))
        value = reading.parse_json(reading.body(request, self._settings.max_body_bytes))
        loaded, faults = requests.load(self._schema, value)
        root, nodes = _tree_in(loaded, faults)
        faults.raise_any()
        assert root is not None
        limits = requests.limits_of({}, self._settings.default_time_ms, record().arrived)
        try:
            with self._searcher.slot(limits) if nodes >= LARGE else nullcontext():
                found = tree.search(
                    root, loaded["algorithm"], loaded["maximizing"], loaded.get("depth")
                )
        except InvalidInput as error:
            faults.add_error(error)
            raise faults.problem() from None
        record().engine_ms = round(found.search.elapsed_ms, 3)
        return Response(
            responses.text(responses.tree(found)) + "\n",
            content_type=JSON,
            headers=[("Cache-Control", caching.NO_STORE)],
        )


def _tree_in(loaded: dict[str, Any], faults: Faults) -> tuple[tree.Node | None, int]:
    """The request's tree and its number of nodes, or what is wrong with it noted."""
    if "tree" not in loaded:
        return None, 0
    try:
        root = tree.parse(loaded["tree"])
    except InvalidInput as error:
        faults.add_error(error)
        return None, 0
    nodes, steps = _size(root)
    if steps > MOST_STEPS:
        faults.add(
            "tree",
            f"the plies from the root to each of its {nodes:,} nodes add up to {steps:,}, "
            f"at most {MOST_STEPS:,} are allowed",
        )
    return root, nodes


def _size(root: tree.Node) -> tuple[int, int]:
    """The number of nodes, and the plies from the root summed over them."""
    nodes = steps = ply = 0
    level = [root]
    while level:
        nodes += len(level)
        steps += ply * len(level)
        ply += 1
        level = [child for node in level for child in node.children]
    return nodes, steps
