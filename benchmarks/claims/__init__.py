"""What README claims, held to a running service."""
