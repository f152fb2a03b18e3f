"""Searches for the best move. Nothing here imports Flask or anything else for HTTP."""

from bestmove.search import declared

declared.require_current(__file__)
