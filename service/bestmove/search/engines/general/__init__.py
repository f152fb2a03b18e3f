"""The engine for any rules: gravity, misère, and small boards where exactly k win."""
