"""The files of tables: encodings, delimiters, compression, JSON, arrays and folders."""

import bz2
import gzip
import io
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from bestmove.cluster import Cluster
from bestmove.errors import InvalidInput
from bestmove.label import Options, arrays, tables, texts
from bestmove.label.job import LabelJob
from bestmove.label.texts import TextForm
from tests.label.files import begun, written

BOARD = "X...O...."
MOVE = 1
TEXT = f"note;board\nZürich, ½;{BOARD}\n"


def run(workers: Cluster, source: Path, output: object, **options: Any) -> None:
    begun(source, output, **options).run(workers, lambda _: None)


def rows_in(name: str, data: bytes) -> list[dict[str, Any]]:
    found = tables.reader(name, lambda: io.BytesIO(data))
    table = pa.concat_tables([found.schema.empty_table(), *found.tables()])
    assert table.num_rows == found.rows
    return [
        {name: value for name, value in row.items() if ":" not in name} for row in table.to_pylist()
    ]


@pytest.mark.parametrize(
    ("encoding", "given"),
    [
        ("utf-8", None),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", None),
        ("latin-1", "latin-1"),
        ("cp1252", "Windows-1252"),
    ],
)
def test_text_in_other_encodings_is_read(
    tmp_path: Path, workers: Cluster, encoding: str, given: str | None
) -> None:
    (tmp_path / "in.csv").write_bytes(TEXT.encode(encoding))
    run(workers, tmp_path / "in.csv", tmp_path / "out.jsonl", encoding=given)
    row = json.loads((tmp_path / "out.jsonl").read_text("utf-8"))
    assert (row["note"], row["move"]) == ("Zürich, ½", MOVE)


def test_another_encoding_is_asked_for_and_an_unknown_one_refused() -> None:
    with pytest.raises(InvalidInput, match=r"a\.csv cannot be read: .* --encoding latin-1"):
        rows_in("a.csv", TEXT.encode("latin-1"))
    for unknown in ("latin-17", "base64"):
        with pytest.raises(InvalidInput, match="is no encoding: use a name such as"):
            TextForm(unknown)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_in_the_header(delimiter: str) -> None:
    lines = [["an; odd, name|", "board"], ["a", BOARD]]
    text = "".join(delimiter.join(f'"{each}"' for each in line) + "\n" for line in lines)
    assert rows_in("a.csv", text.encode()) == [{lines[0][0]: "a", "board": BOARD}]


@pytest.mark.parametrize("ending", ["csv", "tsv", "data"])
def test_the_names_of_columns_may_be_given(tmp_path: Path, workers: Cluster, ending: str) -> None:
    between = "\t" if ending == "tsv" else ","
    lines = [["a", BOARD], ["b", BOARD], ["c"]]
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / f"x.{ending}").write_text("".join(between.join(line) + "\n" for line in lines))
    run(workers, folder, tmp_path / "out", names=("id", "board"), keep=("id", "move", "problem"))
    (written,) = (tmp_path / "out").iterdir()
    assert written.name == ("x.data.csv" if ending == "data" else f"x.{ending}")
    found = [line.split(between) for line in written.read_text().splitlines()]
    assert found[:3] == [["id", "move", "problem"], ["a", str(MOVE), ""], ["b", str(MOVE), ""]]
    assert "the line has 1 fields, but there are 2 names" in between.join(found[3])


def test_a_delimiter_may_be_given(tmp_path: Path, workers: Cluster) -> None:
    (tmp_path / "in.csv").write_text(f"board:a,b\n{BOARD}:1\n")
    run(workers, tmp_path / "in.csv", tmp_path / "out.csv", delimiter=":", keep=("a,b", "move"))
    assert (tmp_path / "out.csv").read_text() == f'"a,b",move\n1,{MOVE}\n'
    for wrong in ("", "::", '"', "\n"):
        with pytest.raises(InvalidInput, match="one character"):
            TextForm(delimiter=wrong)


@pytest.mark.parametrize(
    ("ending", "unpack"),
    [("gz", gzip.decompress), ("bz2", bz2.decompress), ("xz", lzma.decompress), ("zst", None)],
)
def test_text_may_be_compressed(ending: str, unpack: Callable[[bytes], bytes] | None) -> None:
    data = written(f"a.csv.{ending}", pa.table({"board": [BOARD]}))
    assert unpack is None or unpack(data) == f"board\n{BOARD}\n".encode()
    assert rows_in(f"a.csv.{ending}", data) == [{"board": BOARD}]
    with pytest.raises(InvalidInput, match=f"a.csv.{ending} cannot be read"):
        rows_in(f"a.csv.{ending}", b"board\n")


def test_a_text_of_boards_has_one_on_each_line(tmp_path: Path, workers: Cluster) -> None:
    (tmp_path / "in.txt").write_text(f"{BOARD}\n\n4,4,5,3\r\nX../.O./...")
    assert [row["board"] for row in rows_in("a.txt", (tmp_path / "in.txt").read_bytes())] == [
        BOARD,
        "4,4,5,3",
        "X../.O./...",
    ]
    run(workers, tmp_path / "in.txt", tmp_path / "out.csv", keep=("move",))
    assert (tmp_path / "out.csv").read_text() == f'move\n{MOVE}\n""\n{MOVE}\n'
    (tmp_path / "moves.txt").write_text("4,4,5,3\n")
    options: dict[str, Any] = {"sources": (("moves", "board"),), "game": "connect-four"}
    run(workers, tmp_path / "moves.txt", tmp_path / "b.csv", keep=("turn",), nodes=10, **options)
    assert (tmp_path / "b.csv").read_text() == "turn\nX\n"
    with pytest.raises(InvalidInput, match="is not a format"):
        LabelJob(str(tmp_path / "in.txt"), str(tmp_path / "out.txt"), Options())


@pytest.mark.parametrize("indent", [None, 2])
def test_json_may_be_an_array_or_lines(indent: int | None) -> None:
    rows: list[Any] = [{"board": BOARD, "id": 1}, {"board": "#"}, 7]
    array = json.dumps(rows, indent=indent).encode()
    lines = "\n".join(map(json.dumps, rows)).encode()
    expected = [{"board": BOARD, "id": 1}, {"board": "#", "id": None}, {"board": None, "id": None}]
    assert rows_in("a.json", array) == rows_in("a.json", lines) == expected


def test_json_is_written_as_an_array() -> None:
    table = pa.table({"board": [BOARD, None]})
    assert json.loads(written("a.json", table)) == table.to_pylist()
    assert json.loads(written("a.json", table.slice(2))) == []


CELLS = np.array([[1, 0, 0, 0, 2, 0, 0, 0, 0], [1, 2, 0, 0, 0, 0, 0, 0, 0]])


@pytest.mark.parametrize(
    "boards",
    [
        CELLS,
        CELLS.astype("int8").reshape(2, 3, 3),
        np.where(CELLS == 2, -1, CELLS).astype("float32"),
        np.array([BOARD, "XO......."], "S"),
        np.array([CELLS == 1, CELLS > 1]).transpose(1, 0, 2).reshape(2, 2, 3, 3),
        np.array([CELLS == 1, CELLS > 1]).transpose(1, 2, 0).reshape(2, 3, 3, 2),
    ],
    ids=lambda array: str(array.dtype),
)
@pytest.mark.parametrize("name", ["in.npy", "in.npz"])
def test_arrays_go_in_and_out(tmp_path: Path, workers: Cluster, boards: Any, name: str) -> None:
    if name == "in.npy":
        np.save(tmp_path / name, boards)
    else:
        np.savez(tmp_path / name, boards=boards, id=np.array([7, 8]), version=1)
    run(workers, tmp_path / name, tmp_path / "out.npz", all_moves=True)
    found = np.load(tmp_path / "out.npz")
    assert found["move"].tolist() == [MOVE, 3]
    assert found["scores"].shape == (2, 9)
    assert np.isnan(found["scores"][0]).tolist() == (CELLS[0] > 0).tolist()
    assert found["problem"].tolist() == ["", ""]
    if name == "in.npz":
        assert found["id"].tolist() == [7, 8]
        assert "version" not in found
    if boards.dtype.kind != "S" and boards.ndim < 4:
        assert found["board"].tolist() == boards.tolist()


def test_what_is_missing_in_arrays_has_a_value() -> None:
    table = pa.table(
        {
            "int": pa.array([1, None], "int16"),
            "float": pa.array([None, 0.5]),
            "bool": [True, None],
            "text": [None, "ü"],
            "lists": [[1], None],
            "object": [{"a": 1}, None],
            "file": pa.array([1, 2], "uint8"),
        }
    )
    found = np.load(io.BytesIO(written("a.npz", table)))
    assert np.isnan(found["float"][0])
    assert {name: found[name].tolist() for name in found if name != "float"} == {
        "int": [1, -1],
        "bool": [True, False],
        "text": ["", "ü"],
        "lists": [[1], [-1]],
        "object": ['{"a": 1}', ""],
        "file": [1, 2],
    }
    assert (found["int"].dtype, found["lists"].dtype) == (np.int16, np.int64)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"board": CELLS, "id": np.arange(3)}, r"different numbers of rows \(board 2, id 3\)"),
        ({"id": np.array([None])}, "a.npz cannot be read: id: "),
        ({"board": CELLS, "../x": np.arange(2)}, r"\.\./x is a path out of its folder"),
        ({"board": CELLS, r"a\..\x": np.arange(2)}, "is a path out of its folder"),
        ({"board": np.zeros((900, 9))}, "its arrays have more than 2 GiB: make several files"),
    ],
)
def test_arrays_that_are_no_table_are_refused(
    columns: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "_MOST_BYTES", 9000)
    file = io.BytesIO()
    np.savez_compressed(file, **columns)
    with pytest.raises(InvalidInput, match=message):
        rows_in("a.npz", file.getvalue())


@pytest.mark.parametrize("shape", [(9,), (3, 3)])
def test_an_array_may_be_one_board(shape: tuple[int, ...]) -> None:
    file = io.BytesIO()
    np.save(file, CELLS[0].reshape(shape))
    assert rows_in("a.npy", file.getvalue()) == [{"board": CELLS[0].reshape(shape).tolist()}]


def test_hostile_files_are_refused_by_name() -> None:
    file = io.BytesIO()
    described = {"descr": "|i1", "fortran_order": False, "shape": (65 << 40,)}
    np.lib.format.write_array_header_1_0(file, described)
    with pytest.raises(InvalidInput, match=r"a\.npy cannot be read: Unable to allocate"):
        rows_in("a.npy", file.getvalue())
    with pytest.raises(InvalidInput, match=r"a\.json cannot be read: maximum recursion depth"):
        rows_in("a.json", b"[" * 100_000)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.json", "a.txt"])
def test_a_line_is_not_read_beyond_its_limit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "_LONGEST_LINE", 1000)
    for data in (b"[" * 1000, b"[\n" + b" " * 1000):
        with pytest.raises(InvalidInput, match=f"{name} cannot be read: a line, or the JSON array"):
            rows_in(name, data)


def test_nested_folders_keep_their_paths_and_those_of_hive_are_fields(
    tmp_path: Path, workers: Cluster
) -> None:
    empty = "/".join(["......."] * 6)
    files = {
        "game=connect-four/year=2024/a.csv": f"board\n{empty}\n",
        "game=__HIVE_DEFAULT_PARTITION__/a.csv": f"board\n{BOARD}\n",
        "deep/er/boards.txt": f"{BOARD}\n",
        "empty.csv": "board\n",
        "_temporary/a.csv": "id\n1\n",
        **dict.fromkeys(("README", "readme.md", "LICENSE", "deep/_SUCCESS", ".hidden"), "text"),
    }
    for name, text in files.items():
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "out").mkdir()
    run(workers, tmp_path / "in", f"{tmp_path}/out/", nodes=10, keep=("turn", "problem"))
    found = {
        path.relative_to(tmp_path / "out").as_posix(): path.read_text()
        for path in (tmp_path / "out").rglob("*.*")
    }
    assert found == dict.fromkeys(
        [*[name for name in files if name.startswith("game")], "deep/er/boards.txt.csv"],
        "turn,problem\nX,\n",
    ) | {"empty.csv": "turn,problem\n"}


def test_results_have_the_format_of_their_folder_and_kept_columns_of_the_path(
    tmp_path: Path, workers: Cluster
) -> None:
    folder = "spiel=connect%2Dfour/k=four/year=2024"
    (tmp_path / "in" / folder).mkdir(parents=True)
    (tmp_path / "in" / folder / "a.csv").write_text("moves\n44\n")
    options: dict[str, Any] = {"sources": (("game", "spiel"),), "ignore": ("k",), "nodes": 10}
    run(workers, tmp_path / "in", tmp_path / "out.parquet", keep=("year", "turn"), **options)
    found = pq.ParquetFile(tmp_path / "out.parquet" / folder / "a.csv.parquet").read()
    assert found.to_pylist() == [{"year": "2024", "turn": "X"}]
