"""The measurements of `make bench`, and its report."""
