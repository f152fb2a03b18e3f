"""The engine itself: its fit, strength, soundness and forced wins."""
