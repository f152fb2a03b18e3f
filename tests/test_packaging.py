"""The checkout matches pyproject.toml."""

import os
import re
from pathlib import Path

import pytest
import yaml

import bestmove
from bestmove.search import declared
from tests.support.builds import COMPILED, PROJECT, REQUIRE_COMPILED, ROOT, SUFFIX

INSTRUCTIONS = {"service/bestmove/search/common/bits.py", "service/bestmove/search/common/layer.py"}
"""These modules replace processor instructions when the kernels run as plain Python."""


def test_every_module_with_c_declarations_is_in_the_list_of_compiled_modules() -> None:
    written = {
        path
        for path in (ROOT / "service" / "bestmove").rglob("*.py")
        if path.with_suffix(".pxd").exists() or "import cython" in path.read_text(encoding="utf-8")
        if path.relative_to(ROOT).as_posix() not in INSTRUCTIONS
    }
    assert set(COMPILED.values()) == written


def test_every_module_is_compiled() -> None:
    for source in COMPILED.values():
        assert source.with_name(source.stem + SUFFIX).exists() or not REQUIRE_COMPILED, "make build"


def test_a_checkout_whose_binary_is_older_than_its_source_says_how_to_build(tmp_path: Path) -> None:
    folder = tmp_path / "service" / "bestmove" / "search" / "engines" / "solver"
    folder.mkdir(parents=True)
    package = str(folder.parents[1] / "__init__.py")
    binary, source = folder / f"kernel{SUFFIX}", folder / "kernel.pxd"
    binary.touch()
    source.touch()
    os.utime(binary, (0, 0))
    declared.require_current(package)  # an installed package
    (tmp_path / "pyproject.toml").touch()
    with pytest.raises(ImportError, match=r"kernel\.pxd is newer .*: run `make build`"):
        declared.require_current(package)
    os.utime(source, (0, 0))
    declared.require_current(package)


def test_the_version_is_the_same_wherever_it_is_written() -> None:
    assert PROJECT["project"]["version"] == bestmove.__version__
    images = (ROOT / "deploy" / "kubernetes" / "base" / "kustomization.yaml").read_text("utf-8")
    assert f'newTag: "{bestmove.__version__}"' in images
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    written = (ROOT / "openapi.yaml").read_text("utf-8")
    assert f"  version: {bestmove.__version__}\n" in written
    sections = re.findall(r"^## \[(.+?)\]", changelog, re.M)
    assert sections[:2] == ["Unreleased", bestmove.__version__]


def test_ci_and_wheels_cover_every_python_that_the_package_supports() -> None:
    said = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert PROJECT["project"]["requires-python"] == f">={said[0]}"
    wheels = [f"cp{version.replace('.', '')}-*" for version in said]
    assert PROJECT["tool"]["cibuildwheel"]["build"] == wheels
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yaml").read_text("utf-8"))
    job = workflow["jobs"]["test"]
    assert job["strategy"]["matrix"]["python"] == said
    assert job["steps"][-1]["run"] == ".ci/run"
