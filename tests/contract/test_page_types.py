"""TypeScript checks the JSDoc types in the page's modules, and the tests of the modules."""

from pathlib import Path

import pytest

from bestmove.api.pages import WEB
from tests.contract.node import run

TESTS = Path(__file__).parents[1] / "web"
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


@pytest.mark.slow
def test_the_tests_of_the_modules_use_what_exists_and_nothing_is_unused(tools: Path) -> None:
    loose = ("--noImplicitAny", "--strictNullChecks", "--useUnknownInCatchVariables")
    options = [*OPTIONS, "--noUnusedLocals", "--noUnusedParameters", "--types", "node"]
    options += ["--typeRoots", str(tools.parent / "@types"), "--lib", "es2023,dom,dom.iterable"]
    options += [word for name in loose for word in (name, "false")]
    run(tools / "tsc", *options, *sorted(TESTS.glob("*.mjs")), cwd=TESTS)
