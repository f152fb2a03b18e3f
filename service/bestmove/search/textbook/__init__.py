"""Textbook searches, written to be read and compared."""
