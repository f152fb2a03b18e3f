"""Fixtures that are defined elsewhere."""

from tests.support.clusters import workers

__all__ = ["workers"]
