"""Both verifiers give the same verdicts on random certificates, valid and damaged."""

import base64
import gzip
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from bestmove.proof.verify import verify
from tests.proof.collection import SOUND, damage, swap, text_of
from tests.proof.test_verify import HOSTILE
from tests.support.needs import NODE
from tests.web.node import shown

pytestmark = [NODE, pytest.mark.slow]

Question = tuple[bytes, dict[str, Any] | None]
"""The bytes of a certificate, and the position that it must be about (None: any)."""

TOKEN = re.compile(r'"[^"]*"|-?\d+|\w+|[^\w"]')

OTHERS = [
    "-0", "-1", "0", "1", "2", "9", "800", "801", "123456789", "1234567890", "1.0", "1e0", "01",
    "+1", "NaN", "-Infinity", "true", "null", "{}", "[]", "[[]]", '"X"', '""', r'"\u0058"',
    r'"\ud800"', r'"\x"', "[0,0]", '[0,0,"left-right"]', "\u00a0", "\ufeff", '"', "\\", " ", "\n",
    "\t", "\f", "\0", "é", ",", ":", "[", "]", "[[", "]]", "{", "}", '"move":0,', '"a b":0,',
    '"1":0,', '"__proto__":0,',
]  # fmt: skip
"""JSON values and faulty texts. `other_text` writes them into a certificate."""


def other_text(text: str, rng: random.Random) -> str:
    """Replace, remove, insert or repeat some tokens of a certificate."""
    tokens = TOKEN.findall(text)
    at, length = rng.randrange(len(tokens)), rng.randrange(5)
    repeated = tokens[at : at + length] * 2
    tokens[at : at + length] = rng.choice(([], repeated, [rng.choice(OTHERS)]))
    return "".join(tokens)


def other_bytes(data: bytes, rng: random.Random) -> bytes:
    file = gzip.compress(data, rng.randint(0, 9), mtime=rng.randrange(2))
    at, bit = rng.randrange(len(file)), 1 << rng.randrange(8)
    flags = rng.choice((4, 8, 16, 28, 1, 32, 224))
    optional = {4: b"\x03\0abc", 8: b"name\0", 16: b"comment\0"}
    fields = b"".join(field for flag, field in optional.items() if flags & flag)
    changes = (
        b"\xef\xbb\xbf" + data,
        data.decode().encode(rng.choice(("utf-16", "utf-32"))),
        file,
        file[:at],
        file[:at] + bytes([file[at] ^ bit]) + file[at + 1 :],
        file + rng.choice((b"\0", b"\n", file, gzip.compress(b""), b"\x1f\x8b")),
        file[:3] + bytes([flags]) + file[4:10] + fields + file[10:],
        gzip.compress(file),
    )
    return rng.choice(changes)


def questions(rng: random.Random) -> Iterator[Question]:
    while True:
        sound = rng.choice(SOUND)
        document = damage(sound, rng) if rng.random() < 0.6 else sound
        meant = None
        if rng.random() < 0.3:
            meant = {name: document[name] for name in ("rules", "board", "turn")}
            if rng.random() < 0.4:
                switch = rng.choice(("gravity", "overline", "misere"))
                meant["rules"] = meant["rules"] | {switch: not meant["rules"][switch]}
            elif rng.random() < 0.4 and meant["turn"]:
                meant["turn"] = swap(meant["turn"])
        data = text_of(document)
        if rng.random() < 0.3:
            data = other_text(data.decode(), rng).encode()
        yield (other_bytes(data, rng) if rng.random() < 0.2 else data), meant


def differences(asked: list[Question]) -> tuple[list[Any], Counter[str]]:
    """Return the questions on which the verifiers differ, with both verdicts. Also return how many
    verdicts of each kind there are."""
    given = [[base64.b64encode(data).decode(), meant] for data, meant in asked]
    answers = shown(
        """
        const { verify } = await load("verify.js");
        const verdicts = [];
        for (const [data, meant] of given) {
          verdicts.push(await verify(new Uint8Array(Buffer.from(data, "base64")), meant));
        }
        show(verdicts);
        """,
        given,
    )
    differ, kinds = [], Counter[str]()
    for (data, meant), answer in zip(asked, answers, strict=True):
        verdict = verify(data, meant)
        assert bool(answer.pop("reason")) is not answer["stands"]
        found = {name: getattr(verdict, name) for name in answer}
        if found != answer:
            differ.append((data, meant, verdict, answer))
        kinds["stands" if verdict else verdict.reason.rstrip(".0123456789")] += 1
    return differ, kinds


def test_both_verifiers_agree_on_random_certificates_and_damage() -> None:
    rng = random.Random(54)
    asked = [question for question, _ in zip(questions(rng), range(1500), strict=False)]
    differ, kinds = differences(asked)
    assert differ == []
    assert 300 < kinds["stands"] < 1200
    assert len(kinds) > 40


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_both_verifiers_agree_on_hostile_bytes(text: bytes) -> None:
    assert differences([(text, None)])[0] == []
