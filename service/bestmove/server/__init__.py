"""The gunicorn worker that runs the service."""
