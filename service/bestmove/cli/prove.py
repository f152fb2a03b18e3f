"""`bestmove prove` and `bestmove verify`: make and check certificates of results."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Any, Final

import click

from bestmove.cli.exits import BAD_INPUT, FAILED, OK, report
from bestmove.cli.options import (
    board_or_moves,
    game_options,
    json_option,
    limit_options,
    moves_option,
    options_of,
    url_option,
)
from bestmove.errors import printable


@click.command()
@click.argument("board", required=False)
@game_options
@moves_option
@limit_options("prove")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the certificate to FILE, compressed.  [default: JSON on standard output]",
)
@click.option(
    "--exactly",
    is_flag=True,
    help="Also show, if possible, that no shorter win exists.",
)
@url_option
def prove(
    board: str | None, exactly: bool, output: Path | None, url: str | None, **values: Any
) -> int:
    """Prove who wins on BOARD, or that it is a draw, and write a certificate.

    docs/proofs.md describes certificates. Without BOARD, the empty board of the game is used.

    \b
    bestmove prove X...O.... -o draw.proof
    bestmove prove --size 6 -k 4 | bestmove verify -
    bestmove prove --game connect-four --moves 4444443226275
    """
    options = options_of(values)
    board_or_moves(board, options)
    from bestmove.cli.backends import backend

    if output is not None:
        # If the folder cannot be made, fail before the search.
        output.parent.mkdir(parents=True, exist_ok=True)
    with backend(url) as source:
        answer = source.prove(board, exactly=exactly, **options)
    if answer.proof is None:
        hint = " More --time may help." if "budget" in (answer.detail or "") else ""
        report(f"bestmove: {answer.detail}{hint}")
        return FAILED
    document = json.dumps(answer.proof, separators=(",", ":"))
    if output is None:
        click.echo(document)
        return OK
    from bestmove.proof.certificate import compressed

    data = compressed(document)
    unfinished = output.with_name(f"{output.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(output)
    finally:
        unfinished.unlink(missing_ok=True)
    click.echo(printable(f"{output}: {len(data):,} bytes, compressed"))
    return OK


_ANSWER: Final = b'{"proof":'
"""A whole answer of /proof begins so. The certificate is its only field."""


@click.command()
@click.argument("file")
@click.option(
    "--board",
    metavar="BOARD",
    help="The position that the certificate must be about; the options of the game describe it "
    "further.",
)
@game_options
@moves_option
@json_option
def verify(file: str, board: str | None, as_json: bool, **values: Any) -> int:
    """Check the certificate in FILE (- is standard input). Print what it proves.

    FILE may also be a whole answer of /proof.

    The exit code is 0 if the certificate is valid. With --board or --moves, the certificate must
    also be about that position. The file bestmove/proof/verify.py checks certificates, too, and
    needs only Python.

    \b
    bestmove verify win.proof
    bestmove verify win.proof --board XX..O....
    bestmove verify win.proof --moves 'h8 i9' --game gomoku
    """
    options = options_of(values)
    board_or_moves(board, options)
    if options and board is None and "moves" not in options:
        raise click.UsageError("the options of the game need a position: give --board or --moves")
    from bestmove.game.inputs import position_of
    from bestmove.proof import verify as verifier

    meant = position_of(board, options) if options or board is not None else None
    try:
        with click.open_file(file, "rb") as source:
            data = source.read(verifier.LIMIT + 1)
    except OSError as error:
        report(f"The file cannot be read: {error.strerror or error}")
        return BAD_INPUT
    if data.startswith(_ANSWER):
        data = data.rstrip()[len(_ANSWER) : -1]
    verdict = verifier.verify(data, meant)
    if not as_json:
        return verifier.report(verdict)
    click.echo(json.dumps(dataclasses.asdict(verdict)))
    return OK if verdict else FAILED
