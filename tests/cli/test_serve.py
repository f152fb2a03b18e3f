"""`bestmove serve`, run in its own process."""

import os
import socket
import sys

import click
import pytest
from click.testing import CliRunner

from bestmove.cli.serve import _require_free, serve
from tests.support.programs import run
from tests.support.servers import BESTMOVE


def test_every_option_sets_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    options = {
        "host": "127.0.0.1",
        "port": "0",
        "workers": "1",
        "threads": "3",
        "max-time": "1",
        "cors-origins": "*",
        "log-level": "warning",
    }
    environment = {**os.environ, "BESTMOVE_LOG_LEVEL": "debug", "BESTMOVE_SEARCH_QUEUE": "0"}
    started: list[list[str]] = []
    monkeypatch.setattr(os, "environ", environment)
    monkeypatch.setattr(sys, "argv", ["bestmove", "serve"])
    monkeypatch.setattr("runpy.run_module", lambda name, **_: started.append([name, *sys.argv[1:]]))
    arguments = [f"--{name}={value}" for name, value in options.items()]
    done = CliRunner().invoke(serve, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert started == [["gunicorn", "-c", "python:bestmove.gunicorn_conf"]]
    for name, value in options.items():
        variable = "MAX_TIME_MS" if name == "max-time" else name.upper().replace("-", "_")
        assert environment[f"BESTMOVE_{variable}"] == value


def test_serve_on_a_port_in_use_says_so_in_a_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        shown = run(BESTMOVE, "serve", "--port", port, status=1)
    assert shown.stderr == (
        f"Error: port {port} of 127.0.0.1 is in use: choose another with --port or BESTMOVE_PORT\n"
    )


def test_a_port_is_free_once_its_connections_have_ended() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        name = server.getsockname()
        client = socket.create_connection(name)
        server.accept()[0].close()  # the side that closes first is in TIME_WAIT for a while
        client.close()
    _require_free(socket.AF_INET, *name)
    with socket.create_server(name), pytest.raises(click.ClickException, match="is in use"):
        _require_free(socket.AF_INET, *name)
