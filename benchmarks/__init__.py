"""Measurements: the report, the load scenarios and the engine's own matches."""
