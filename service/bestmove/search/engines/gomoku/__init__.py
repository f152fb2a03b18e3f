"""Any board, strong: line patterns, threats and principal variation search."""
