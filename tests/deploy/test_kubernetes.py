"""The Kubernetes manifests: valid, rendered, hardened, and of one mind with the code."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml

from bestmove.api.settings import Settings
from tests.deploy.manifests import (
    KUBERNETES,
    SETTINGS,
    dockerfile_environment,
    documents,
    kubernetes_files,
    named,
    nginx_seconds,
    settings_in,
)
from tests.deploy.routes import ROUTES

OPERATOR_KINDS = {"ServiceMonitor"}
"""Kinds that the cluster learns from the Prometheus operator: not among Kubernetes' schemas."""

VERSIONS = ("1.33", "1.37")
KUSTOMIZATIONS = sorted(KUBERNETES.rglob("kustomization.yaml"))
RENDERED = ("base", "overlays/production")


def validate(document: dict[str, Any]) -> None:
    for version in VERSIONS:
        kubernetes_validate.validate(document, version, strict=True)


def pod_of(deployment: dict[str, Any]) -> dict[str, Any]:
    pod: dict[str, Any] = deployment["spec"]["template"]["spec"]
    return pod


DEPLOYMENTS = [
    document
    for path in kubernetes_files()
    for document in documents(path)
    if document["kind"] == "Deployment"
]
by_name = pytest.mark.parametrize(
    "deployment", DEPLOYMENTS, ids=[document["metadata"]["name"] for document in DEPLOYMENTS]
)


@pytest.mark.parametrize("path", kubernetes_files(), ids=lambda path: path.stem)
def test_every_manifest_fits_its_schema_strictly(path: Path) -> None:
    for document in documents(path):
        if document["kind"] not in OPERATOR_KINDS:
            validate(document)


@pytest.mark.parametrize("path", KUSTOMIZATIONS, ids=lambda path: path.parent.name)
def test_every_kustomization_names_files_that_exist_and_forgets_none(path: Path) -> None:
    (kustomization,) = documents(path)
    folder = path.parent
    configured = [
        file
        for generator in kustomization.get("configMapGenerator", [])
        for file in generator["files"]
    ]
    entries = kustomization.get("resources", []) + kustomization.get("components", [])
    for entry in entries + configured:
        assert (folder / entry).exists(), f"{path} names {entry}"
        if (folder / entry).is_dir():
            assert (folder / entry / "kustomization.yaml").exists()
    others = {file.name for file in folder.iterdir() if file.is_file()} - {"kustomization.yaml"}
    assert others == {entry for entry in entries + configured if "/" not in entry}


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not on this machine")
@pytest.mark.parametrize("folder", RENDERED)
def test_kubectl_renders_what_fits_the_schemas(folder: str) -> None:
    rendered = subprocess.run(
        ["kubectl", "kustomize", str(KUBERNETES / folder)],
        check=True,
        capture_output=True,
        text=True,
    )
    assert not rendered.stderr
    manifests = list(yaml.safe_load_all(rendered.stdout))
    for manifest in manifests:
        if manifest["kind"] not in OPERATOR_KINDS:
            validate(manifest)
        if manifest["kind"] != "Namespace":
            assert manifest["metadata"]["namespace"] == "bestmove"

    deployments = [manifest for manifest in manifests if manifest["kind"] == "Deployment"]
    selectors = [deployment["spec"]["selector"]["matchLabels"] for deployment in deployments]
    for deployment, selector in zip(deployments, selectors, strict=True):
        labels = deployment["spec"]["template"]["metadata"]["labels"]
        assert selector.items() <= labels.items()
        assert selectors.count(selector) == 1, "two deployments would fight over their pods"


@by_name
def test_every_pod_runs_under_the_restricted_standard_on_a_read_only_root(
    deployment: dict[str, Any],
) -> None:
    pod = pod_of(deployment)
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] > 0
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in pod["containers"]:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {"cpu", "memory"} <= container["resources"]["limits"].keys()
        assert {"cpu", "memory"} <= container["resources"]["requests"].keys()


def test_a_pod_has_memory_for_all_its_workers() -> None:
    (container,) = pod_of(named("Deployment", "bestmove"))["containers"]
    limits = container["resources"]["limits"]
    memory = int(limits["memory"].removesuffix("Mi"))
    assert memory >= int(limits["cpu"]) * (Settings().memory_mb + 64) + 64


def test_the_pods_port_and_user_are_the_images() -> None:
    image = dockerfile_environment()
    (container,) = pod_of(named("Deployment", "bestmove"))["containers"]
    (port,) = container["ports"]
    assert str(port["containerPort"]) == image["BESTMOVE_PORT"]
    assert port["containerPort"] == Settings.port
    (pods_port,) = named("Service", "bestmove-pods")["spec"]["ports"]
    assert pods_port["port"] == port["containerPort"], "the edge calls the pods' own port"


def test_probes_ask_routes_that_the_service_has() -> None:
    (container,) = pod_of(named("Deployment", "bestmove"))["containers"]
    paths = {
        probe: container[probe]["httpGet"]["path"]
        for probe in ("startupProbe", "readinessProbe", "livenessProbe")
    }
    assert paths == {
        "startupProbe": "/readyz",
        "readinessProbe": "/readyz",
        "livenessProbe": "/healthz",
    }
    assert set(paths.values()) <= ROUTES
    (endpoint,) = named("ServiceMonitor", "bestmove")["spec"]["endpoints"]
    assert endpoint["path"] in ROUTES
    (service_port,) = named("Service", "bestmove")["spec"]["ports"]
    assert endpoint["port"] == service_port["name"]


def test_every_setting_that_a_manifest_gives_exists_and_is_allowed() -> None:
    (container,) = pod_of(named("Deployment", "bestmove"))["containers"]
    given = {entry["name"]: entry["value"] for entry in container["env"]}
    assert given.keys() <= SETTINGS.keys()
    Settings.from_environment(given)
    for path in kubernetes_files():
        assert settings_in(path.read_text("utf-8")) <= SETTINGS.keys(), path


def test_a_stopping_pod_has_time_for_its_pause_and_for_what_is_in_flight() -> None:
    pod = pod_of(named("Deployment", "bestmove"))
    (container,) = pod["containers"]
    pause = container["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pause > 0
    assert pod["terminationGracePeriodSeconds"] > pause + Settings.graceful_timeout_s
    assert Settings.graceful_timeout_s * 1000 > Settings.max_time_ms
    assert nginx_seconds("proxy_read_timeout") * 1000 > Settings.max_time_ms


@by_name
def test_the_autoscaler_counts_pods_and_the_budget_keeps_some(deployment: dict[str, Any]) -> None:
    name = deployment["metadata"]["name"]
    assert "replicas" not in deployment["spec"], "it would undo the autoscaler at every roll-out"
    autoscaler = named("HorizontalPodAutoscaler", name)["spec"]
    assert autoscaler["scaleTargetRef"]["name"] == name
    assert autoscaler["minReplicas"] >= 2
    budget = named("PodDisruptionBudget", name)["spec"]
    assert budget["selector"]["matchLabels"] == deployment["spec"]["selector"]["matchLabels"]
    assert budget["maxUnavailable"] < autoscaler["minReplicas"]


def test_pods_are_closed_to_all_but_one_port_and_call_nobody() -> None:
    policy = named("NetworkPolicy", "bestmove")["spec"]
    deployment = named("Deployment", "bestmove")["spec"]
    assert policy["podSelector"]["matchLabels"] == deployment["selector"]["matchLabels"]
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    assert policy["egress"] == []
    (rule,) = policy["ingress"]
    assert rule["ports"] == [{"port": "http"}]
    assert rule["from"]
