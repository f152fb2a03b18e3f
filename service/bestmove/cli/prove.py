"""`bestmove prove` and `bestmove verify`: make and check certificates of results."""

from __future__ import annotations

import dataclasses
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bestmove.cli import ctrl_c
from bestmove.cli.exits import BAD_INPUT, FAILED, OK, require_extra
from bestmove.cli.options import (
    board_or_moves,
    cluster_options,
    game_options,
    integer_option,
    json_option,
    moves_option,
    one_cluster,
    options_of,
    time_option,
    url_option,
)
from bestmove.game import Board, Rules
from bestmove.game.moves import square
from bestmove.search.limits import MAX_NODES

if TYPE_CHECKING:
    from bestmove.proof.jobs import ProofProgress


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
@cluster_options("Search with this many processes until the result is proven.")
@integer_option(
    "--nodes",
    most=MAX_NODES,
    help="With --jobs or --scheduler: the nodes of each search.  [default: 500000]",
)
@click.option(
    "--exactly",
    is_flag=True,
    help="Also show, if possible, that no shorter win exists. Not with --jobs or --scheduler.",
)
@url_option
def prove(
    board: str | None,
    exactly: bool,
    output: Path | None,
    jobs: int | None,
    scheduler: str | None,
    nodes: int | None,
    url: str | None,
    **values: Any,
) -> int:
    """Prove who wins on BOARD, or that it is a draw, and write a certificate.

    docs/proofs.md describes certificates. Without BOARD, the empty board of the game is used.

    With --jobs or --scheduler, many searches together prove what takes too long for one.
    They continue until the result is proven. If you stop them, run the command again to resume.

    \b
    pip install 'bestmove[label]'  # for --jobs, --scheduler
    bestmove prove X...O.... -o draw.proof
    bestmove prove --size 6 -k 4 | bestmove verify -
    bestmove prove --game connect-four --moves 4444443226275
    bestmove prove --size 5 -k 4 --misere --jobs 8 -o FILE
    """
    options = options_of(values)
    board_or_moves(board, options)
    from bestmove.cli.backends import backend
    from bestmove.game.inputs import position_of

    start = None if board is None else board
    if jobs is not None or scheduler is not None:
        one_cluster(jobs, scheduler)
        if click.get_current_context().get_parameter_source("url") is ParameterSource.COMMANDLINE:
            raise click.UsageError("--url asks a service; with --jobs or --scheduler leave it out")
        if output is None:
            raise click.UsageError("--jobs and --scheduler need a file to write to: -o FILE")
        if exactly:
            raise click.UsageError(
                "--jobs and --scheduler do not prove how long a win takes: leave out --exactly"
            )
        if "time_ms" in options:
            raise click.UsageError(
                "with --jobs or --scheduler the search ends only with a proof: leave out --time"
            )
        return _prove_on_cluster(position_of(start, options), output, jobs, scheduler, nodes)
    if nodes is not None:
        raise click.UsageError("--nodes needs --jobs or --scheduler")
    if output is not None:
        # If the folder cannot be made, fail before the search.
        output.parent.mkdir(parents=True, exist_ok=True)
    with backend(url) as source:
        answer = source.prove(start, exactly=exactly, **options)
    if answer.proof is None:
        click.echo(f"bestmove: {answer.detail}", err=True)
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
    click.echo(f"{output}: {len(data):,} bytes")
    return OK


def state(now: ProofProgress, rules: Rules) -> str:
    if not now.proof:
        return f"{now.side} wins: making the certificate"
    if not now.disproof:
        return f"{now.side} cannot win: making the certificate"
    line = " ".join(square(move, rules) for move in now.line)
    numbers = f"does {now.side} win? proof {now.proof:,}, disproof {now.disproof:,}"
    return f"{numbers}, after {line}" if line else numbers


def _prove_on_cluster(
    board: Board, output: Path, jobs: int | None, scheduler: str | None, nodes: int | None
) -> int:
    require_extra("label")
    from bestmove.cli import drawing
    from bestmove.cluster import cluster
    from bestmove.proof.jobs import DEFAULT_NODES, ProofJob

    ctrl_c.raise_error()
    job = ProofJob(board, output, nodes or DEFAULT_NODES)
    before = leaves = job.begin()
    if before:
        click.echo(f"resuming after {before:,} searches", err=True)
    console = drawing.console(stderr=True)
    started = time.monotonic()
    try:
        with (
            cluster(jobs, scheduler) as workers,
            console.status(
                "the first search" if workers.processors else "waiting for a worker"
            ) as status,
        ):

            def show(now: ProofProgress) -> None:
                nonlocal leaves
                leaves = now.leaves
                rate = (leaves - before) / (time.monotonic() - started)
                status.update(f"{state(now, board.rules)}; {leaves:,} searches, {rate:.1f}/s")

            why = job.run(workers, show)
    except KeyboardInterrupt:
        click.echo(f"{leaves:,} searches are done: run the same command again to resume", err=True)
        raise click.exceptions.Abort from None
    if why:
        click.echo(f"bestmove: {why}", err=True)
        return FAILED
    click.echo(f"{output}: {output.stat().st_size:,} bytes, {leaves:,} searches")
    return OK


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
        verdict = verifier.verify(verifier.read(file), meant)
    except OSError as error:
        click.echo(f"The file cannot be read: {error.strerror or error}", err=True)
        return BAD_INPUT
    if not as_json:
        return verifier.report(verdict)
    click.echo(json.dumps(dataclasses.asdict(verdict)))
    return OK if verdict else FAILED
