"""The report's own arithmetic and tables; nothing here is timed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.report import __main__ as command
from benchmarks.report import measuring
from benchmarks.report.writing import Section


def some_section() -> Section:
    section = Section("A section")
    section.say("Words.")
    section.headline("ours against theirs", "3×", "2×", True)
    return section


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
