"""Options of a command line, one for each name, with the type of its default."""

import argparse
from typing import Any


def asked(description: str | None, **usual: Any) -> argparse.Namespace:
    """Parse the command line: a name whose default is False is a switch, others take a value."""
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
