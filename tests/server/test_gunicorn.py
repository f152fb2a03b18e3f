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
from bestmove.server.worker import Worker


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
    run = (
        ThreadWorker.enqueue_req,
        ThreadWorker.murder_keepalived,
        ThreadWorker._cap_keepalive,
        ThreadWorker.handle_request,
    )
    not_run = {
        # Only `finish_request` and `handle` call the next two methods. Worker overrides both.
        "on_pending_socket_readable",
        "_keepalive_after",
        *(name for name in vars(ThreadWorker) if "http2" in name or "h2c" in name),
    }
    others = [
        method
        for name, method in vars(ThreadWorker).items()
        if inspect.isfunction(method) and name not in {*vars(Worker), *not_run}
    ]
    assert attributes("conn", *others) == attributes("conn", *run) == listed("a connection")
    assert listed("a connection") <= attributes("self", Connection) | set(vars(Connection))


def test_the_loop_of_gthread_ends_what_lasts_too_long() -> None:
    called = attributes("self", ThreadWorker.run)
    assert called >= {"murder_keepalived", "murder_pending", "set_accept_enabled"}


@pytest.mark.parametrize("theirs", [ThreadWorker, Request, RequestParser, Unreader])
def test_each_class_has_what_is_listed(theirs: type) -> None:
    bases = [each for each in theirs.__mro__ if each is not object]
    inside = set().union(*(vars(each) for each in bases)) | attributes("self", *bases)
    assert listed(f"`{theirs.__name__}`") <= inside
