"""The files for hosting platforms agree with the image and the service.

The platforms' references describe the fields: https://render.com/docs/blueprint-spec and
https://fly.io/docs/reference/configuration/.
"""

import tomllib

import yaml

from bestmove.api.app import create_app
from bestmove.api.settings import Settings
from tests.deploy.manifests import DEPLOY, dockerfile_environment


def test_render_builds_the_image_and_probes_the_service() -> None:
    (service,) = yaml.safe_load((DEPLOY / "render.yaml").read_text("utf-8"))["services"]
    assert (DEPLOY.parent / service["dockerfilePath"]).is_file()
    assert create_app().test_client().get(service["healthCheckPath"]).status_code == 200
    Settings.from_environment({each["key"]: each["value"] for each in service["envVars"]})


def test_fly_builds_the_image_and_probes_the_service() -> None:
    app = tomllib.loads((DEPLOY / "fly.toml").read_text("utf-8"))
    assert (DEPLOY / app["build"]["dockerfile"]).resolve() == DEPLOY.parent / "Dockerfile"
    assert str(app["http_service"]["internal_port"]) == dockerfile_environment()["PORT"]
    (check,) = app["http_service"]["checks"]
    assert create_app().test_client().get(check["path"]).status_code == 200
    settings = Settings.from_environment(app["env"])
    assert app["kill_signal"] == "SIGTERM"
    assert int(app["kill_timeout"].removesuffix("s")) > settings.graceful_timeout_s
    (machine,) = app["vm"]
    assert int(machine["memory"].removesuffix("mb")) >= settings.memory_mb + 2 * 64
