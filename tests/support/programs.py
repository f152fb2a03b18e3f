"""Runs programs to their end."""

import subprocess
from pathlib import Path
from typing import Any


def run(
    *command: str | Path, status: int | None = 0, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program; fail unless it ends with `status`, or with any status if that is None."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert status in (None, done.returncode), f"{command}\n{done.stdout}\n{done.stderr}"
    return done
