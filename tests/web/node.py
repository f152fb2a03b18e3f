"""Runs the page's modules by node."""

import json
from typing import Any

from bestmove.api.pages import WEB
from tests.support.programs import run


def address(module: str) -> str:
    """The address from which a program imports one of the page's modules."""
    return (WEB / module).as_uri()


def node(program: str, *arguments: str) -> Any:
    """The JSON that a JavaScript program prints."""
    command = ("node", "--input-type=module", "--eval", program, *arguments)
    return json.loads(run(*command, timeout=60).stdout)
