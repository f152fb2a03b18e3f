"""What several tests and the benchmarks share: servers, connections, oracles, positions."""
