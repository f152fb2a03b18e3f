"""The service's gunicorn configuration, but with more time for textbook searches."""

from bestmove.gunicorn_conf import *  # noqa: F403
from tests.support.patient import give_more_time

give_more_time()
