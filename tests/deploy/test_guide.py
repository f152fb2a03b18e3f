"""The guide to running it names files, settings and figures that are so."""

from __future__ import annotations

import re

from tests.deploy.manifests import DEPLOY, SETTINGS, settings_in

GUIDE = (DEPLOY / "README.md").read_text("utf-8")
NGINX = (DEPLOY / "nginx" / "nginx.conf").read_text("utf-8")


def test_every_file_it_names_exists_and_every_file_is_named() -> None:
    named = {
        name
        for cell in re.findall(r"(?m)^\| (`.*?) \|", GUIDE)
        for name in re.findall(r"`([\w./-]+)`", cell)
        if not name.startswith("BESTMOVE_")
    }
    assert named
    for name in named:
        assert (DEPLOY / name).exists() or (DEPLOY / "kubernetes" / name).exists(), name
    tops = {path.name for path in DEPLOY.iterdir() if not path.name.startswith((".", "__"))}
    unnamed = {top for top in tops if not any(name.startswith(top) for name in named)}
    assert unnamed == {"README.md", "verify_wheel.py"}, "the image's own check needs no word"


def test_every_setting_it_names_exists() -> None:
    assert settings_in(GUIDE)
    assert settings_in(GUIDE) <= SETTINGS.keys()


def test_the_limits_it_tells_are_the_ones_that_are_set() -> None:
    (rate,) = re.findall(r"rate=(\d+)r/s", NGINX)
    (connections,) = re.findall(r"limit_conn \w+ (\d+);", NGINX)
    assert f"{rate} requests a second and {connections} connections per address" in GUIDE
    told = f"{rate} requests a second over {connections} connections"
    assert told in NGINX, "and so does the refusal itself"
