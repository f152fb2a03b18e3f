"""TypeScript checks the JSDoc types in the page's modules."""

from pathlib import Path

import pytest

from bestmove.api.pages import WEB
from tests.contract.node import run

OPTIONS = (
    "--noEmit", "--strict", "--allowJs", "--checkJs", "--target", "es2022", "--module", "es2022",
    "--moduleResolution", "bundler",
)  # fmt: skip


@pytest.mark.slow
def test_the_types_of_every_module_hold(tools: Path) -> None:
    modules = sorted(WEB.glob("*.js"))
    assert len(modules) > 10
    worker = WEB / "offline.js"
    modules.remove(worker)
    run(tools / "tsc", *OPTIONS, "--lib", "es2023,dom,dom.iterable", *modules, cwd=WEB)
    run(tools / "tsc", *OPTIONS, "--lib", "es2023,webworker", worker, cwd=WEB)
