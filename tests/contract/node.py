"""The commands of the node packages that the tests use."""

import fcntl
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.support import programs

HERE = Path(__file__).parent
TOOLS = HERE / "node_modules" / ".bin"


def run(*command: str | Path, cwd: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "REDOCLY_TELEMETRY": "off", "CI": "1"}
    done = programs.run(*command, cwd=cwd, env=environment)
    return done.stdout + done.stderr


@pytest.fixture(scope="session")
def tools() -> Path:
    """Install the node packages as package-lock.json pins them. Return the folder of their
    commands."""
    if shutil.which("npm") is None and not os.environ.get("CI"):
        pytest.skip("needs npm: apt-get install npm")
    installed = HERE / "node_modules" / ".package-lock.json"
    pinned = HERE / "package-lock.json"
    with pinned.open() as lock:  # one process installs, the others wait
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not installed.exists() or installed.stat().st_mtime < pinned.stat().st_mtime:
            run("npm", "ci", "--no-audit", "--no-fund", cwd=HERE)
    return TOOLS
