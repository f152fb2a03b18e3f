"""Runs the page's modules in node."""

import json
from typing import Any

from bestmove.api.pages import WEB
from tests.support.programs import run

BEGIN = """
import { deepStrictEqual as is } from "node:assert";
import { readFileSync } from "node:fs";
const [place] = process.argv.slice(1);
const load = (name) => import(`${place}/${name}`);
const given = JSON.parse(readFileSync(0));
const show = (value) => console.log(JSON.stringify(value));
const each = (call, cases) => { for (const [wanted, ...from] of cases) is(call(...from), wanted); };
const error = (call) => {
  try {
    return call();
  } catch (thrown) {
    return thrown.message;
  }
};
"""


def address(module: str) -> str:
    return (WEB / module).as_uri()


def node(program: str, *arguments: str, given: str = "") -> Any:
    """Return the JSON that a JavaScript program prints. `given` is the program's input."""
    command = ("node", "--input-type=module", "--eval", program, *arguments)
    return json.loads(run(*command, timeout=60, input=given).stdout)


def shown(program: str, given: object = None) -> Any:
    """Run a JavaScript program, and return the value that it passes to `show`.

    The program can use `given`, and call `load(name)`, which imports a module of the page.
    `error(call)` returns the call's result, or the message of the error that the call throws.
    """
    return node(BEGIN + program, address(""), given=json.dumps(given))


def check(program: str, given: object = None) -> None:
    """Run a program that checks its own results with `is(found, wanted)` or `each(table)`.

    A row of the table has the wanted result and the arguments of a call.
    """
    assert shown(program + "show(true);", given)
