"""What some tests need of the machine. Where it is missing they skip, but in CI they fail."""

import os
import shutil
from pathlib import Path

import pytest

from bestmove.search.engines.gomoku import search

IN_CI = bool(os.environ.get("CI"))

LONG = pytest.mark.timeout(1200)
"""A longer time limit (seconds), for what compiles the engine or runs many servers.

The limit of the other tests is in pyproject.toml.
"""

THIRDS = pytest.mark.parametrize(
    "third", [0, *(pytest.param(third, marks=pytest.mark.slow) for third in (1, 2))]
)
"""A third of the positions in the quick run, the others among the slow tests."""


def program(name: str) -> str | None:
    """Where a program is, looking in the folders for the system's own too."""
    return shutil.which(name) or shutil.which(name, path="/usr/local/sbin:/usr/sbin:/sbin")


def needs(name: str, package: str) -> pytest.MarkDecorator:
    """A mark for tests that need a program of the distribution."""
    missing = program(name) is None and not IN_CI
    return pytest.mark.skipif(missing, reason=f"{name} is missing: apt-get install {package}")


def require(name: str, package: str) -> None:
    """Within a test or a fixture: skip where a program of the distribution is missing."""
    if program(name) is None:
        why = f"{name} is missing: apt-get install {package}"
        pytest.fail(why) if IN_CI else pytest.skip(why)


NGINX = needs("nginx", "nginx-light")
SYSTEMD = needs("systemd-analyze", "systemd")

PROMTOOL = needs("promtool", "prometheus")

WRK = needs("wrk", "wrk")

COMPILED = pytest.mark.skipif(
    not search.compiled and not IN_CI,
    reason="the engine is not compiled: apt-get install gcc python3-dev, then make clean",
)
"""For what plain Python is too slow for."""

CONTAINERS = pytest.mark.skipif(
    (os.geteuid() != 0 or not Path("/proc/self/ns/mnt").exists()) and not IN_CI,
    reason="only root can make the mounts of a container, on Linux",
)
