"""The command's exit codes and error messages."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from bestmove.errors import InvalidInput

OK: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2

_LABEL: Final = ("dask", "distributed", "fsspec", "pyarrow")
"""Top-level modules that `bestmove[label]` installs."""

EXIT_CODES: Final = """\b
Exit codes:
  0    done
  1    the service or the search failed
  2    wrong usage or input: no board, an illegal move
  130  Ctrl-C (suggest and analyze print the best so far)"""


@contextmanager
def needing_label(what: str) -> Iterator[None]:
    """Turn a missing package of `bestmove[label]` into an error that says how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in _LABEL:
            raise
        raise click.ClickException(
            f"the packages for {what} are not installed: pip install 'bestmove[label]'"
        ) from None


def one_line(error: Exception) -> str:
    """The message of an error, with the place in the input if the error names one."""
    place = error.field if isinstance(error, InvalidInput) and "/" in error.field else ""
    return f"{place}: {error}" if place else str(error)


def report(text: str) -> None:
    """Write text to standard error; on a terminal, lines break between words."""
    if sys.stderr.isatty():
        wrapped = textwrap.TextWrapper(
            shutil.get_terminal_size().columns, break_long_words=False, break_on_hyphens=False
        )
        text = "\n".join(map(wrapped.fill, text.splitlines()))
    click.echo(text, err=True)
