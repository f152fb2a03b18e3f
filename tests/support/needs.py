"""The programs and rights that some tests need. If they are missing, CI fails, and other
machines skip the tests."""

import os
import shutil
from pathlib import Path

import pytest

from bestmove.search.engines.gomoku import search

IN_CI = bool(os.environ.get("CI"))

LONG = pytest.mark.timeout(1200)
"""Marks tests that compile the engine or run many servers. They may take 20 minutes.

pyproject.toml sets the time limit of all other tests.
"""

THIRDS = pytest.mark.parametrize(
    "third", [0, *(pytest.param(third, marks=pytest.mark.slow) for third in (1, 2))]
)
"""Splits a test's positions into thirds. The quick run checks one, the slow run the others."""


def program(name: str) -> str | None:
    """Return the path of a program, which may be in a system folder such as /usr/sbin."""
    return shutil.which(name) or shutil.which(name, path="/usr/local/sbin:/usr/sbin:/sbin")


def needs(name: str, package: str) -> pytest.MarkDecorator:
    """Mark tests that need the program `name`, which is in the Debian package `package`."""
    missing = program(name) is None and not IN_CI
    return pytest.mark.skipif(missing, reason=f"{name} is missing: apt-get install {package}")


def require(name: str, package: str) -> None:
    """If a program is missing, skip the running test; in CI, let it fail."""
    if program(name) is None:
        why = f"{name} is missing: apt-get install {package}"
        pytest.fail(why) if IN_CI else pytest.skip(why)


NGINX = needs("nginx", "nginx-light")
SYSTEMD = needs("systemd-analyze", "systemd")

PROMTOOL = needs("promtool", "prometheus")

WRK = needs("wrk", "wrk")

NODE = needs("node", "nodejs")

COMPILED = pytest.mark.skipif(
    not search.compiled and not IN_CI,
    reason="the engine is not compiled: apt-get install gcc python3-dev, then make clean",
)
"""Marks tests that take too long without the compiled engine."""

CONTAINERS = pytest.mark.skipif(
    (os.geteuid() != 0 or not Path("/proc/self/ns/mnt").exists()) and not IN_CI,
    reason="only root can make the mounts of a container, on Linux",
)
