"""The engine for all rules: gravity, misère, and small boards where exactly k win."""
