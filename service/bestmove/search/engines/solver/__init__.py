"""The prover for small boards."""
