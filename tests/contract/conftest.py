"""The application, as the API's own tests have it, and the commands of node."""

from tests.api.conftest import api, log, make_api
from tests.contract.node import tools

__all__ = ["api", "log", "make_api", "tools"]
