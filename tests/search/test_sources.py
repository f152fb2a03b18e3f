"""The compiled modules are good C: no step of a search touches a Python object by mistake."""

import shutil
from pathlib import Path

import pytest
from Cython.Build import cythonize

from tests.support.builds import COMPILED, ROOT
from tests.support.needs import LONG


@pytest.mark.slow
@LONG
@pytest.mark.parametrize("name", COMPILED)
def test_a_source_compiles_without_a_hint_or_a_warning(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    built = shutil.ignore_patterns("*.so", "*.c", "__pycache__", "web")
    shutil.copytree(ROOT / "service" / "bestmove", tmp_path / "bestmove", ignore=built)
    source = (tmp_path / name.replace(".", "/")).with_suffix(".py")
    cythonize(  # type: ignore[no-untyped-call]
        str(source), language_level=3, quiet=True, force=True
    )
    said = "".join(capfd.readouterr())
    assert "performance hint" not in said
    assert "warning" not in said
    assert source.with_suffix(".c").exists()
