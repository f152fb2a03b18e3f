"""`bestmove prove` and `bestmove verify`: certificates of results, made and checked."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import click

from bestmove.cli.exits import FAILED, OK
from bestmove.cli.options import (
    board_or_moves,
    game_options,
    moves_option,
    options_of,
    time_option,
    url_option,
)


@click.command()
@click.argument("board", required=False)
@game_options
@moves_option
@time_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the certificate to FILE, compressed.  [default: JSON on standard output]",
)
@url_option
def prove(board: str | None, output: Path | None, url: str | None, **values: Any) -> int:
    """Prove who wins on BOARD, or that it is a draw, and write a certificate of it.

    docs/proofs.md describes certificates. Without BOARD it is the empty board of the game.

    \b
    bestmove prove X...O.... -o draw.proof
    bestmove prove --size 6 -k 4 | bestmove verify -
    bestmove prove --game connect-four --moves 44444432262
    """
    options = options_of(values)
    board_or_moves(board, options)
    from bestmove.cli.backends import backend, spelling

    with backend(url) as source:
        answer = source.prove(None if board is None else spelling(board), **options)
    if answer.proof is None:
        click.echo(f"bestmove: {answer.detail}", err=True)
        return FAILED
    document = json.dumps(answer.proof, separators=(",", ":"))
    if output is None:
        click.echo(document)
        return OK
    # Without a time, equal certificates make equal files.
    data = gzip.compress(document.encode("ascii"), mtime=0)
    try:
        output.write_bytes(data)
    except OSError as error:
        raise click.FileError(str(output), error.strerror or "") from None
    click.echo(f"{output}: {len(data):,} bytes")
    return OK


@click.command()
@click.argument("file")
def verify(file: str) -> int:
    """Check the certificate in FILE (- is standard input), and say what it proves.

    The exit code is 0 only if the claim is proven. The file bestmove/proof/verify.py does the same
    by itself, with nothing but Python.
    """
    from bestmove.proof.verify import verify as check

    try:
        verdict = check(sys.stdin.buffer.read() if file == "-" else file)
    except OSError as error:
        raise click.FileError(file, error.strerror or "") from None
    if not verdict:
        click.echo(f"Not proven: {verdict.reason}", err=True)
        return FAILED
    click.echo(verdict.statement)
    return OK
