"""Finds and starts the machine's Chromium."""

import os
import shutil

NAMES = (
    "chromium-headless-shell",  # uses a third of the processor time of `chromium`
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)


def chromium_on_this_machine() -> str:
    """Return the path of a Chromium; an empty string if there is none."""
    return os.environ.get("BESTMOVE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
