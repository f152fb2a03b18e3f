"""The collection of certificates with verdicts, vectors.json.gz, which docs/proofs.md describes.

- certificates that `prove` made, for random positions under all rules
- certificates made by other code, with passes and symmetries; some lack replies
- certificates just inside or just outside a limit
- certificates damaged at random in one place: a number, a reply, a byte, a gzip member
- certificates made by hand; `about` says for what

The random ones were selected from some 36,000 certificates, on which both verifiers agreed. Then
their texts were made compact.
"""

import base64
import copy
import gzip
import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

from bestmove.proof.builder import reached
from bestmove.proof.verify import SYMMETRIES

Doc = dict[str, Any]

VECTORS: list[Doc] = json.loads(
    gzip.decompress(Path(__file__).with_name("vectors.json.gz").read_bytes())
)


def content(vector: Doc) -> bytes:
    return base64.b64decode(vector.get("base64", "")) or vector["document"].encode()


def text_of(document: Doc) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


SOUND: list[Doc] = [
    json.loads(vector["document"])
    for vector in VECTORS
    if vector["verdict"]["stands"]
    and "document" in vector
    and len(vector["verdict"]["board"]) <= 12
]
"""Valid certificates of small boards."""


def swap(side: str) -> str:
    return "O" if side == "X" else "X"


def damage(doc: Doc, rng: random.Random) -> Doc:
    """Return a copy with one to three random changes, most of them in the nodes."""
    doc = copy.deepcopy(doc)
    size = len(doc["board"])
    for _ in range(rng.choice((1, 1, 2, 3))):
        one = rng.choice(doc["claims"])
        what = rng.randrange(16)
        node = rng.choice(one["nodes"]) if one["nodes"] else {}
        entries = node.get("replies", [])
        if what == 0:
            one["side"] = swap(one["side"])
        elif what == 1 and one["plies"] is not None:
            one["plies"] = max(0, one["plies"] - 1)
        elif what == 2:
            one["kind"] = "wins" if one["kind"] == "cannot-win" else "cannot-win"
            one["plies"] = one["plies"] or 9
        elif what == 3 and doc["turn"]:
            doc["turn"] = swap(doc["turn"])
        elif what == 4:
            cell = rng.randrange(size)
            doc["board"] = doc["board"][:cell] + rng.choice("XO.") + doc["board"][cell + 1 :]
        elif what in (5, 6) and entries:
            entries.pop(rng.randrange(len(entries)))
        elif what == 7 and entries:
            rng.choice(entries)[0] = rng.randrange(size)
        elif what == 8 and entries:
            rng.choice(entries)[1] = rng.randrange(len(one["nodes"]))
        elif what == 9 and entries:
            rng.choice(entries)[2:] = rng.choice([[], [rng.choice([*SYMMETRIES])]])
        elif what == 10 and "move" in node:
            node["move"] = rng.randrange(size)
        elif what == 11:
            for key in {"node", "pass"} & set(node):
                node[key] = rng.randrange(len(one["nodes"]))
        elif what == 12 and len(node) > 1:
            node.pop(rng.choice(list(node)))
        elif what == 13 and node:
            kind = rng.choice(("lines", "sum"))
            node.clear()
            node["leaf"] = kind
        elif what == 14 and "node" in node:
            node["symmetry"] = rng.choice([*SYMMETRIES])
        elif what == 15 and node.get("pairs"):
            rng.choice(node["pairs"])[rng.randrange(2)] = rng.randrange(size)
        if one["nodes"] and rng.random() < 0.9:
            with suppress(KeyError, IndexError):
                one["nodes"] = reached(one["nodes"], len(one["nodes"]) - 1)
    return doc
