"""The fixtures of the API's tests, and the commands of node packages."""

from tests.api.conftest import api, log, make_api
from tests.contract.node import tools

__all__ = ["api", "log", "make_api", "tools"]
