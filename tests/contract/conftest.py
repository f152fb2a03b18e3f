"""Fixtures that are defined elsewhere."""

from tests.api.conftest import api, log, make_api
from tests.contract.node import tools

__all__ = ["api", "log", "make_api", "tools"]
