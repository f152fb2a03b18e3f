"""Alert rules and dashboard: valid PromQL, with metrics and labels that the service reports."""

import json
import re
from collections.abc import Iterator
from typing import Any

import promql_parser
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from bestmove.api.app import create_app
from tests.deploy.manifests import DEPLOY, ROOT
from tests.support.documents import blocks
from tests.support.needs import PROMTOOL
from tests.support.programs import run

ALERTS = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text("utf-8"))
DASHBOARD = json.loads((DEPLOY / "grafana" / "bestmove.json").read_text("utf-8"))
RULES: list[dict[str, Any]] = [rule for group in ALERTS["groups"] for rule in group["rules"]]
EXPRESSIONS: dict[str, str] = {
    **{rule.get("alert") or rule["record"]: rule["expr"] for rule in RULES},
    **{
        f"{panel['title']} {target['refId']}": target["expr"]
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
    },
}

FROM_PROMETHEUS = {"job", "instance", "le"}
"""The labels that Prometheus adds to all metrics, and `le`, the label of histograms."""


def reported() -> dict[str, set[str]]:
    """Send some requests. Return each metric of the service with its labels."""
    client = create_app().test_client()
    client.post("/best-move", json={"board": "X...O...."})
    client.post("/best-move", json={"board": "." * 64, "time_ms": 20})
    path = "/best-move?board=X...O...."
    client.get(path, headers={"If-None-Match": client.get(path).headers["ETag"]})
    metrics: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(client.get("/metrics").text):
        for sample in family.samples:
            metrics.setdefault(sample.name, set()).update(sample.labels)
    recorded = {rule["record"]: {"job"} for rule in RULES if "record" in rule}
    return metrics | recorded | {"up": set()}


METRICS = reported()


def without_variables(expression: str) -> str:
    return expression.replace("$__rate_interval", "5m").replace("$job", "a").replace("$route", "b")


def selectors(node: object) -> Iterator[promql_parser.VectorSelector]:
    if isinstance(node, promql_parser.VectorSelector):
        yield node
    for name in ("lhs", "rhs", "expr", "param", "vector_selector"):
        if (inner := getattr(node, name, None)) is not None:
            yield from selectors(inner)
    for inner in getattr(node, "args", None) or []:
        yield from selectors(inner)


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_every_expression_asks_for_metrics_and_labels_that_exist(name: str) -> None:
    expression = without_variables(EXPRESSIONS[name])
    parsed = promql_parser.parse(expression)
    found = list(selectors(parsed))
    bare = re.sub(r'"[^"]*"', "", expression)
    named = set(re.findall(r"\b(?:bestmove_\w+|job:\w+:\w+|up)\b", bare))
    assert {selector.name for selector in found} == named, "selectors() found other metrics"
    labels: set[str] = set()
    for selector in found:
        assert selector.name in METRICS
        labels |= METRICS[selector.name]
        matched = {matcher.name for matcher in selector.matchers.matchers}
        assert matched <= METRICS[selector.name] | FROM_PROMETHEUS
    for grouped in re.findall(r"\bby \(([^)]*)\)", bare):
        assert {label.strip() for label in grouped.split(",")} <= labels | FROM_PROMETHEUS


@PROMTOOL
def test_the_alerts_fire_when_they_should_and_keep_silent_otherwise() -> None:
    run("promtool", "test", "rules", DEPLOY / "prometheus" / "alerts_test.yaml")


def test_every_alert_has_a_test_in_which_it_fires_and_one_in_which_it_does_not() -> None:
    cases = yaml.safe_load((DEPLOY / "prometheus" / "alerts_test.yaml").read_text("utf-8"))
    outcomes = {
        (check["alertname"], bool(check["exp_alerts"]))
        for case in cases["tests"]
        for check in case["alert_rule_test"]
    }
    alerts = {rule["alert"] for rule in RULES if "alert" in rule}
    assert outcomes == {(alert, fires) for alert in alerts for fires in (True, False)}


OPERATIONS = ROOT / "docs" / "operations.md"


def test_the_guide_names_every_metric_that_is_reported_and_no_other() -> None:
    table = re.findall(r"^\| (`bestmove_.*?) \|", OPERATIONS.read_text("utf-8"), re.MULTILINE)
    named = {name for cell in table for name in re.findall(r"`(\w+)`", cell)}
    reported = {re.sub("_(bucket|sum|count)$", "", name) for name in METRICS}
    ours = {name for name in reported if re.match(r"bestmove_(?!.*_created$)", name)}
    assert named == ours


def test_the_autoscalers_signal_uses_metrics_that_are_reported() -> None:
    (alone,) = blocks(OPERATIONS, "promql")
    adapter, _ = map(yaml.safe_load, blocks(OPERATIONS, "yaml"))
    (rule,) = adapter["rules"]
    filled = rule["metricsQuery"].replace("<<.LabelMatchers>>", 'pod="a"')
    for expression in (alone, filled.replace("<<.GroupBy>>", "pod"), rule["seriesQuery"]):
        found = {selector.name for selector in selectors(promql_parser.parse(expression))}
        assert found <= METRICS.keys()
        assert found
