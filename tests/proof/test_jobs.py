"""Many searches in parallel prove the same result as one search, even if they are stopped and
resumed."""

import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from bestmove import Board, Limits, prove, verify
from bestmove.cluster import Cluster, JobResult, Piece, require_same_job
from bestmove.errors import InvalidInput
from bestmove.proof import certificate, jobs
from bestmove.proof.jobs import ProofJob, ProofProgress
from tests.support import programs
from tests.support.clusters import kill_all, kill_worker, running
from tests.support.needs import COMPILED, LONG

NODES = 60

BOARDS = [
    Board.empty(3, 3, 3),
    Board.empty(3, 3, 3, misere=True),
    Board.empty(3, 3, 3, gravity=True),
    Board.parse("XX..O....", overline=False),
    Board.empty(4, 4, 3),
    Board.empty(4, 4, 3, first="O"),
    Board.empty(5, 6, 4),
    Board.parse("X..O/.XO./OX.X/...O", 4, 4, 3, misere=True),
    Board.from_moves("1122442", 4, 4, 4, first="O", gravity=True),
]


class Here(Cluster):
    """A cluster of three simulated workers. The task that began last ends first."""

    def __init__(self) -> None:
        self.processors = 3

    def results(
        self,
        function: Callable[[Piece], JobResult],
        tasks: Iterable[Piece | None],
        ahead: int = 0,  # noqa: ARG002
    ) -> Iterator[tuple[Piece, JobResult]]:
        waiting = iter(tasks)
        begun: list[Piece] = []
        while True:
            while len(begun) < self.processors and (task := next(waiting, None)) is not None:
                begun.append(task)
            if not begun:
                return
            task = begun.pop()
            yield task, function(task)


def ignored(_: ProofProgress) -> None:
    """Ignore the progress."""


def shown(file: Path) -> tuple[str | None, bool]:
    verdict = verify(file)
    assert verdict.stands, verdict.reason
    return verdict.winner, verdict.draw


def proven(board: Board) -> tuple[str | None, bool]:
    proof = prove(board, Limits(time_ms=None, nodes=10_000_000))
    assert proof is not None
    verdict = verify(proof.to_dict())
    return verdict.winner, verdict.draw


@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_many_searches_make_the_claim_of_one_search(
    board: Board,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "_GRAPH_BYTES", 100 if board.rules.size <= 16 else 2000)
    job = ProofJob(board, tmp_path / "a.proof", NODES)
    assert job.begin() == 0
    assert job.run(Here(), ignored) == ""
    assert shown(tmp_path / "a.proof") == proven(board)
    assert [path.name for path in tmp_path.iterdir()] == ["a.proof"]


def test_the_certificate_is_on_the_disk_before_the_searches_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bool] = []
    monkeypatch.setattr("os.fsync", lambda _: written.append(any(tmp_path.glob("*/a.proof.*.tmp"))))
    job = ProofJob(Board.empty(3, 3, 3), tmp_path / "a.proof", NODES)
    job.begin()
    job.run(Here(), ignored)
    assert written[-1]
    assert not any(written[:-1])


class Silent:
    def consult(self, task: object) -> None:
        pass

    def winning_move(self, *_: object) -> None:
        return None

    holding_move = winning_move


@pytest.mark.parametrize(
    ("times", "why"),
    [(1, ""), (2, "a result is wrong, because the results together make no certificate")],
)
def test_a_move_that_the_graph_lacks_is_searched_once(
    times: int, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[jobs._TreeAdviser] = []
    forgotten: list[tuple[str, str]] = []

    class Forgetful(jobs._TreeAdviser):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self._engine: Any = Silent()
            made.append(self)
            forgotten.append([key for key, move in self._moves.items() if move is not None][1])
            if len(made) <= times:
                del self._moves[forgotten[0]]

    monkeypatch.setattr(jobs, "_TreeAdviser", Forgetful)
    job = ProofJob(Board.empty(4, 4, 3), tmp_path / "a.proof", NODES)
    job.begin()
    said = job.run(Here(), ignored)
    assert why in said if why else said == ""
    assert len(made) == 2
    assert made[0].missing
    assert not why or made[1].missing == made[0].missing


def test_workers_of_a_cluster_make_the_same_claim(workers: Cluster, tmp_path: Path) -> None:
    job = ProofJob(Board.empty(3, 3, 3), tmp_path / "a.proof", NODES)
    job.begin()
    assert job.run(workers, ignored) == ""
    assert shown(tmp_path / "a.proof") == (None, True)


class Stop(Exception):
    """Interrupts a job."""


def test_a_job_continues_after_a_stop_in_any_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "_GRAPH_BYTES", 200)
    file, board = tmp_path / "a.proof", Board.empty(3, 3, 3)
    journal = tmp_path / "a.proof.parts" / "journal.jsonl"
    seen: list[ProofProgress] = []

    def look_on(now: ProofProgress) -> None:
        seen.append(now)
        if len(seen) % 5 == 0:
            raise Stop

    done = 0
    for stops in range(1, 4):
        job = ProofJob(board, file, NODES)
        assert job.begin() == done
        with pytest.raises(Stop):
            job.run(Here(), look_on)
        done = 5 * stops
        with journal.open("ab") as cut_short:
            cut_short.write(b'{"side":"X","cells":"...')
    job = ProofJob(board, file, NODES)
    assert job.begin() == done
    assert job.run(Here(), seen.append) == ""
    assert shown(file) == (None, True)
    assert [now.leaves for now in seen] == [*range(1, len(seen) + 1)]
    assert all(now.line for now in seen[:5])


@pytest.mark.parametrize(
    ("before", "now", "difference"),
    [
        ({"nodes": 1}, {"nodes": 2}, "nodes: 1 instead of 2"),
        ({"nodes": 1}, {"nodes": 1, "level": 3}, "level: not given instead of 3"),
        ({"nodes": 1, "level": 3}, {"nodes": 1}, "level: 3 instead of not given"),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, "a.c: 2 instead of 3"),
    ],
)
def test_every_difference_between_jobs_is_named(
    before: dict[str, Any], now: dict[str, Any], difference: str
) -> None:
    require_same_job("out", before, before)
    with pytest.raises(InvalidInput, match=rf"another job \({re.escape(difference)}\)"):
        require_same_job("out", before, now)


def test_parts_of_other_jobs_and_existing_outputs_are_refused(tmp_path: Path) -> None:
    file, board = tmp_path / "a.proof", Board.empty(3, 3, 3)
    ProofJob(board, file, NODES).begin()
    with pytest.raises(InvalidInput, match="nodes: 60 instead of 61"):
        ProofJob(board, file, NODES + 1).begin()
    with pytest.raises(InvalidInput, match=r"the parts of another job .board: "):
        ProofJob(board.play(0), file, NODES).begin()
    job = ProofJob(board, file, NODES)
    job.begin()
    job.run(Here(), ignored)
    with pytest.raises(InvalidInput, match="already exists"):
        ProofJob(board, file, NODES).begin()
    with pytest.raises(InvalidInput, match="the game is over"):
        ProofJob(Board.parse("XXXOO...."), tmp_path / "b.proof").begin()


def test_results_that_another_job_left_behind_are_not_used(tmp_path: Path) -> None:
    (tmp_path / "a.proof.parts").mkdir()
    (tmp_path / "a.proof.parts" / "journal.jsonl").write_text('{"side":"X"}\n')
    assert ProofJob(Board.empty(3, 3, 3), tmp_path / "a.proof", NODES).begin() == 0


DAMAGE = {
    "not JSON": (b"{", "line 1: it is not JSON"),
    "not UTF-8": (b"\xff", "line 1: "),
    "nested": (b"[" * 5000, "line 1: "),
    "no record": (b"[]", "line 1: it is not the result of a search"),
    "no side": (b'{"side":"Q"}', "line 1: it is not the result of a search"),
    "no field": (
        b'{"side":"X","cells":".........","moves":[[0,0.5]]}',
        "line 1: it is not the result of a search",
    ),
    "no cells": (b'{"side":"X","wins":null,"cells":"..."}', "line 1: its cells are not 9 marks"),
    "no result": (
        b'{"side":"X","cells":".........","wins":null}',
        "line 1: it has neither a result nor moves",
    ),
    "a move outside": (
        b'{"side":"X","cells":".........","wins":null,"moves":[[9,0.5]]}',
        "line 1: it has neither a result nor moves",
    ),
    "a move on a mark": (
        b'{"side":"X","cells":"X........","wins":null,"moves":[[0,0.5]]}',
        "line 1: it has neither a result nor moves",
    ),
    "no moves": (
        b'{"side":"X","cells":".........","wins":null,"moves":[]}',
        "line 1: it has neither a result nor moves",
    ),
    "no graph": (
        b'{"side":"X","cells":".........","wins":true,"graph":"abc"}',
        "line 1: its graph is damaged",
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_journal_is_refused_by_its_line(tmp_path: Path, damage: str) -> None:
    line, said = DAMAGE[damage]
    file, board = tmp_path / "a.proof", Board.empty(3, 3, 3)
    ProofJob(board, file, NODES).begin()
    (tmp_path / "a.proof.parts" / "journal.jsonl").write_bytes(line + b"\n")
    with pytest.raises(InvalidInput, match=said):
        ProofJob(board, file, NODES).begin()


@pytest.mark.parametrize("text", ["", "{", "\0"])
def test_a_damaged_manifest_is_refused(tmp_path: Path, text: str) -> None:
    ProofJob(Board.empty(3, 3, 3), tmp_path / "a.proof", NODES).begin()
    (tmp_path / "a.proof.parts" / "manifest.json").write_text(text)
    with pytest.raises(InvalidInput, match="is damaged: remove the folder"):
        ProofJob(Board.empty(3, 3, 3), tmp_path / "a.proof", NODES).begin()


def test_two_commands_do_not_work_on_one_output(tmp_path: Path) -> None:
    file = tmp_path / "a.proof"
    ProofJob(Board.empty(3, 3, 3), file, NODES).begin()
    second = (
        "from pathlib import Path\nfrom bestmove import Board\n"
        "from bestmove.proof.jobs import ProofJob\n"
        f"ProofJob(Board.empty(3, 3, 3), Path({str(file)!r}), {NODES}).begin()"
    )
    said = programs.run(sys.executable, "-c", second, status=1).stderr
    assert "another command works in" in said


@pytest.mark.parametrize("bound", [(jobs, "MOST_BYTES", 500), (certificate, "MOST_NODES", 9)])
def test_a_certificate_that_is_too_large_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: tuple[object, str, int]
) -> None:
    monkeypatch.setattr(*bound)
    board = Board.empty(3, 3, 3)
    job = ProofJob(board, tmp_path / "a.proof", NODES)
    job.begin()
    assert job.run(Here(), ignored) == "The result is proven, but its certificate is too large."
    if bound[0] is certificate:
        assert prove(board) is None


def searches_in(file: Path) -> int:
    journal = file.with_name(f"{file.name}.parts") / "journal.jsonl"
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


@pytest.mark.slow
@LONG
@COMPILED
@pytest.mark.parametrize("kill", [kill_worker, kill_all])
def test_the_command_continues_after_each_kill(
    tmp_path: Path, kill: Callable[[Popen[str]], None]
) -> None:
    file = tmp_path / "a.proof"
    game = ("--size", 4, "-k", 3, "--misere", "X..............O")
    command = ("-m", "bestmove", "prove", *game, "--jobs", 2, "--nodes", 200, "-o", file)
    for searches in (2, 10, 20):
        with running(*command) as process:
            while process.poll() is None and searches_in(file) < searches:
                time.sleep(0.01)
            kill(process)
            if kill is kill_worker:
                said, _ = process.communicate()
                break
            process.wait()
    else:
        with running(*command) as process:
            said, _ = process.communicate()
        assert "resuming after" in said
    assert process.returncode == 0, said
    assert shown(file) == proven(Board.parse("X..............O", 4, 4, 3, misere=True))
    assert [path.name for path in tmp_path.iterdir()] == ["a.proof"]
