"""Runs the command: `python -m bestmove` does the same as `bestmove`."""

from bestmove.cli import main

if __name__ == "__main__":
    main()
