"""Sentences and rows of README, drawn at random and held to a running service.

    python -m benchmarks.claims --seed 7

A claim that is no longer in README ends it, so that text and checks stay together.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.claims.checks import CHECKS
from benchmarks.claims.service import Service
from tests.support.documents import README
from tests.support.replicas import replica

DRAWN: Final = 10
SERVE: Final = (sys.executable, "-m", "bestmove", "serve")


def flat(text: str) -> str:
    """Text without its line breaks."""
    return " ".join(text.split())


def missing(readme: str) -> list[str]:
    """The claims that README does not make."""
    return [text for text in CHECKS if flat(text) not in flat(readme)]


def verdicts(texts: list[str], seed: int) -> Iterator[tuple[str, str]]:
    """Each claim with "holds", or what is wrong."""
    with (
        tempfile.TemporaryDirectory() as folder,
        replica(Path(folder), command=SERVE, log_level="warning") as running,
    ):
        service = Service(running)
        for text in texts:
            try:
                kept = CHECKS[text](service, random.Random(f"{seed} {text}"))
            except Exception as error:
                yield text, f"FAILS: {type(error).__name__}: {error}"
            else:
                yield text, "holds" if kept else "DOES NOT HOLD"
        service.connection.close()


def main() -> int:
    """Draw, check and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1000))
    parser.add_argument("--all", action="store_true", help="not ten of them but all")
    options = parser.parse_args()
    if gone := missing(README.read_text(encoding="utf-8")):
        print("README does not say:", *gone, sep="\n  ")
        return 1
    texts = sorted(CHECKS)
    if not options.all:
        texts = random.Random(options.seed).sample(texts, DRAWN)
    print(f"seed {options.seed}, {len(texts)} of {len(CHECKS)} claims")
    wrong = 0
    for text, verdict in verdicts(texts, options.seed):
        print(f"{verdict}: {text}", flush=True)
        wrong += verdict != "holds"
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
