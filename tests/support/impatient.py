"""The service's gunicorn configuration, with times for which a test can wait."""

from bestmove.gunicorn_conf import *  # noqa: F403
from bestmove.server import worker

REQUEST_S = 1

worker.REQUEST_S = REQUEST_S  # type: ignore[misc]
