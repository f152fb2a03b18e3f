"""The example in the client's documentation does what it says."""

import inspect
import textwrap

import pytest

import bestmove.client


def test_the_packages_example_runs(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = inspect.getdoc(bestmove.client) or ""
    lines = text.splitlines()
    begin = next(n for n, line in enumerate(lines) if line.startswith("    from"))
    end = next(n for n, line in enumerate(lines) if line.startswith("The client does not import"))
    example = textwrap.dedent("\n".join(lines[begin:end])).replace("http://127.0.0.1:8000", url)
    exec(example, {})
    shown = capsys.readouterr().out
    assert shown.startswith("Move(index=2, row=0, column=2, name='c3') win ")
