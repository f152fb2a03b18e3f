"""How a move is chosen. No Flask, no HTTP."""
