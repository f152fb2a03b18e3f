"""What `GET /metrics` counts in one process, and how to turn it off."""

import re
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from tests.api.conftest import MakeApi
from tests.api.http import Api
from tests.support.positions import OPEN_8


def samples(text: str) -> dict[str, float]:
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}"] = sample.value
    return found


def count(api: Api, name: str, **labels: Any) -> float:
    shown = ",".join(f"{label}={value}" for label, value in sorted(labels.items()))
    return samples(api.get("/metrics").text).get(f"{name}{{{shown}}}", 0.0)


def test_requests_are_counted_by_route_method_and_status(make_api: MakeApi) -> None:
    api = make_api()
    for _ in range(3):
        api.best_move("X...O....")
    api.get("/best-move", board="X...O....")
    api.post("/best-move", b"[")
    api.get("/nothing")
    api.send("BREW", "/best-move")
    requests = "bestmove_http_requests_total"
    assert count(api, requests, route="/best-move", method="POST", status=200) == 3
    assert count(api, requests, route="/best-move", method="GET", status=200) == 1
    assert count(api, requests, route="/best-move", method="POST", status=400) == 1
    assert count(api, requests, route="unmatched", method="GET", status=404) == 1
    assert count(api, requests, route="/best-move", method="other", status=405) == 1
    duration = "bestmove_http_request_duration_seconds_count"
    assert count(api, duration, route="/best-move") == 6


def test_searches_are_counted_by_size_algorithm_and_whether_proven(make_api: MakeApi) -> None:
    api = make_api()
    for _ in range(2):
        api.best_move("X...O....")
    three = ["X........", ".X.......", "..X......"]
    api.answer("/best-moves", boards=[*three, "X...O....", three[0], "XXXOO...."])
    found = api.best_move(OPEN_8, time_ms=20)
    searches = "bestmove_searches_total"
    look_ups = {"algorithm": "memoized-alpha-beta", "size": "up-to-9-cells", "exact": "true"}
    assert count(api, searches, **look_ups) == 6
    assert count(api, searches, algorithm="rules", size="up-to-9-cells", exact="true") == 1
    algorithm = found["search"]["algorithm"]
    assert count(api, searches, algorithm=algorithm, size="up-to-100-cells", exact="false") == 1
    assert count(api, "bestmove_search_nodes_total", size="up-to-100-cells") > 0
    assert count(api, "bestmove_search_seconds_total", size="up-to-100-cells") > 0
    assert count(api, "bestmove_searches_in_progress") == 0


def test_labels_are_as_few_as_there_are_routes_whatever_is_asked(make_api: MakeApi) -> None:
    api = make_api()
    api.get("/metrics")
    for number in range(50):
        api.get(f"/nothing/{number}")
        api.get(f"/static/{number}.js")
        api.send(f"METHOD{number}", "/best-move")
        api.get("/best-move", board=f"{number:b}".replace("1", "X").replace("0", "."))
    routes = set(re.findall(r'route="([^"]*)"', api.get("/metrics").text))
    assert routes == {"unmatched", "/static/<path>", "/best-move", "/metrics"}
    assert "board" not in api.get("/metrics").text.replace("bestmove", "")


def test_metrics_can_be_turned_off(make_api: MakeApi) -> None:
    api = make_api(metrics=False)
    assert api.best_move("X...O....")["move"]["index"] == 1
    assert api.best_move(OPEN_8, time_ms=5)["exact"] is False
    assert api.get("/metrics").status_code == 404
