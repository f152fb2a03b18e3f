"""`python -m bestmove` is `bestmove`."""

from bestmove.cli import main

if __name__ == "__main__":
    main()
