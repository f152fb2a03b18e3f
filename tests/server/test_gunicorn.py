"""The insides of gunicorn that the worker builds on: listed in its docstring, and all there."""

from __future__ import annotations

import ast
import inspect
import logging
import re
import textwrap

import pytest
from gunicorn.config import Config  # type: ignore[import-untyped]
from gunicorn.http.message import Request  # type: ignore[import-untyped]
from gunicorn.http.parser import RequestParser  # type: ignore[import-untyped]
from gunicorn.http.unreader import Unreader  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from bestmove.server import arrivals, worker
from bestmove.server.arrivals import Connection
from bestmove.server.worker import Worker


def listed(of: str) -> set[str]:
    """The names that the docstring lists for one of gunicorn's classes."""
    item = re.search(rf"^- {re.escape(of)}: (.*?)\.$", worker.__doc__ or "", re.M | re.S)
    assert item is not None, f"nothing is listed for {of}"
    return set(re.findall(r"`(\w+)`", item[1]))


def attributes(variable: str, *code: object) -> set[str]:
    """The attributes of a variable, or by `super()` of an object, that some code names."""
    found = set()
    for each in code:
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(each)))):  # type: ignore[arg-type]
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == variable:
                found.add(node.attr)
    return found


def is_special(name: str) -> bool:
    return name.startswith("__")


def test_the_worker_uses_of_gthread_what_is_listed_and_nothing_else() -> None:
    stock = ThreadWorker(1, 1, [], None, 30, Config(), logging.getLogger(__name__))
    stock.tmp.close()
    stock.wsgi = None  # what `load_wsgi` sets
    assert "wsgi" in attributes("self", ThreadWorker.load_wsgi)
    named = attributes("self", Worker) | attributes("super()", Worker) | set(vars(Worker))
    inherited = {name for name in named if hasattr(stock, name) and not is_special(name)}
    assert inherited == listed("`ThreadWorker`")


def test_gthread_asks_of_a_connection_what_is_listed_and_nothing_else() -> None:
    run = (
        ThreadWorker.enqueue_req,
        ThreadWorker.murder_keepalived,
        ThreadWorker._cap_keepalive,
        ThreadWorker.handle_request,
    )
    not_run = {
        "on_pending_socket_readable",  # only what `finish_request` deferred comes there
        "_keepalive_after",  # called by `handle`
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


@pytest.mark.parametrize("theirs", [Request, RequestParser, Unreader])
def test_what_reads_a_request_has_what_is_listed(theirs: type) -> None:
    bases = [each for each in theirs.__mro__ if each is not object]
    inside = set().union(*(vars(each) for each in bases)) | attributes("self", *bases)
    names = listed(f"`{theirs.__name__}`")
    assert names <= inside
    ours = inspect.getsource(arrivals)
    assert all(re.search(rf"\b{name}\b", ours) for name in names)


def test_the_arrivals_use_no_other_insides() -> None:
    ours = (arrivals.Received, arrivals.WholeRequest, arrivals.WholeRequestParser)
    replaced = {
        name
        for each in ours
        for name in vars(each)
        if not is_special(name) and any(name in vars(base) for base in each.__mro__[1:-1])
    }
    used = replaced | attributes("request", Connection) | attributes("self.parser", Connection)
    used |= attributes("self.parser.unreader", Connection) - set(vars(arrivals.Received))
    every = listed("`Request`") | listed("`RequestParser`") | listed("`Unreader`")
    assert used <= every
