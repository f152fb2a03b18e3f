"""The version, read from the installed package so that it is written down once.

Reading it takes as long as importing the library: that waits until somebody asks.
"""

__version__: str


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version

    return version("bestmove")
