"""Load, failures and attacks against real replicas on this machine's loopback.

Each scenario runs in full by `python -m benchmarks.load.SCENARIO`, which prints its figures and
exits with 1 when a claim does not hold, and in short by `tests/load`. Every loop ends by a count
or a time, and nothing but 127.0.0.0/8 is ever called.
"""
