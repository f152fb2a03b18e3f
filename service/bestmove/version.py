"""The version, from the metadata of the installed package.

It is read on first use, because reading takes as long as importing the library.
"""

__version__: str


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version

    return version("bestmove")
