"""The prover of small boards."""
