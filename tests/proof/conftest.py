"""Gives the tests of proofs a cluster of threads."""

from tests.support.clusters import workers

__all__ = ["workers"]
