"""Boards with gravity: the kernel, its two engines, and the opening book of Connect Four."""
