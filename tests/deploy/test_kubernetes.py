"""The Kubernetes manifests: valid, rendered, hardened, and in agreement with the code."""

import importlib
import shutil
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
import yaml

from bestmove.api.settings import Settings
from tests.deploy.manifests import (
    KUBERNETES,
    ROUTES,
    dockerfile_environment,
    documents,
    kubernetes_files,
    named,
)
from tests.support.programs import run

OPERATOR_KINDS = {"ServiceMonitor"}
"""Kinds that the Prometheus operator defines. Kubernetes has no schemas for them."""

VERSIONS = ("1.33", "1.37")
KUSTOMIZATIONS = sorted(KUBERNETES.rglob("kustomization.yaml"))
RENDERED = ("base", "label", "overlays/production")


def validate(document: dict[str, Any]) -> None:
    if document["kind"] not in OPERATOR_KINDS:
        for version in VERSIONS:
            kubernetes_validate.validate(document, version, strict=True)


def pod_of(deployment: dict[str, Any]) -> Any:
    return deployment["spec"]["template"]["spec"]


def container_of(kind: str, name: str) -> Any:
    """Return the only container of a workload."""
    (container,) = pod_of(named(kind, name))["containers"]
    return container


WORKLOADS = [
    document
    for path in kubernetes_files()
    for document in documents(path)
    if document["kind"] in ("Deployment", "Job")
]
SERVERS = [each for each in WORKLOADS if each["metadata"]["name"] in ("bestmove", "edge")]


def each(deployments: list[dict[str, Any]]) -> pytest.MarkDecorator:
    names = [deployment["metadata"]["name"] for deployment in deployments]
    return pytest.mark.parametrize("deployment", deployments, ids=names)


@pytest.mark.parametrize("path", kubernetes_files(), ids=lambda path: path.stem)
def test_every_manifest_fits_its_schema_strictly(path: Path) -> None:
    for document in documents(path):
        validate(document)


@pytest.mark.parametrize("path", KUSTOMIZATIONS, ids=lambda path: path.parent.name)
def test_every_kustomization_names_exactly_the_files_that_exist(path: Path) -> None:
    (kustomization,) = documents(path)
    generators = kustomization.get("configMapGenerator", [])
    configured = [file for generator in generators for file in generator["files"]]
    entries = kustomization.get("resources", []) + kustomization.get("components", []) + configured
    for entry in entries:
        assert (path.parent / entry).exists(), f"{path} names {entry}"
        if (path.parent / entry).is_dir():
            assert (path.parent / entry / "kustomization.yaml").exists()
    others = {file.name for file in path.parent.iterdir() if file.is_file()} - {path.name}
    assert others == {entry for entry in entries if "/" not in entry}


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not on this machine")
@pytest.mark.parametrize("folder", RENDERED)
def test_kubectl_renders_what_fits_the_schemas(folder: str) -> None:
    rendered = run("kubectl", "kustomize", KUBERNETES / folder)
    assert not rendered.stderr
    manifests = list(yaml.safe_load_all(rendered.stdout))
    for manifest in manifests:
        validate(manifest)
        if manifest["kind"] != "Namespace":
            assert manifest["metadata"]["namespace"] == "bestmove"

    deployments = [manifest for manifest in manifests if manifest["kind"] == "Deployment"]
    selectors = [deployment["spec"]["selector"]["matchLabels"] for deployment in deployments]
    for deployment, selector in zip(deployments, selectors, strict=True):
        labels = deployment["spec"]["template"]["metadata"]["labels"]
        assert selector.items() <= labels.items()
        assert selectors.count(selector) == 1, "two deployments would fight over their pods"


@each(WORKLOADS)
def test_every_pod_has_few_rights_and_a_read_only_root(deployment: dict[str, Any]) -> None:
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


def test_all_pods_for_labelling_have_one_image_and_the_schedulers_address() -> None:
    (port,) = named("Service", "bestmove-label-scheduler")["spec"]["ports"]
    address = f"tcp://bestmove-label-scheduler:{port['port']}"
    scheduler = container_of("Deployment", "bestmove-label-scheduler")
    workers = container_of("Deployment", "bestmove-label-workers")
    job = container_of("Job", "bestmove-label")
    assert scheduler["image"] == workers["image"] == job["image"]
    assert str(port["port"]) in scheduler["command"]
    assert address in workers["command"]
    assert f"--scheduler={address}" in job["command"]
    ((health, *_),) = importlib.import_module("distributed.http.health").routes
    for container in (scheduler, workers):
        probe = container["livenessProbe"]["httpGet"]
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        assert probe["path"] == health
        assert "--dashboard-address" in " ".join(container["command"])
        assert f":{ports[probe['port']]}" in " ".join(container["command"])


def test_the_port_of_the_pods_is_that_of_the_image() -> None:
    (port,) = container_of("Deployment", "bestmove")["ports"]
    assert str(port["containerPort"]) == dockerfile_environment()["PORT"]
    assert port["containerPort"] == Settings.port
    (pods_port,) = named("Service", "bestmove-pods")["spec"]["ports"]
    assert pods_port["port"] == port["containerPort"], "the edge must call the pods' own port"


def test_the_edge_asks_the_name_servers_of_its_cluster(tmp_path: Path) -> None:
    given, made = tmp_path / "resolv.conf", tmp_path / "resolver.conf"
    given.write_text("search a.b\nnameserver 10.96.0.10\nnameserver fd00::a\noptions ndots:5\n")
    *shell, script = container_of("Deployment", "edge")["command"]
    written, _, start = script.partition("exec ")
    assert start.strip() == "nginx -g 'daemon off;'"
    run(*shell, written.replace("/tmp/", f"{tmp_path}/").replace("/etc/resolv.conf", f"{given}"))
    assert made.read_text() == "resolver 10.96.0.10 [fd00::a] valid=5s;\n"


def test_probes_ask_routes_that_the_service_has() -> None:
    container = container_of("Deployment", "bestmove")
    probes = ("startupProbe", "readinessProbe", "livenessProbe")
    paths = {probe: container[probe]["httpGet"]["path"] for probe in probes}
    assert [*paths.values()] == ["/readyz", "/readyz", "/healthz"]
    assert set(paths.values()) <= ROUTES
    (endpoint,) = named("ServiceMonitor", "bestmove")["spec"]["endpoints"]
    assert endpoint["path"] in ROUTES
    (service_port,) = named("Service", "bestmove")["spec"]["ports"]
    assert endpoint["port"] == service_port["name"]


@each(SERVERS)
def test_the_autoscaler_counts_pods_and_the_budget_keeps_some(deployment: dict[str, Any]) -> None:
    name = deployment["metadata"]["name"]
    assert "replicas" not in deployment["spec"], "it would undo the autoscaler at every roll-out"
    autoscaler = named("HorizontalPodAutoscaler", name)["spec"]
    assert autoscaler["scaleTargetRef"]["name"] == name
    assert autoscaler["minReplicas"] >= 2
    budget = named("PodDisruptionBudget", name)["spec"]
    assert budget["selector"]["matchLabels"] == deployment["spec"]["selector"]["matchLabels"]
    assert budget["maxUnavailable"] < autoscaler["minReplicas"]


def test_pods_accept_connections_on_one_port_only_and_make_none() -> None:
    policy = named("NetworkPolicy", "bestmove")["spec"]
    deployment = named("Deployment", "bestmove")["spec"]
    assert policy["podSelector"]["matchLabels"] == deployment["selector"]["matchLabels"]
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    assert policy["egress"] == []
    (rule,) = policy["ingress"]
    assert rule["ports"] == [{"port": "http"}]
    assert rule["from"]
