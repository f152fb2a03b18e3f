"""Any rules of the family: gravity, exactly k, misère."""
