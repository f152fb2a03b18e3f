"""Gives the tests of labelling a cluster of threads."""

from tests.support.clusters import workers

__all__ = ["workers"]
