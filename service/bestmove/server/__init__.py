"""gunicorn's worker."""
