"""The programs that the service is compared with."""
