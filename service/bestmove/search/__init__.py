"""Searches for the best move. Nothing here imports Flask or anything else for HTTP."""
