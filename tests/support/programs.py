"""Runs programs to their end."""

import signal
import subprocess
from pathlib import Path
from typing import Any


def run(
    *command: str | Path, status: int | None = 0, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program. Fail unless it ends with `status`; None allows every status."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert status in (None, done.returncode), f"{command}\n{done.stdout}\n{done.stderr}"
    return done


def hear_ctrl_c() -> None:
    """Let SIGINT end child processes, even if a shell started the tests in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
