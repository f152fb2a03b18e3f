"""The examples in the package's docstrings give the results that they show."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "service"


def modules_with_examples() -> list[str]:
    files = (path for path in SOURCES.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))
    names = (path.relative_to(SOURCES).with_suffix("").parts for path in files)
    return sorted(".".join(name).removesuffix(".__init__") for name in names)


@pytest.mark.parametrize("name", modules_with_examples())
def test_every_example_in_a_docstring_does_what_it_says(name: str) -> None:
    results = doctest.testmod(import_module(name))
    assert results.attempted
    assert not results.failed
