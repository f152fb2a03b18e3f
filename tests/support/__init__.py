"""Helpers that tests and benchmarks share: servers, connections, oracles, positions."""
