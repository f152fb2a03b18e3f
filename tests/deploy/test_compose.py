"""compose.yaml starts replicas with few rights, behind nginx. Its settings agree with the code."""

from typing import Any

import pytest
import yaml

from tests.deploy.manifests import DEPLOY, ROOT, dockerfile_environment

PATH = DEPLOY / "compose.yaml"
COMPOSE: dict[str, Any] = yaml.safe_load(PATH.read_text("utf-8"))
API, EDGE = COMPOSE["services"]["bestmove"], COMPOSE["services"]["nginx"]
both = pytest.mark.parametrize("name", ["bestmove", "nginx"])


@both
def test_every_container_is_restricted_and_bounded(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert {"cpus", "memory"} <= service["deploy"]["resources"]["limits"].keys()


def test_only_nginx_can_be_reached_and_the_replicas_have_no_way_out() -> None:
    assert "ports" not in API
    assert EDGE["ports"] == ["${PORT:-8080}:8080"]
    assert "listen 8080 " in (DEPLOY / "nginx" / "nginx.conf").read_text("utf-8")
    assert API["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_nginx_starts_when_the_replicas_are_healthy_and_knows_their_port() -> None:
    assert EDGE["depends_on"]["bestmove"]["condition"] == "service_healthy"
    port = dockerfile_environment()["PORT"]
    assert API["expose"] == [port]
    site = (DEPLOY / "nginx" / "compose" / "site.conf").read_text("utf-8")
    assert f"server bestmove:{port} " in site
    assert API["deploy"]["replicas"] >= 2


def test_the_files_that_it_mounts_and_builds_from_exist() -> None:
    for volume in EDGE["volumes"]:
        source, target, mode = volume.split(":")
        assert (DEPLOY / source).is_file()
        assert target.startswith("/etc/nginx/")
        assert mode == "ro"
    assert (DEPLOY / API["build"]["context"]).resolve() == ROOT
