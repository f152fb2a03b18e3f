"""What `make bench` measures and writes."""
