"""The options of a program: one for each name, of the kind of its usual value."""

import argparse
from typing import Any


def asked(description: str | None, **usual: Any) -> argparse.Namespace:
    """What the command line says: a switch where the usual value is False, else a value."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, value in usual.items():
        option = f"--{name.replace('_', '-')}"
        if value is False:
            parser.add_argument(option, action="store_true")
        else:
            parser.add_argument(option, type=type(value), default=value, help=f"default {value}")
    return parser.parse_args()
