"""Labelling files and folders of tables: formats, order, parts, and continuing after a stop."""

import csv
import errno
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import fsspec
import pyarrow.parquet as pq
import pytest
from distributed import Client, LocalCluster

from bestmove import Board
from bestmove.cluster import Cluster, cluster
from bestmove.errors import ClusterFailed, InvalidInput
from bestmove.label import Options, label
from bestmove.label.job import LabelJob
from bestmove.label.places import Place
from bestmove.label.tally import Tally, tally_of
from tests.label.files import TABLE, begun, read, write


def answers(rows: Iterable[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(int(row["id"]), row["move"], row["exact"], row["problem"]) for row in rows]


EXPECTED = answers(label(TABLE).to_pylist())


def run(
    workers: Cluster, source: object, output: object, **options: Any
) -> tuple[Tally, list[Tally]]:
    """Label a table. Return the tallies of the whole table and of each part labelled now."""
    job = LabelJob(str(source), str(output), Options(**options))
    whole = job.begin()
    seen: list[Tally] = []
    job.run(workers, seen.append)
    for tally in seen:
        whole.add(tally)
    return whole, seen


class Stopped(Exception):
    pass


def stop(job: LabelJob, workers: Cluster, after: int = 1) -> None:
    """Run a job, and stop it after some parts."""
    left = iter(range(after))

    def count(_: Tally) -> None:
        if next(left, None) is None:
            raise Stopped

    with pytest.raises(Stopped):
        job.run(workers, count)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    write(tmp_path / "in.csv")
    return tmp_path / "in.csv"


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "out.csv"


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("in.csv.gz", "out.parquet"),
        ("in.parquet", "out.csv.gz"),
        ("in.jsonl.bz2", "out.ndjson.gz"),
    ],
)
def test_every_format_comes_back_in_order(
    tmp_path: Path, workers: Cluster, given: str, made: str
) -> None:
    write(tmp_path / given)
    tally, _ = run(workers, tmp_path / given, tmp_path / made)
    assert answers(read(tmp_path / made)) == EXPECTED
    assert (tally.rows, tally.exact, tally.problems) == (500, 400, 100)
    assert [(count, row) for count, _, row, _ in tally.kinds.values()] == [(100, 2)]
    assert {path.name for path in tmp_path.iterdir()} == {given, made}


def test_the_text_of_a_csv_stays_as_it_is(tmp_path: Path, workers: Cluster) -> None:
    source = tmp_path / "in.csv"
    lines = [
        "id,board,note",
        "007,X...O....,NA",
        '1e5,.........,"a ""quoted"", line\nand more"',
        ",bad,1.50",
        "true,X........",
        "x,X........,ünï,too many",
        "",
    ]
    source.write_bytes(("\ufeff" + "\r\n".join(lines)).encode())
    run(workers, source, tmp_path / "out.csv", keep=("id", "note", "move", "problem"))
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[1:] == [
        ["007", "NA", "1", ""],
        ["1e5", 'a "quoted", line\nand more', "0", ""],
        ["", "1.50", "", rows[3][3]],
        ["true", "", "", "the line has 2 fields, but there are 3 names"],
        ["x", "ünï", "", "the line has 4 fields, but there are 3 names"],
    ]


def test_problems_are_counted_by_kind_in_whatever_order_the_parts_come() -> None:
    whole = Tally()
    first: list[Board | str] = ["not 'a'", "3 X and 0 O", "column 's4': not 'b'", "c3 is taken"]
    first.append(Board.empty(game="tic-tac-toe"))
    for part in (tally_of(["2 X and 0 O", "a10 is taken"], 1, 1, 0), tally_of(first, 1, 0, 0)):
        whole.add(part)
    assert (whole.rows, whole.exact, whole.sizes) == (7, 2, {"3x3": [1, 0, 5]})
    counts = [(2, first[1]), (2, first[3]), (1, first[0]), (1, first[2])]
    assert [(count, why) for count, *_, why in whole.kinds.values()] == counts


def test_json_lines_of_mixed_values_come_back_unchanged(tmp_path: Path, workers: Cluster) -> None:
    rows: list[dict[str, Any]] = [
        {"board": "X...O....", "id": 2**70, "tags": ["a", 1], "only": "\ud800"},
        {"board": [["X", None, None], [None, "O", None], [None, None, None]], "id": "x"},
        {"board": "#", "id": None, "tags": {"b": None}},
        {"board": 17},
    ]
    lines = [*map(json.dumps, rows), "", "[1]", "{", '{"board": "X...O...."}']
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    run(workers, tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    found = read(tmp_path / "out.jsonl")
    assert [row["move"] for row in found] == [1, 1, None, None, None, None, 1]
    for before, after in zip(rows, found, strict=False):
        assert {name: after[name] for name in before} == before
    assert "must be text or a list" in found[3]["problem"]
    assert found[4]["problem"] == "the line is not a JSON object"
    assert found[5]["problem"].startswith("the line is not JSON: ")


def test_an_address_of_fsspec_is_read_and_written(workers: Cluster) -> None:
    memory = fsspec.filesystem("memory")
    with memory.open("/here/in.parquet", "wb") as file:
        pq.write_table(TABLE, file)
    run(workers, "memory://here/in.parquet", "memory://here/out.parquet")
    with memory.open("/here/out.parquet", "rb") as file:
        assert answers(pq.read_table(file).to_pylist()) == EXPECTED
    assert sorted(memory.ls("/here", detail=False)) == ["/here/in.parquet", "/here/out.parquet"]
    memory.rm("/here", recursive=True)


@pytest.mark.parametrize("files", [["in.parquet"], ["in/a.parquet", "in/b.parquet"]], ids=len)
def test_the_same_command_continues_a_stopped_job(
    tmp_path: Path, workers: Cluster, files: list[str]
) -> None:
    (tmp_path / "in").mkdir()
    for name in files:
        write(tmp_path / name)
    given = tmp_path / files[0].partition("/")[0]
    output = tmp_path / given.name.replace("in", "out")
    undisturbed, _ = run(workers, given, tmp_path / "undisturbed.parquet")
    before = -1
    for after in (0, 1, 3, 9):
        job = LabelJob(str(given), str(output), Options())
        rows = job.begin().rows
        assert rows > before
        before = rows
        stop(job, workers, after)
    finished = {path.stat().st_ino for path in output.glob("*")}
    tally, seen = run(workers, given, output)
    assert tally == undisturbed
    assert sum(part.rows for part in seen) < tally.rows
    made = [*output.iterdir()] if output.is_dir() else [output]
    assert finished <= {path.stat().st_ino for path in made}
    assert [answers(read(path)) for path in made] == [EXPECTED] * len(files)
    assert not (tmp_path / f"{output.name}.parts").exists()


def test_where_there_are_no_locks_parts_of_a_second_command_neither_replace_nor_drop_rows(
    source: Path, output: Path, workers: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Place, "lock", lambda _: None)
    first, second = begun(source, output), begun(source, output)
    monkeypatch.setattr("bestmove.label.job._FIRST_ROWS", 50)
    stop(second, workers, after=2)
    monkeypatch.undo()
    first.run(workers, lambda _: None)
    assert answers(read(output)) == EXPECTED


def test_a_second_command_on_the_same_output_is_refused_until_the_first_ends(
    source: Path, output: Path, workers: Cluster
) -> None:
    first = begun(source, output)
    with pytest.raises(BlockingIOError, match="another command is writing it") as refused:
        begun(source, output)
    assert refused.value.filename == str(output)
    stop(first, workers)
    assert begun(source, output).rows == 500


def test_parts_without_a_manifest_are_ignored(source: Path, output: Path, workers: Cluster) -> None:
    stop(begun(source, output, nodes=1), workers)
    (output.with_name("out.csv.parts") / "manifest.json").unlink()
    assert LabelJob(str(source), str(output), Options(nodes=2)).begin().rows == 0


def test_a_file_is_on_the_disk_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place.at(str(tmp_path / "out.csv"))
    seen = []
    monkeypatch.setattr("os.fsync", lambda _: seen.append(place.exists()))
    with place.written(Place.at(str(tmp_path / "parts"))) as file:
        file.write(b"board")
    assert seen == [False]
    assert place.read() == b"board"


def test_two_that_write_one_file_do_not_mix(tmp_path: Path) -> None:
    place, folder = Place.at(str(tmp_path / "out.csv")), Place.at(str(tmp_path / "parts"))
    with place.written(folder) as first, place.written(folder) as second:
        first.write(b"first")
        second.write(b"second")
    assert place.read() == b"first"


def test_a_fault_names_its_path_and_leaves_no_file(tmp_path: Path) -> None:
    place, folder = Place.at(str(tmp_path / "out.csv")), Place.at(str(tmp_path / "parts"))
    full = OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(OSError, match="No space") as failed, place.written(folder):
        raise full
    assert failed.value.filename == str(tmp_path / "out.csv")
    assert folder.names() == []


def test_a_damaged_part_is_named(source: Path, output: Path, workers: Cluster) -> None:
    stop(begun(source, output), workers)
    part = next(output.with_name("out.csv.parts").glob("*.arrow"))
    part.write_bytes(b"no table")
    with pytest.raises(InvalidInput, match=f"{part.name} cannot be read"):
        begun(source, output)


def test_parts_of_another_job_are_refused_and_the_difference_is_named(
    source: Path, output: Path, workers: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop(begun(source, output, nodes=10, gravity=False), workers)
    with pytest.raises(InvalidInput, match=r"options\.nodes: 10 instead of 11") as refused:
        begun(source, output, nodes=11, gravity=False)
    assert "options.gravity" not in str(refused.value)
    with pytest.raises(InvalidInput, match=r"options\.gravity: false instead of not given"):
        begun(source, output, nodes=10)
    with pytest.raises(InvalidInput, match=r"options\.misere: not given instead of true"):
        begun(source, output, nodes=10, gravity=False, misere=True)
    other = {"version": "0.9", "engine": "compiled", "sources": "0"}
    with monkeypatch.context() as patch:
        patch.setattr("bestmove.label.job.build", lambda: other)
        with pytest.raises(InvalidInput, match=r"version: \"1.* instead of \"0.9\""):
            begun(source, output, nodes=10, gravity=False)
    source.write_text(source.read_text() + "500,X...O....\n")
    with pytest.raises(InvalidInput, match="input") as refused:
        begun(source, output, nodes=10, gravity=False)
    assert "options" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("out.csv", "already exists"),
        ("in.csv", "input and output are the same"),
        ("out", "is not a format"),
        (".", "is a folder, but the input is a file"),
        ("folder/out", "is inside the input: choose a folder elsewhere"),
    ],
)
def test_an_output_that_would_replace_something_is_refused(
    source: Path, output: Path, name: str, message: str
) -> None:
    output.write_text("precious")
    folder = source.with_name("folder")
    folder.mkdir()
    write(folder / "a.csv")
    with pytest.raises(InvalidInput, match=message):
        begun(folder if "/" in name else source, source.parent / name)
    assert output.read_text() == "precious"
    with pytest.raises(InvalidInput, match="already exists"):
        begun(folder, source.parent)
    begun(folder, source.with_name("folder-labelled"))


def test_a_lost_scheduler_is_reported(workers: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the scheduler is lost, Dask's client cancels all tasks."""
    submit = workers._client.submit

    def cancelled(*task: Any, **options: Any) -> Any:
        future = submit(*task, **options)
        future.cancel()
        return future

    monkeypatch.setattr(workers._client, "submit", cancelled)
    with pytest.raises(ClusterFailed, match="lost: run the same command again"):
        next(workers.results(len, ["task"]))


def test_tasks_wait_for_the_first_worker() -> None:
    """An adaptive cluster has no worker until it has tasks."""
    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address="127.0.0.1:0") as local,
        Client(local, set_as_default=False) as client,
    ):
        found = Cluster(client)
        assert found.processors == 0
        local.adapt(minimum=0, maximum=1, interval="10ms")
        assert list(found.results(len, ["task"])) == [("task", 4)]


@pytest.mark.parametrize("address", ["tcp://nowhere.invalid:1", "tcp://127.0.0.1:1"])
def test_a_scheduler_that_does_not_answer_is_reported(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bestmove.cluster._WAIT_S", 1)
    with (
        pytest.raises(ClusterFailed, match=f"no scheduler at {address}: "),
        cluster(scheduler=address),
    ):
        raise AssertionError("a scheduler was found")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("in.parquet", b"no table", "cannot be read"),
        ("in.csv", b"board\n\xff\xfe", "cannot be read"),
        ("in.csv", b'board\n"X', "cannot be read: line 2: unexpected end of data"),
        ("in.csv", b'board\n.\n"X" Y\n', "cannot be read: line 3: ',' expected"),
        ("in.csv", b"X...O....,1\n", "no column named board or moves.*give them with --names"),
        ("in.csv", b"board,board\n", "two columns named board"),
        ("in.jsonl", b"", "no column named board or moves"),
        ("in.jsonl", b'{"board": ".", "\\ud800": 1}', "cannot be read"),
        ("in.csv.gz", b"board\n", "cannot be read"),
        ("in.xlsx", b"", "is not a format"),
    ],
)
def test_a_file_that_is_not_a_table_is_refused_before_anything_is_written(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InvalidInput, match=message):
        LabelJob(str(tmp_path / name), str(tmp_path / "out.csv"), Options())
    assert [path.name for path in tmp_path.iterdir()] == [name]
