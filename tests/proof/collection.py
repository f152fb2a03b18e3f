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
import gzip
import json
from pathlib import Path
from typing import Any

Doc = dict[str, Any]

VECTORS: list[Doc] = json.loads(
    gzip.decompress(Path(__file__).with_name("vectors.json.gz").read_bytes())
)


def content(vector: Doc) -> bytes:
    return base64.b64decode(vector.get("base64", "")) or vector["document"].encode()
