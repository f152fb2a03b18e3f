"""Reads the files of deploy/ for the tests."""

import dataclasses
import re
from pathlib import Path
from typing import Any

import yaml

from bestmove.api.app import create_app
from bestmove.api.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"

ROUTES = frozenset(rule.rule for rule in create_app().url_map.iter_rules())

SETTINGS = {PREFIX + field.name.upper(): field for field in dataclasses.fields(Settings)}
"""The fields of `Settings` by the names of their environment variables."""


def documents(path: Path) -> list[dict[str, Any]]:
    return [document for document in yaml.safe_load_all(path.read_text("utf-8")) if document]


def kubernetes_files() -> list[Path]:
    return sorted(path for path in KUBERNETES.rglob("*.yaml") if path.name != "kustomization.yaml")


def named(kind: str, name: str) -> dict[str, Any]:
    found = [
        document
        for path in kubernetes_files()
        for document in documents(path)
        if (document["kind"], document["metadata"]["name"]) == (kind, name)
    ]
    assert len(found) == 1, f"{len(found)} of {kind}/{name}"
    return found[0]


def settings_in(text: str) -> set[str]:
    return set(re.findall(rf"\b{PREFIX}[A-Z_]+\b", text))


def nginx_seconds(directive: str) -> int:
    """Return a timeout of nginx.conf in seconds. The file must set it exactly once."""
    text = (DEPLOY / "nginx" / "nginx.conf").read_text("utf-8")
    (value,) = re.findall(rf"(?m)^\s*{directive} (\d+)s;", text)
    return int(value)


def dockerfile_environment() -> dict[str, str]:
    final = (ROOT / "Dockerfile").read_text("utf-8").rpartition("\nFROM ")[2]
    (block,) = re.findall(r"(?m)^ENV ((?:.*\\\n)*.*)$", final)
    return dict(re.findall(r"(\w+)=(\S+)", block))


def dockerfile_exec(instruction: str) -> Any:
    """Return the arguments of the image's CMD or HEALTHCHECK. It must be in exec form."""
    text = (ROOT / "Dockerfile").read_text("utf-8")
    before = r"^" if instruction == "CMD" else r"^HEALTHCHECK .*\\\n\s+"
    (found,) = re.findall(rf"(?m){before}CMD (\[.*\])$", text)
    return yaml.safe_load(found)
