"""The report, and load by wrk: what is refused is no figure; nothing here is timed."""

from pathlib import Path

import pytest

from benchmarks.report import __main__ as command
from benchmarks.report import driving, measuring
from benchmarks.report.writing import Section
from tests.support.connection import encode
from tests.support.needs import WRK


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


@WRK
def test_a_load_is_answered_and_told_in_seconds() -> None:
    requests = [encode("/best-move", {"board": "X...O...."}), encode("/healthz")]
    with driving.gunicorn(driving.FLASK) as server:
        rates, samples = driving.compare({"bare": (server.port, requests)}, 2, 1, 1)
        before = server.processor_seconds()
    found = samples["bare"]
    assert found.answers > 0
    assert rates["bare"] == [found.rate]
    assert 0 < found.median <= found.p99
    assert before > 0


@WRK
def test_requests_that_are_refused_are_no_figure() -> None:
    with (
        driving.gunicorn(driving.FLASK) as server,
        pytest.raises(RuntimeError, match="not all were answered"),
    ):
        driving.drive(server.port, [encode("/healthz"), encode("/nowhere")], 1, 1)
