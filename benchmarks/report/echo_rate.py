"""Is a look-up over HTTP still as cheap as it was? Its rate beside a bare Flask view's, by wrk.

    python -m benchmarks.report.echo_rate

Both servers run side by side under the same gunicorn configuration; rounds alternate between
them, so that whatever else the machine does hits both alike, and medians are compared.
"""

from __future__ import annotations

import argparse
from statistics import median

from benchmarks.report.driving import FLASK, compare, gunicorn, single_posts, warm
from benchmarks.report.measuring import in_turn, ratio
from tests.support.connection import Connection, encode
from tests.support.tictactoe import open_positions

BATCH = 1000
SEEDS = 10
"""For each position: 45,200 different requests."""


def echo_rate(connections: int, rounds: int, seconds: int, workers: int) -> float:
    """Print both sides, and return the ratio of their rates: all requests are different."""
    requests = single_posts(SEEDS)
    with gunicorn(workers=workers) as ours, gunicorn(FLASK, workers=workers) as bare:
        loads = {"service": (ours.port, requests), "bare Flask": (bare.port, requests)}
        for port, _ in loads.values():
            warm(port, requests[:1000])
        rates, samples = compare(loads, connections, rounds, seconds)
    for name, sample in samples.items():
        rate = f"{median(rates[name]):8.0f} requests/s"
        print(f"3×3 POST: {name:10}  {rate}   p99 {sample.p99 * 1000:6.2f} ms")
    return ratio(rates["service"], rates["bare Flask"])


def batch(port: int, rounds: int) -> dict[str, list[float]]:
    """Seconds of a batch of 1,000 boards, and of 1,000 single requests on one connection."""
    boards = open_positions()[:BATCH]
    together = [encode("/best-moves", {"boards": boards})]
    alone = [encode("/best-move", {"board": board}) for board in boards]
    with Connection(port) as connection:

        def asked(requests: list[bytes]) -> float:
            answers = [connection.send(request) for request in requests]
            assert all(answer.status == 200 for answer in answers)
            return sum(answer.seconds for answer in answers)

        assert len(connection.send(together[0]).json()["results"]) == BATCH
        contenders = {"batch": lambda: asked(together), "alone": lambda: asked(alone)}
        return in_turn(rounds, contenders)


def main() -> None:
    """Measure both and print the ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=int, default=1)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    share = echo_rate(options.connections, options.rounds, options.seconds, options.workers)
    print(f"3×3 POST: ratio {share:.3f}")
    with gunicorn(workers=options.workers) as server:
        took = batch(server.port, 5)
    share = ratio(took["batch"], took["alone"])
    milliseconds = [median(took[name]) * 1000 for name in ("batch", "alone")]
    print("batch of 1,000: {:.1f} ms, 1,000 singles {:.0f} ms".format(*milliseconds), end="")
    print(f": 1/{1 / share:.0f}")


if __name__ == "__main__":
    main()
