"""The programs that the service is compared with: other people's, and code that users could write
themselves."""
