"""Code that the kernels of all engines share."""
