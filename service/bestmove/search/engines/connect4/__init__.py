"""Boards with gravity: a bitboard kernel, its driver, and a book of the opening of Connect Four."""
