"""Runs the page's modules in node, for tests that compare them with the package."""

import json
from pathlib import Path
from typing import Any

from bestmove.api.pages import WEB
from tests.support.programs import run

BEGIN = """
import { readFileSync } from "node:fs";
const { error, is } = await import(process.argv[2]);
const load = (name) => import(`${process.argv[1]}/${name}`);
const given = JSON.parse(readFileSync(0));
const show = (value) => console.log(JSON.stringify(value));
"""


def shown(program: str, given: object = None) -> Any:
    """Run a JavaScript program, and return the value that it passes to `show`.

    The program can use `given`, and call `load(name)`, which imports a module of the page.
    `error(call)` returns the call's result, or the message of the error that the call throws.
    """
    support = Path(__file__).with_name("support.mjs").as_uri()
    command = ("node", "--input-type=module", "--eval", BEGIN + program, WEB.as_uri(), support)
    return json.loads(run(*command, timeout=60, input=json.dumps(given)).stdout)


def check(program: str, given: object = None) -> None:
    """Run a program that checks its own results with `is(found, wanted)`."""
    assert shown(program + "show(true);", given)
