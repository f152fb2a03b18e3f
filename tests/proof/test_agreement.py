"""Both verifiers give the same verdicts on random certificates, valid and damaged."""

import base64
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from bestmove.proof.verify import verify
from tests.proof.test_verify import (
    TEXTS,
    Spec,
    Truth,
    certificates,
    changed,
    damage,
    swap,
)
from tests.support.needs import NODE
from tests.web.node import shown

pytestmark = [NODE, pytest.mark.slow]

Question = tuple[bytes, dict[str, Any] | None]
"""The bytes of a certificate, and the position that it must be about (None: any)."""

VALUES = [
    "-0", "-1", "0", "1", "2", "9", "800", "801", "123456789", "1234567890", "1.0", "1e0", "01",
    "+1", "NaN", "-Infinity", "true", "null", "{}", "[]", "[[]]", '"X"', '""', r'"\u0058"',
    r'"\ud800"', r'"\x"', "[0,0]", '[0,0,"left-right"]', "\u00a0", "\ufeff",
]  # fmt: skip
"""JSON values and faulty texts. `other_text` replaces values of a certificate with them."""


def games(rng: random.Random) -> Iterator[tuple[Spec, Truth]]:
    while True:
        rows, columns = rng.randint(1, 4), rng.randint(1, 5)
        k = rng.randint(1, max(rows, columns))
        gravity, overline, misere = (rng.random() < 0.4 for _ in range(3))
        spec = rows, columns, k, gravity, not overline, misere
        yield spec, Truth(spec)


def other_text(text: str, rng: random.Random) -> str:
    """Make one random change in the text of a certificate. Its meaning may stay the same."""
    kind = rng.randrange(7)
    at = rng.randrange(len(text))
    if kind == 0:
        return text[:at] + rng.choice('{}[]",:0123456789.eE-XO\\ \n\t\v\0é') + text[at + 1 :]
    if kind == 1:
        return text[:at] + text[at + rng.randint(1, 3) :]
    if kind == 2:  # replace the value of a field
        colon = rng.choice([i for i, each in enumerate(text) if each == ":"])
        end = next(i for i in range(colon, len(text)) if text[i] in ",}]")
        return text[: colon + 1] + rng.choice(VALUES) + text[end:]
    if kind == 3:  # replace an item of a list
        bracket = rng.choice([i for i, each in enumerate(text) if each == "["])
        return text[: bracket + 1] + rng.choice(VALUES) + "," + text[bracket + 1 :]
    if kind == 4:  # repeat a key, perhaps with an escape
        brace = rng.choice([i for i, each in enumerate(text) if each == "{"])
        key = text[brace + 1 : text.index(":", brace)]
        if rng.random() < 0.5:
            key = f'"\\u{ord(key[1]):04x}{key[2:]}'
        again = rng.choice(("", f"{key}:{rng.choice(VALUES)},"))
        rest = text[brace + 1 :] if again else key + text[text.index(":", brace) :]
        return text[: brace + 1] + again + rest
    if kind == 5:  # insert space
        mark = rng.choice([i for i, each in enumerate(text) if each in ",:[]{}"])
        return text[:mark] + rng.choice(" \n\r\t\f") + text[mark:]
    deep = rng.randint(1, 4)
    return text.replace("[", "[" * (deep + 1), 1).replace("]", "]" * (deep + 1), 1)


def other_bytes(data: bytes, rng: random.Random) -> bytes:
    kind = rng.randrange(9)
    if kind == 0:
        return b"\xef\xbb\xbf" + data
    if kind == 1:
        return data.decode().encode(rng.choice(("utf-16", "utf-32")))
    file = bytearray(gzip.compress(data, rng.randint(0, 9), mtime=rng.randrange(2)))
    if kind == 2:
        file[rng.randrange(len(file))] ^= 1 << rng.randrange(8)
    elif kind == 3:
        del file[rng.randrange(len(file)) :]
    elif kind == 4:
        file += rng.choice((b"\0", b"\n", bytes(file), gzip.compress(b""), b"\x1f\x8b"))
    elif kind == 5:  # the optional fields of the header: extra data, a name, a comment
        flags = rng.choice((4, 8, 16, 28, 1, 32, 224))
        file[3] = flags
        extra = b"\x03\0abc" if flags & 4 else b""
        named = b"name\0" if flags & 8 else b""
        file[10:10] = extra + named + (b"comment\0" if flags & 16 else b"")
    elif kind == 6:
        file[: len(file)] = gzip.compress(bytes(file))
    return bytes(file)


def questions(rng: random.Random) -> Iterator[Question]:
    for spec, truth in games(rng):
        for sound in certificates(spec, truth, rng, most=6):
            for _ in range(4):
                document = damage(sound, rng) if rng.random() < 0.6 else sound
                meant = None
                if rng.random() < 0.3:
                    meant = {name: document[name] for name in ("rules", "board", "turn")}
                    if rng.random() < 0.4:
                        switch = rng.choice(("gravity", "overline", "misere"))
                        meant = changed(meant, "rules", switch, to=not meant["rules"][switch])
                    elif rng.random() < 0.4 and meant["turn"]:
                        meant["turn"] = swap(meant["turn"])
                text = json.dumps(document, separators=rng.choice(((",", ":"), (", ", ": "))))
                if rng.random() < 0.3:
                    text = other_text(text, rng)
                data = text.encode("utf-8", "surrogatepass")
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


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_both_verifiers_agree_on_hostile_bytes(text: bytes) -> None:
    assert differences([(text, None)])[0] == []
