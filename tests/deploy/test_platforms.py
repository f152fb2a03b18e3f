"""The files for hosting platforms agree with the image and the service.

The platforms' references describe the fields: https://render.com/docs/blueprint-spec and
https://fly.io/docs/reference/configuration/.
"""

import tomllib
from typing import Any, Final

import jsonschema  # type: ignore[import-untyped]
import yaml

from bestmove.api.app import create_app
from bestmove.api.settings import Settings
from tests.deploy.manifests import DEPLOY, dockerfile_environment

TEXT: Final = {"type": "string"}
WHOLE: Final = {"type": "integer"}
YES_OR_NO: Final = {"type": "boolean"}


def closed(**fields: Any) -> dict[str, Any]:
    """Return the schema of an object that has exactly these fields."""
    whole = {"properties": fields, "required": [*fields], "additionalProperties": False}
    return {"type": "object", **whole}


def several(**fields: Any) -> dict[str, Any]:
    return {"type": "array", "items": closed(**fields)}


RENDER: Final = closed(
    type={"const": "web"},
    name=TEXT,
    runtime={"enum": ["docker", "image"]},
    plan={"enum": ["free", "starter", "standard", "pro"]},
    dockerfilePath=TEXT,
    dockerContext=TEXT,
    healthCheckPath=TEXT,
    envVars=several(key=TEXT, value=TEXT),
)
FLY: Final = closed(
    app=TEXT,
    kill_signal={"const": "SIGTERM"},
    kill_timeout=TEXT,
    build=closed(dockerfile=TEXT),
    env={"type": "object", "additionalProperties": TEXT},
    http_service=closed(
        internal_port=WHOLE,
        force_https=YES_OR_NO,
        auto_stop_machines={"enum": ["off", "stop", "suspend"]},
        auto_start_machines=YES_OR_NO,
        min_machines_running=WHOLE,
        checks=several(method=TEXT, path=TEXT, interval=TEXT, timeout=TEXT, grace_period=TEXT),
    ),
    vm=several(size=TEXT, memory=TEXT),
)


def test_render_builds_the_image_and_probes_the_service() -> None:
    (service,) = yaml.safe_load((DEPLOY / "render.yaml").read_text("utf-8"))["services"]
    jsonschema.validate(service, RENDER)
    assert (DEPLOY.parent / service["dockerfilePath"]).is_file()
    assert create_app().test_client().get(service["healthCheckPath"]).status_code == 200
    Settings.from_environment({each["key"]: each["value"] for each in service["envVars"]})


def test_fly_builds_the_image_and_probes_the_service() -> None:
    app = tomllib.loads((DEPLOY / "fly.toml").read_text("utf-8"))
    jsonschema.validate(app, FLY)
    assert (DEPLOY / app["build"]["dockerfile"]).resolve() == DEPLOY.parent / "Dockerfile"
    assert str(app["http_service"]["internal_port"]) == dockerfile_environment()["PORT"]
    (check,) = app["http_service"]["checks"]
    assert create_app().test_client().get(check["path"]).status_code == 200
    settings = Settings.from_environment(app["env"])
    assert int(app["kill_timeout"].removesuffix("s")) > settings.graceful_timeout_s
    (machine,) = app["vm"]
    assert int(machine["memory"].removesuffix("mb")) >= settings.memory_mb + 2 * 64
