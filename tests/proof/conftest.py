from tests.support.clusters import workers

__all__ = ["workers"]
