"""The examples in the client's and the bots' documentation do what they say."""

import doctest
import inspect
import textwrap

import pytest

import bestmove.bots.engine
import bestmove.client
import bestmove.client.bot


@pytest.mark.parametrize("module", [bestmove.client.bot, bestmove.bots.engine])
def test_doctests_hold(module: object) -> None:
    results = doctest.testmod(module, raise_on_error=True)  # type: ignore[arg-type]
    assert results.attempted
    assert not results.failed


def test_the_packages_example_runs(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = inspect.getdoc(bestmove.client) or ""
    lines = text.splitlines()
    begin = next(n for n, line in enumerate(lines) if line.startswith("    from"))
    end = next(n for n, line in enumerate(lines) if line.startswith("It does not import"))
    example = textwrap.dedent("\n".join(lines[begin:end])).replace("http://127.0.0.1:8000", url)
    exec(example, {})
    shown = capsys.readouterr().out
    assert shown.startswith("Move(index=2, row=0, column=2) win ")
