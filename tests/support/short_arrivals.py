"""The service's gunicorn configuration, with a time limit short enough for tests."""

from bestmove.gunicorn_conf import *  # noqa: F403
from bestmove.server import worker

worker.REQUEST_S = 1  # type: ignore[misc]
