"""What gunicorn runs."""
