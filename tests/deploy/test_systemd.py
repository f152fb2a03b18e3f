"""The systemd units: verified by systemd itself, hardened, and in agreement with the code."""

import configparser
import sys
from pathlib import Path

import pytest

from bestmove.api.settings import Settings
from tests.deploy.manifests import DEPLOY, dockerfile_exec
from tests.support.needs import SYSTEMD
from tests.support.programs import run

UNITS = DEPLOY / "systemd"
INSTALLED = "/opt/bestmove/bin/gunicorn"
WORST_EXPOSURE = 15
"""The highest allowed exposure, on systemd's scale from 0 to 100. Up to 20, systemd says "OK"."""


def unit(name: str) -> configparser.ConfigParser:
    # Units may repeat options, so the parser is not strict. The tests read no repeated option.
    parser = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNITS / name, encoding="utf-8")
    return parser


SERVICE = unit("bestmove.service")
SOCKET = unit("bestmove.socket")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Copy the units, with this machine's Python as their program."""
    for path in UNITS.iterdir():
        text = path.read_text("utf-8").replace(INSTALLED, sys.executable)
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    return tmp_path


@SYSTEMD
def test_systemd_finds_nothing_wrong(installed: Path) -> None:
    assert not run("systemd-analyze", "verify", *sorted(installed.iterdir())).stderr


@SYSTEMD
def test_systemd_judges_the_service_well_protected(installed: Path) -> None:
    options = ("--offline=true", f"--threshold={WORST_EXPOSURE}")
    run("systemd-analyze", "security", *options, installed / "bestmove.service")


def test_the_unit_runs_the_command_of_the_image() -> None:
    command = SERVICE["Service"]["ExecStart"].split()
    image = dockerfile_exec("CMD")
    assert command[0] == INSTALLED
    assert command[1:] == image[1:]


def test_the_socket_has_the_services_default_address() -> None:
    assert SOCKET["Socket"]["ListenStream"] == f"{Settings.host}:{Settings.port}"


def test_the_limits_suit_any_number_of_processors() -> None:
    # Each processor has a worker, so memory and threads must grow with the machine.
    assert SERVICE["Service"]["MemoryMax"].endswith("%")
    assert "TasksMax" not in SERVICE["Service"]
