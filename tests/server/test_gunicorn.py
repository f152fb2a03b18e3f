"""gunicorn still has all internals that the docstring of `bestmove.server.worker` lists."""

import ast
import inspect
import re
import textwrap

import pytest
from gunicorn.http.message import Request  # type: ignore[import-untyped]
from gunicorn.http.parser import RequestParser  # type: ignore[import-untyped]
from gunicorn.http.unreader import Unreader  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from bestmove.server import worker
from bestmove.server.arrivals import Connection


def listed(of: str) -> set[str]:
    item = re.search(rf"^- {re.escape(of)}: (.*?)\.$", worker.__doc__ or "", re.M | re.S)
    assert item is not None, f"nothing is listed for {of}"
    return set(re.findall(r"`(\w+)`", item[1]))


def attributes(variable: str, *code: object) -> set[str]:
    found = set()
    for each in code:
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(each)))):  # type: ignore[arg-type]
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == variable:
                found.add(node.attr)
    return found


def test_gthread_uses_the_listed_attributes_of_a_connection_and_no_others() -> None:
    # Worker's own methods and lists replace all other code of gthread that handles connections.
    used = attributes("conn", ThreadWorker.enqueue_req, ThreadWorker.handle_request)
    assert used == listed("a connection") <= attributes("self", Connection)
    assert attributes("self", ThreadWorker.run) >= {"murder_pending", "set_accept_enabled"}


@pytest.mark.parametrize("theirs", [ThreadWorker, Request, RequestParser, Unreader])
def test_each_class_has_what_is_listed(theirs: type) -> None:
    bases = [each for each in theirs.__mro__ if each is not object]
    inside = set().union(*(vars(each) for each in bases)) | attributes("self", *bases)
    assert listed(f"`{theirs.__name__}`") <= inside
