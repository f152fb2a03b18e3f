"""How the verifier is called, and how it answers. The verdicts are in test_vectors.py."""

import gzip
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bestmove.proof.verify import Verdict, verify
from tests.proof.collection import Doc
from tests.support.builds import ROOT

DESCRIPTION = (ROOT / "docs" / "proofs.md").read_text()
EXAMPLES = re.findall(r"```json\n(.*)\n```", DESCRIPTION)
WIN: Doc = json.loads(EXAMPLES[0])


def test_the_examples_of_the_document_are_valid() -> None:
    said = [verify(example.encode()).statement for example in EXAMPLES]
    assert said == ["X wins within 1 ply", "X cannot win"]
    fields = re.findall(r"^    (\w+): .+  # ", DESCRIPTION, re.MULTILINE)
    assert fields == [*Verdict.__annotations__, "position"]


@pytest.mark.parametrize(
    "fault",
    [
        {"version": 10**4000},
        {"version": True},
        {1: 1},
        {"format": ["bestmove-proof"]},
        {"rules": WIN["rules"] | {"k": "3"}},
        {"rules": WIN["rules"] | {"misere": 0}},
        {"board": "XX..O.O.\ud800"},
        {"claims": [WIN["claims"][0] | {"plies": 1.0}]},
        {"claims": [WIN["claims"][0] | {"nodes": [{"move": 10**4000}]}]},
    ],
    ids=range(9),
)
def test_a_mapping_with_values_that_no_text_has_is_refused(fault: dict[Any, Any]) -> None:
    verdict = verify(WIN | fault)
    assert not verdict
    assert verdict.reason


@pytest.mark.parametrize("written", [bytes, gzip.compress])
def test_a_text_of_more_bytes_than_the_limit_is_refused(
    written: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = EXAMPLES[0].encode()
    for limit, stands in ((len(text), True), (len(text) - 1, False)):
        monkeypatch.setitem(verify.__globals__, "LIMIT", limit)
        assert verify(written(text)).stands is stands


def test_the_command_answers_with_its_exit_code(tmp_path: Path) -> None:
    def run(*arguments: str, text: str = "") -> tuple[int, str, str]:
        command = [sys.executable, "-I", inspect.getfile(verify), *arguments]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    path = tmp_path / "proof.json.gz"
    path.write_bytes(gzip.compress(EXAMPLES[0].encode()))
    said = "X wins within 1 ply\nXX./.O./O.. (3 rows of 3, k = 3), X to move\n"
    assert run(str(path)) == (0, said, "")
    code, out, err = run("-", text=EXAMPLES[0].replace('"turn":"X"', '"turn":"O"'))
    assert (code, out) == (1, "")
    assert err.startswith("Not proven: ")
    assert "(claim 0) (node 0)" in err
    for wrong in ((str(tmp_path / "none"),), (), ("a", "b"), (str(tmp_path),)):
        assert run(*wrong)[0] == 2


def test_an_argument_that_is_not_a_document_raises() -> None:
    with pytest.raises(TypeError):
        verify(3)
    with pytest.raises(OSError, match="No such file"):
        verify("/no/such/file")
    with pytest.raises(OSError, match="no file"):
        verify("\0")
