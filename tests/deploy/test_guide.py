"""deploy/README.md is complete. The deployments have valid settings, enough memory, and enough
time to shut down. compose.yaml starts replicas with few rights, behind nginx.

Render and Fly describe the fields of their files: https://render.com/docs/blueprint-spec and
https://fly.io/docs/reference/configuration/.
"""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from bestmove.api.settings import Settings
from tests.deploy.manifests import (
    DEPLOY,
    ROOT,
    ROUTES,
    SETTINGS,
    dockerfile_environment,
    named,
    nginx_seconds,
    settings_in,
)

GUIDE = (DEPLOY / "README.md").read_text("utf-8")
TEXTS = [
    ROOT / "Dockerfile",
    *(path for path in sorted(DEPLOY.rglob("*")) if path.suffix in (".md", ".yaml", ".service")),
]
NGINX = (DEPLOY / "nginx" / "nginx.conf").read_text("utf-8")
COMPOSE_FILE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
COMPOSE, EDGE = COMPOSE_FILE["services"]["bestmove"], COMPOSE_FILE["services"]["nginx"]
POD = named("Deployment", "bestmove")["spec"]["template"]["spec"]
(CONTAINER,) = POD["containers"]
COUNTERS = int(POD["volumes"][0]["emptyDir"]["sizeLimit"].rstrip("Mi"))
"""The MiB that a pod has for the workers' counters, which are files in memory."""
(RENDER,) = yaml.safe_load((DEPLOY / "render.yaml").read_text("utf-8"))["services"]
FLY = tomllib.loads((DEPLOY / "fly.toml").read_text("utf-8"))


def test_the_guide_names_every_file_and_every_named_file_exists() -> None:
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
    assert unnamed == {"README.md", "verify_wheel.py"}, "the guide does not name every file"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_every_named_setting_exists(path: Path) -> None:
    assert settings_in(path.read_text("utf-8")) <= SETTINGS.keys()


def test_the_settings_in_each_deployment_are_allowed() -> None:
    for given in (
        {entry["name"]: entry["value"] for entry in CONTAINER["env"]},
        COMPOSE["environment"],
        {name: value for name, value in dockerfile_environment().items() if name in SETTINGS},
        {each["key"]: each["value"] for each in RENDER["envVars"]},
        FLY["env"],
    ):
        Settings.from_environment(given)


def test_hosting_platforms_build_the_image_and_probe_the_service() -> None:
    for file in (ROOT / RENDER["dockerfilePath"], DEPLOY / FLY["build"]["dockerfile"]):
        assert file.resolve() == ROOT / "Dockerfile"
    assert str(FLY["http_service"]["internal_port"]) == dockerfile_environment()["PORT"]
    (check,) = FLY["http_service"]["checks"]
    assert {RENDER["healthCheckPath"], check["path"]} <= ROUTES
    assert FLY["kill_signal"] == "SIGTERM"


def test_every_platform_waits_longer_than_the_service_takes_to_stop() -> None:
    assert Settings.from_environment(COMPOSE["environment"]).trusted_proxies == 1
    unit = (DEPLOY / "systemd" / "bestmove.service").read_text("utf-8")
    (stop,) = re.findall(r"(?m)^TimeoutStopSec=(\d+)", unit)
    pause = CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pause > 0
    grace = POD["terminationGracePeriodSeconds"] - pause
    others = (COMPOSE["stop_grace_period"], FLY["kill_timeout"], stop)
    for seconds in (grace, *(int(other.removesuffix("s")) for other in others)):
        assert seconds > Settings.graceful_timeout_s
    assert Settings.graceful_timeout_s * 1000 > Settings.max_time_ms
    assert nginx_seconds("proxy_read_timeout") * 1000 > Settings.max_time_ms


def test_a_replica_has_memory_for_all_its_workers_and_its_counters_and_some_to_spare() -> None:
    at_compose, pod = COMPOSE["deploy"]["resources"]["limits"], CONTAINER["resources"]["limits"]
    for cpus, memory in ((at_compose["cpus"], at_compose["memory"]), (pod["cpu"], pod["memory"])):
        least = int(cpus) * (Settings().memory_mb + 64) + 64 + COUNTERS
        assert int(memory.rstrip("Mi")) > least
    (machine,) = FLY["vm"]
    settings = Settings.from_environment(FLY["env"])
    assert int(machine["memory"].removesuffix("mb")) >= settings.memory_mb + 2 * 64


def test_the_guide_names_the_limits_that_nginx_has() -> None:
    rate, files = re.findall(r"rate=(\d+)r/s", NGINX)
    connections, loading = re.findall(r"limit_conn \w+ (\d+);", NGINX)
    assert re.findall(r"limit_(req|conn)_status 429;", NGINX) == ["req", "conn"]
    assert f"{rate} questions a second on at most {connections} connections" in GUIDE
    assert f"{files} pages and files a second on at most {loading}" in GUIDE
    told = f"{rate} requests a second on at most {connections} connections"
    assert told in NGINX, "nginx names other limits when it refuses a request"


@pytest.mark.parametrize("name", ["bestmove", "nginx"])
def test_every_container_of_compose_is_restricted_and_bounded(name: str) -> None:
    service = COMPOSE_FILE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert {"cpus", "memory"} <= service["deploy"]["resources"]["limits"].keys()


def test_only_nginx_can_be_reached_and_the_replicas_have_no_way_out() -> None:
    assert "ports" not in COMPOSE
    assert EDGE["ports"] == ["${PORT:-8080}:8080"]
    assert "listen 8080 " in NGINX
    assert COMPOSE["networks"] == ["inside"]
    assert COMPOSE_FILE["networks"]["inside"] == {"internal": True}


def test_nginx_starts_when_the_replicas_are_healthy_and_knows_their_port() -> None:
    assert EDGE["depends_on"]["bestmove"]["condition"] == "service_healthy"
    port = dockerfile_environment()["PORT"]
    assert COMPOSE["expose"] == [port]
    site = (DEPLOY / "nginx" / "compose" / "site.conf").read_text("utf-8")
    assert f"server bestmove:{port} " in site
    assert COMPOSE["deploy"]["replicas"] >= 2


def test_the_files_that_compose_mounts_and_builds_from_exist() -> None:
    for volume in EDGE["volumes"]:
        source, target, mode = volume.split(":")
        assert (DEPLOY / source).is_file()
        assert target.startswith("/etc/nginx/")
        assert mode == "ro"
    assert (DEPLOY / COMPOSE["build"]["context"]).resolve() == ROOT
