"""The engine for gomoku and its relatives: line patterns, threats, principal variation search."""
