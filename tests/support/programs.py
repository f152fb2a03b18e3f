"""Programs that run to their end."""

import subprocess
from pathlib import Path
from typing import Any


def run(
    *command: str | Path, status: int | None = 0, **options: Any
) -> subprocess.CompletedProcess[str]:
    """A program that must end with this status, or with any; what it printed is text."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert status in (None, done.returncode), f"{command}\n{done.stdout}\n{done.stderr}"
    return done
