"""The command's exit codes and error messages."""

from __future__ import annotations

import shutil
import sys
import textwrap
from importlib.util import find_spec
from typing import Final

import click

from bestmove.errors import InvalidTree, printable
from bestmove.extras import install

OK: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2
SOME_PROBLEMS: Final = 3
"""`bestmove label`: the output is complete, but some rows have problems."""

EXTRAS: Final = {
    "label": ["dask", "distributed", "fsspec", "pyarrow"],
    "mcp": ["mcp", "pydantic"],
    "server": ["flask", "flask_swagger_ui", "gunicorn", "marshmallow", "prometheus_client", "yaml"],
}
"""For each extra, the modules that it installs."""

EXIT_CODES: Final = """\b
Exit codes:
  0    done
  1    the service or the search failed
  2    wrong usage or input: no board, an illegal move
  3    label only: done, but some rows have problems
  130  Ctrl-C (suggest and analyze print the best so far)"""


def require_extra(extra: str) -> None:
    """Refuse to run if the packages of an extra are not installed."""
    if not all(map(find_spec, EXTRAS[extra])):
        raise click.ClickException(f"some packages are not installed: {install(extra)}")


def one_line(error: Exception) -> str:
    """Return the error's message. The text of an error in a tree does not say where it is."""
    place = error.field if isinstance(error, InvalidTree) and "/" in error.field else ""
    return f"{place}: {error}" if place else str(error)


def report(text: str) -> None:
    """Write text to standard error, without control characters. On a terminal, lines break between
    words."""
    text = printable(text)
    if sys.stderr.isatty():
        wrapped = textwrap.TextWrapper(
            shutil.get_terminal_size().columns, break_long_words=False, break_on_hyphens=False
        )
        text = "\n".join(map(wrapped.fill, text.splitlines()))
    click.echo(text, err=True)
