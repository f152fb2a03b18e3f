"""What the service is compared with: other programs, and code that users would write themselves."""
