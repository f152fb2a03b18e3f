"""What the kernels of all engines stand on."""
