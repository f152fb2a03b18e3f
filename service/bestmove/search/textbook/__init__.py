"""The searches of textbooks, written to be read and compared."""
