"""The endpoints, a file for each kind of question."""
