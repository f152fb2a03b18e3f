"""What is measured beside the service: other programs, and the usual ways."""
