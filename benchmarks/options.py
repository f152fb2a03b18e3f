import argparse
from typing import Any


def asked(description: str | None, **usual: Any) -> argparse.Namespace:
    """Parse a command line with an option for each name. If the default is False, the option is a
    switch; otherwise its value has the type of the default."""
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
