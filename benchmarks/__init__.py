"""Programs that measure the service and its engines. README.md lists them."""
