"""`python -m service` is `bestmove`."""

from service.cli import main

if __name__ == "__main__":
    main(prog_name="bestmove")
