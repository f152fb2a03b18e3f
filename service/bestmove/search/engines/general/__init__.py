"""Any rules of the family: gravity, misère, and small boards where exactly k win."""
