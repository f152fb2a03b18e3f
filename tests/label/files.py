"""Writes, reads and labels the files of tables."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq

from bestmove.label import Options, tables
from bestmove.label.job import LabelJob
from bestmove.label.texts import TextForm

BOARDS = ["X...O....", "XX.......", "XO.......", ".........", "XXXOO...."]
TABLE = pa.table({"id": range(500), "board": BOARDS * 100})


def write(path: Path) -> None:
    """Write TABLE in the format that the file's name demands."""
    if path.suffix == ".parquet":
        pq.write_table(TABLE, path, row_group_size=70)
        return
    rows = TABLE.to_pylist()
    lines = [f"{json.dumps(row)}\n" for row in rows]
    if ".csv" in path.suffixes:
        lines = ["id,board\n", *(f"{row['id']},{row['board']}\n" for row in rows)]
    with fsspec.open(str(path), "wt", compression="infer") as file:
        file.writelines(lines)


def read(path: Path) -> list[dict[str, Any]]:
    """Read the rows of a file in any format."""
    if path.suffix == ".parquet":
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return rows
    with fsspec.open(str(path), "rt", compression="infer", newline="") as file:
        if ".csv" not in path.suffixes:
            return [json.loads(line) for line in file]
        return [
            {
                **row,
                "move": int(row["move"]) if row["move"] else None,
                "exact": {"true": True, "": None}[row["exact"]],
                "problem": row["problem"] or None,
            }
            for row in csv.DictReader(file)
        ]


def written(name: str, table: pa.Table) -> bytes:
    """Return the bytes of a file of this name with the table."""
    file = io.BytesIO()
    file.close = lambda: None  # type: ignore[method-assign] # what is written is read below
    tables.write(name, file, table.schema, [table])
    return file.getvalue()


def begun(source: object, output: object, **options: Any) -> LabelJob:
    """Begin a job. `options` are those of `Options` and of `TextForm`."""
    form = TextForm(*(options.pop(name, None) for name in ("encoding", "delimiter", "names")))
    job = LabelJob(str(source), str(output), Options(**options), form)
    job.begin()
    return job
