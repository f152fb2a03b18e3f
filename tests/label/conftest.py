"""The fixtures of these tests."""

from tests.support.clusters import workers

__all__ = ["workers"]
