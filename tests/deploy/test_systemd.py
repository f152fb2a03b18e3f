"""The systemd units: verified by systemd itself, hardened, and of one mind with the code."""

from __future__ import annotations

import configparser
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bestmove.api.settings import Settings
from tests.deploy.manifests import DEPLOY, SETTINGS, dockerfile_exec, settings_in
from tests.support.needs import SYSTEMD

UNITS = DEPLOY / "systemd"
INSTALLED = "/opt/bestmove/bin/gunicorn"
WORST_EXPOSURE = 15
"""Of 100, in systemd's own judgement; 20 and less is "OK"."""


def unit(name: str) -> configparser.ConfigParser:
    # Options may be repeated in a unit; of those that are, the tests ask for none.
    parser = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNITS / name, encoding="utf-8")
    return parser


SERVICE = unit("bestmove.service")
SOCKET = unit("bestmove.socket")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units as they lie in /etc, naming a program that this machine has."""
    for path in UNITS.iterdir():
        text = path.read_text("utf-8").replace(INSTALLED, sys.executable)
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    return tmp_path


@SYSTEMD
def test_systemd_finds_nothing_wrong(installed: Path) -> None:
    verified = subprocess.run(
        ["systemd-analyze", "verify", *map(str, sorted(installed.iterdir()))],
        check=False,
        capture_output=True,
        text=True,
    )
    assert not verified.stderr
    assert verified.returncode == 0


@SYSTEMD
def test_systemd_judges_the_service_well_locked_in(installed: Path) -> None:
    subprocess.run(
        [
            "systemd-analyze",
            "security",
            "--offline=true",
            f"--threshold={WORST_EXPOSURE}",
            str(installed / "bestmove.service"),
        ],
        check=True,
        capture_output=True,
    )


def test_it_runs_the_images_command_from_the_environment_that_is_installed() -> None:
    command = SERVICE["Service"]["ExecStart"].split()
    image = dockerfile_exec("CMD")
    assert command[0] == INSTALLED
    assert command[1:] == image[1:]


def test_the_socket_is_at_the_address_the_service_has_by_default() -> None:
    assert SOCKET["Socket"]["ListenStream"] == f"{Settings.host}:{Settings.port}"


def test_it_stops_later_than_the_service_would_by_itself() -> None:
    seconds = int(re.sub(r"\D", "", SERVICE["Service"]["TimeoutStopSec"]))
    assert seconds > Settings.graceful_timeout_s


def test_it_names_settings_that_exist() -> None:
    text = "".join(path.read_text("utf-8") for path in UNITS.iterdir())
    assert settings_in(text)
    assert settings_in(text) <= SETTINGS.keys()
