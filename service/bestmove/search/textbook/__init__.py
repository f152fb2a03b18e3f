"""The searches of the books, written to be read and to be compared."""
