"""What some tests need of the machine. Where it is missing they skip, but in CI they fail."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

IN_CI = bool(os.environ.get("CI"))


def program(name: str) -> str | None:
    """Where a program is, looking in the folders for the system's own too."""
    return shutil.which(name) or shutil.which(name, path="/usr/local/sbin:/usr/sbin:/sbin")


def needs(name: str, package: str) -> pytest.MarkDecorator:
    """A mark for tests that need a program of the distribution."""
    missing = program(name) is None and not IN_CI
    return pytest.mark.skipif(missing, reason=f"{name} is missing: apt-get install {package}")


NGINX = needs("nginx", "nginx-light")
SYSTEMD = needs("systemd-analyze", "systemd")

PROMTOOL = needs("promtool", "prometheus")

CONTAINERS = pytest.mark.skipif(
    (os.geteuid() != 0 or not Path("/proc/self/ns/mnt").exists()) and not IN_CI,
    reason="only root can make the mounts of a container, on Linux",
)
