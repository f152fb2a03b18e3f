"""Measurements of the engine itself, and the programs that fit its tables and make its books."""
