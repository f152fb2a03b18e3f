"""What `bestmove label` does before its processes start. tests/label tests the rest."""

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import Result

from bestmove import Board, Rules
from bestmove.extras import install
from bestmove.label.labelling import answer
from bestmove.label.options import default_nodes
from bestmove.search.limits import SearchLimits
from tests.cli import test_commands
from tests.support.builds import ROOT


def run(*arguments: object) -> Result:
    return test_commands.run("label", *map(str, arguments))


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    rows = [
        {"board": "X...O....", "game": None},
        {"board": "XX.......", "game": None},
        {"board": ".......", "game": None},
        {"board": "/".join(["......."] * 6), "game": "connect-four"},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet")
    return tmp_path / "in.parquet"


def test_a_dry_run_checks_and_estimates_and_writes_nothing(boards: Path) -> None:
    result = run(boards, boards.with_name("out.parquet"), "--dry-run", "--nodes", 100)
    assert result.exit_code == 3
    estimates, rows = result.stdout.splitlines(), result.stderr.splitlines()
    assert {line.partition(":")[0] for line in estimates} == {"tic-tac-toe", "connect-four"}
    assert all(" a second, about 1 second of one processor" in line for line in estimates)
    assert (rows[0], rows[2]) == ("4 rows", "2 with a problem, for example:")
    assert "3x3 1 row (first row 1), 6x7 1 row (first row 4); give --size" in rows[1]
    assert rows[3].startswith("  row 2: 2 X and 0 O")
    assert "row 3: " in rows[4]
    assert list(boards.parent.iterdir()) == [boards]
    options = ("--dry-run", "--nodes", 100, "--allow-problems")
    assert run(boards, boards.with_name("out.parquet"), *options).exit_code == 0


def test_each_sample_has_its_rules_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = {}

    def noted(board: Board, limits: SearchLimits, *_: bool) -> None:
        searched[board.rules.gravity] = limits.nodes

    monkeypatch.setattr(answer, "__wrapped__", noted)
    empty = "/".join(["." * 6] * 6)
    (tmp_path / "in.csv").write_text(f"board,gravity\n{empty},true\n{empty},false\n", "utf-8")
    result = run(tmp_path / "in.csv", tmp_path / "out.csv", "--dry-run", "-k", 4)
    assert result.exit_code == 0, result.stderr
    assert "6x6, k 4: 2 rows" in result.stdout
    limits = {on: default_nodes(Rules(6, 6, 4, gravity=on)) for on in (True, False)}
    assert searched == limits


def test_a_public_table_is_read_as_it_is(tmp_path: Path) -> None:
    """UCI's connect-4 table has a column for each cell: x, o, or b for blank. The last column is
    the class."""
    names = [f"{letter}{row}" for letter in "abcdefg" for row in range(1, 7)]
    played = {"d1": "x", "d2": "o", "d3": "x", "c1": "o"}
    row = [played.get(name, "b") for name in names]
    named = ",".join([*names, "score"])
    table = ",".join([*row, "win"]) + "\n"
    (tmp_path / "in.csv").write_text(f"{named}\n{table}", "utf-8")
    (tmp_path / "in.data").write_text(table, "utf-8")
    options = ("--game", "connect-four", "--order", "columns-up", "--prefix", "our_", "--dry-run")
    for name, more in (("in.csv", ()), ("in.data", ("--names", named))):
        output = tmp_path / "out.csv"
        result = run(tmp_path / name, output, "--cells", ",".join(names), *options, *more)
        assert (result.exit_code, result.stderr) == (0, "1 row\n")


def test_a_dry_run_of_a_damaged_table_says_so(boards: Path) -> None:
    data = bytearray(boards.read_bytes())
    data[4:60] = bytes(56)  # damages the data, but not the footer at the end of the file
    boards.write_bytes(data)
    result = run(boards, boards.with_name("out.parquet"), "--dry-run")
    assert result.exit_code == 2
    assert result.stderr.startswith("bestmove: in.parquet cannot be read: ")


def test_a_folder_that_cannot_be_written_is_reported(boards: Path) -> None:
    result = run(boards, boards / "out.parquet")
    assert result.exit_code == 1
    assert result.stderr == f"bestmove: {boards}/out.parquet.parts: Not a directory\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--jobs", 2, "--scheduler", "tcp://a:1"), "leave out --jobs"),
        (("--scheduler", "foo"), "'foo' is not an address: write tcp://host:8786"),
        (("--delimiter", "ab"), "delimiter must be one character"),
        (("--encoding", "foo"), "foo is no encoding"),
        (("--time", 5, "--nodes", 5), "time_ms and nodes exclude each other"),
        (("--keep", "id", "--keep", "board"), "there is no column id to keep"),
        (("--from", "board"), "write FIELD=COLUMN"),
        (("--ignore", "board"), "--from board=board, or the columns of its cells with --cells"),
    ],
)
def test_wrong_options_are_refused(boards: Path, options: tuple[object, ...], message: str) -> None:
    result = run(boards, boards.with_name("out.csv"), *options)
    assert result.exit_code != 0
    assert message in f"{result.output} {result.exception}"
    assert list(boards.parent.iterdir()) == [boards]


def test_it_says_which_packages_to_install(boards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = run(boards, boards.with_name("out.csv"))
    assert result.exit_code == 1
    assert result.output == f"Error: some packages are not installed: {install('label')}\n"
    monkeypatch.chdir(ROOT)
    assert install("label").endswith(" -m pip install -e '.[label]'")
