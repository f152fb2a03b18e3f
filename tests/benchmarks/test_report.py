"""The report's own arithmetic and tables; nothing here is timed."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.report import __main__ as command
from benchmarks.report import measuring
from benchmarks.report import writing as report
from benchmarks.report.writing import Section
from tests.support.crowd import quantile


@pytest.mark.parametrize("module", [measuring, report])
def test_the_examples_in_the_docstrings_are_true(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


def test_a_quantile_is_one_of_the_values_and_as_many_are_below_as_it_says() -> None:
    values = [float(value) for value in range(1, 101)]
    assert quantile(values, 0) == 1
    assert quantile(values, 0.5) == 50
    assert quantile(values, 0.99) == 99
    assert quantile(values, 1) == 100
    assert quantile([7.0], 0.99) == 7
    assert quantile([], 0.99) == 0


def test_contenders_take_turns_and_the_first_to_go_changes() -> None:
    order: list[str] = []

    def contender(name: str) -> float:
        order.append(name)
        return len(order)

    results = measuring.in_turn(
        2, {"a": lambda: contender("a"), "b": lambda: contender("b")}, warm_up=False
    )
    assert order == ["a", "b", "b", "a"]
    assert results == {"a": [1, 4], "b": [2, 3]}


def test_a_ratio_is_of_rounds_and_one_bad_round_does_not_move_it() -> None:
    assert measuring.ratio([2, 2, 200], [1, 1, 1]) == 2
    with pytest.raises(ValueError, match="zip"):
        measuring.ratio([1, 2], [1])


def test_a_quick_run_takes_one_round_and_a_full_one_all() -> None:
    assert measuring.Effort(quick=True).rounds(7) == 1
    assert measuring.Effort().rounds(7) == 7
    assert measuring.Effort(quick=True).seconds(3) < measuring.Effort().seconds(3)


def test_a_table_has_a_heading_a_rule_and_a_line_for_each_row() -> None:
    assert report.table(["who", "ms"], [["ours", 1], ["a|b", 20]]).splitlines() == [
        "| who  |  ms |",
        "| :--- | --: |",
        "| ours |   1 |",
        "| a\\|b |  20 |",
    ]


def test_a_row_of_another_length_than_the_heading_is_refused() -> None:
    with pytest.raises(ValueError, match="1 cells under 2 headings"):
        report.table(["a", "b"], [["only"]])


def some_section() -> Section:
    section = Section("A section")
    section.say("Words.")
    section.headline("ours against theirs", "3×", "2×", True)
    return section


def test_the_report_puts_the_summary_before_the_sections_and_the_machine_last() -> None:
    text = report.written([some_section()], {"Python": "3"}, "make bench")
    order = [text.index(part) for part in ("## In short", "## A section", "## The machine")]
    assert order == sorted(order)
    assert "ours against theirs" in text
    assert "reached" in text


def test_a_part_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main(["--only", "positions,weather"])
    assert "no part weather" in capsys.readouterr().err


def test_a_partial_run_prints_its_report_and_leaves_the_committed_one_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(command, "run", lambda *_: [some_section()])
    monkeypatch.setattr(command, "FOLDER", tmp_path / "report")
    assert command.main(["--only", "cost"]) == 0
    assert "## A section" in capsys.readouterr().out
    assert not (tmp_path / "report").exists()
    assert command.main([]) == 0
    assert (tmp_path / "report" / "report.md").is_file()


def test_a_part_that_fails_says_so_and_the_others_are_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from benchmarks.report import cost as cost_report
    from benchmarks.report import positions as position_report

    def broken(_: measuring.Effort) -> Section:
        raise RuntimeError("no server")

    monkeypatch.setattr(position_report, "measure", broken)
    monkeypatch.setattr(cost_report, "measure", lambda _: some_section())
    assert command.main(["--only", "positions,cost", "--to", str(tmp_path)]) == 1
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "`positions` could not be measured" in text
    assert "## A section" in text
