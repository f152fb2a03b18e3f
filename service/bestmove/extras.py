"""Says how to install the optional packages, which pip calls extras."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def needs_extra(extra: str) -> Iterator[None]:
    """Say how to install an extra if an import in the `with` block does not find its package.

    Raises:
        ImportError: the package is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if "." in (error.name or ""):  # the package is there, but broken
            raise
        raise ImportError(f"{error.name} is not installed: {install(extra)}") from error


def install(extra: str) -> str:
    """Return the command that adds an extra to this installation of the package.

    In a checkout, the command installs the checkout; elsewhere, what was installed before.
    """
    from importlib.metadata import PackageNotFoundError, distribution

    root, found = Path(__file__).parents[2], "{}"
    what = [f"bestmove[{extra}]"]
    if (root / "pyproject.toml").exists():
        what = ["-e", f"{_short(root)}[{extra}]"]
    else:
        with suppress(PackageNotFoundError):  # pip notes from where it installed (PEP 610)
            found = distribution("bestmove").read_text("direct_url.json") or "{}"
        if url := json.loads(found).get("url"):
            what = [f"bestmove[{extra}] @ {url}"]
    return shlex.join([_short(Path(sys.executable)), "-m", "pip", "install", *what])


def _short(path: Path) -> str:
    """Return the path from the current folder, if the path is below it."""
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
