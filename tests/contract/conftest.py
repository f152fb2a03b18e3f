"""The application, as the API's own tests have it."""

from tests.api.conftest import api, log, make_api

__all__ = ["api", "log", "make_api"]
