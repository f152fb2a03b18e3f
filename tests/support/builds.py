"""Reads the list of compiled modules from pyproject.toml; loads their sources as plain Python."""

import importlib
import importlib.util
import os
import re
import shutil
import sys
import sysconfig
import tomllib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).parents[2]


PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
_MODULES: Final = PROJECT["tool"]["setuptools"]["ext-modules"]

COMPILED: Final = {module["name"]: ROOT / module["sources"][0] for module in _MODULES}
"""The source file of each compiled module, by the module's name. A module comes after the modules
that it imports."""

SUFFIX: Final = sysconfig.get_config_var("EXT_SUFFIX")
REQUIRE_COMPILED: Final = bool(os.environ.get("REQUIRE_COMPILED"))


def compile_quickly(project: Path) -> None:
    """Let a project build quickly: turn optimization off, and add this checkout's C files.

    Cython does not translate a source again if its C file is newer.
    """
    text = project.read_text(encoding="utf-8")
    text, found = re.subn('"-O[23]"', '"-O0"', text)
    assert found == len(COMPILED)
    project.write_text(text, encoding="utf-8")
    for source in COMPILED.values():
        if (translated := source.with_suffix(".c")).exists():
            shutil.copy2(translated, project.parent / translated.relative_to(ROOT))


def load(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@cache
def interpreted(name: str) -> ModuleType:
    """Load a module as plain Python, with the modules of its package and of `common`.

    The loaded modules are new objects; other code keeps the installed modules.
    """
    importlib.import_module(name)  # also loads the module's imports from other packages
    packages = (name.rpartition(".")[0], "bestmove.search.common")
    sources = {other: COMPILED[other] for other in COMPILED if other.rpartition(".")[0] in packages}
    sources.setdefault(name, ROOT / "service" / f"{name.replace('.', '/')}.py")
    installed = {other: sys.modules[other] for other in sources if other in sys.modules}
    try:
        return {other: load(other, source) for other, source in sources.items()}[name]
    finally:
        for other in sources:
            sys.modules.pop(other, None)
        sys.modules.update(installed)
