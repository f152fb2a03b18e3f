"""Load, failures and attacks against real replicas on this machine's loopback.

`python -m benchmarks.load.attacks` runs every scenario in full: it prints figures and exits with 1
if a claim does not hold. `tests/load` runs short forms. Every loop ends after a count or a time,
and the scenarios connect only to addresses in 127.0.0.0/8.
"""
