"""The shipped nginx.conf in a real nginx, in front of two real replicas."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bestmove.api import problems
from bestmove.api.settings import Settings
from bestmove.client import Client
from bestmove.errors import RequestRefused, ServiceUnavailable
from bestmove.server import worker
from tests.deploy.manifests import DEPLOY, ROOT
from tests.support.connection import LOOPBACK, Answer, Connection, encode, free_port
from tests.support.documents import blocks
from tests.support.needs import NGINX
from tests.support.positions import TEN_MARKS
from tests.support.replicas import IPV6, Replica, nginx, nginx_site, replica, wait_until
from tests.support.sockets import connected, get, read_until

pytestmark = NGINX

CONF = (DEPLOY / "nginx" / "nginx.conf").read_text("utf-8")
PATIENCE = 30
"""The most seconds to wait for something that must happen."""
THREE = "/best-move?board=X...O...."


@dataclass(frozen=True)
class Site:
    port: int
    replicas: tuple[Replica, Replica]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    settings: dict[str, Any] = {"workers": 1, "trusted_proxies": 1, "log_format": "json"}
    with (
        replica(folder, **settings) as first,
        replica(folder, **settings) as second,
        nginx(folder / "nginx", [first.port, second.port]) as port,
    ):
        yield Site(port, (first, second))


@pytest.fixture
def client(site: Site, request: pytest.FixtureRequest) -> Iterator[Connection]:
    # Each test uses its own address, because the limits are per client.
    number = 2 + sum(request.node.name.encode()) % 250
    with Connection(site.port, source=f"127.0.1.{number}") as connection:
        yield connection


def logs(site: Site) -> str:
    return "".join(each.log.read_text("utf-8") for each in site.replicas)


def logged(site: Site, request_id: str) -> Any:
    """Return the only line that the replicas logged about a request."""
    wait_until(lambda: request_id in logs(site), PATIENCE, "the log line")
    (line,) = [line for line in logs(site).splitlines() if request_id in line]
    return json.loads(line)


def assert_told_as_a_problem(answer: Answer, status: int, kind: str) -> dict[str, Any]:
    assert answer.status == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    document: dict[str, Any] = answer.json()
    assert document["type"] == f"urn:bestmove:problem:{kind}"
    assert document["status"] == status
    assert document["instance"] == f"urn:bestmove:request:{answer.headers['x-request-id']}"
    return document


@pytest.mark.skipif(not IPV6, reason="this machine has no IPv6")
def test_clients_with_ipv6_are_answered(site: Site) -> None:
    assert '"index":' in get(f"http://[::1]:{site.port}{THREE}")


def test_events_come_through_one_by_one_and_a_client_that_left_ends_the_search(site: Site) -> None:
    body = {"game": "gomoku", "moves": TEN_MARKS, "time_ms": 9_000}
    headers = {"Accept": "text/event-stream", "Accept-Encoding": "gzip", "X-Request-ID": "followed"}
    request = encode("/best-move", body, headers=headers)
    with connected(f"http://{LOOPBACK}:{site.port}", request) as sock:
        text = read_until(sock, b"event: progress")
        assert b"event: answer" not in text
        assert b"Content-Encoding" not in text
    assert logged(site, "followed")["engine_ms"] < 8_000


@pytest.mark.parametrize("bad", ['a"b', "a b", "x" * 65, "é", ""])
def test_any_other_request_id_is_replaced(client: Connection, bad: str) -> None:
    answer = client.send(
        f"GET {THREE} HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: {bad}\r\n\r\n".encode()
    )
    assert answer.status == 200
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["x-request-id"])


def test_the_replica_learns_the_clients_true_address(site: Site, client: Connection) -> None:
    forged = {
        "X-Forwarded-For": "6.6.6.6",
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Prefix": "/evil",
        "Forwarded": "for=6.6.6.6",
        "X-Request-ID": "forged-1",
    }
    answer = client.send(encode("/best-move", {"board": "X...O...."}, headers=forged))
    assert (answer.status, answer.headers["x-request-id"]) == (200, "forged-1")
    assert b"evil" not in answer.body
    assert logged(site, "forged-1")["client"] == client.source


def test_only_the_client_that_asks_too_much_gets_429(site: Site, client: Connection) -> None:
    client.open().sendall(encode(THREE) * 600)
    assert read_until(client.open(), b"HTTP/1.1 429").count(b"HTTP/1.1 200") >= 100
    client.close()
    answer = next(found for _ in range(1000) if (found := client.get(THREE)).status == 429)
    document = assert_told_as_a_problem(answer, 429, "too-many-requests")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "Retry-After" in answer.headers["access-control-expose-headers"]
    assert int(answer.headers["retry-after"]) >= 1
    assert "50 requests a second" in document["detail"]
    with Connection(site.port, source="127.0.9.9") as other:
        assert other.get(THREE).status == 200
    for path in ("/healthz", "/static/client.js"):
        assert {client.get(path).status for _ in range(200)} == {200}
    preflight = encode("/best-move", method="OPTIONS")
    assert {client.send(preflight).status for _ in range(200)} == {200}


POST = b"POST /best-move HTTP/1.1\r\nHost: x\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
REFUSED = [
    (POST + b"Content-Length: 1048577\r\n\r\n", 413, "body-too-large"),
    (b"GET /best-move?board=" + b"." * 9000 + b" HTTP/1.1\r\n\r\n", 414, "url-too-long"),
    (GET + b"X-A: " + b"a" * 9000 + b"\r\n\r\n", 431, "headers-too-large"),
    (b"\x16\x03\x01\x02\x00\r\n\r\n", 400, "malformed-request"),
    (POST + b"Transfer-Encoding: zip\r\n\r\n", 400, "malformed-request"),
    (b"TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", 405, "method-not-allowed"),
    (encode("/metrics"), 404, "not-found"),
    (encode("/api/metrics"), 404, "not-found"),
    (encode("/.problem/a"), 404, "not-found"),
]


@pytest.mark.parametrize(("request_", "status", "kind"), REFUSED)
def test_a_refusal_by_nginx_has_the_services_own_form(
    client: Connection, request_: bytes, status: int, kind: str
) -> None:
    assert_told_as_a_problem(client.send(request_), status, kind)


def test_problems_of_nginx_have_the_status_and_title_of_the_services() -> None:
    known = {
        kind.name: kind
        for module in (problems, worker)
        for kind in vars(module).values()
        if isinstance(kind, problems.Kind)
    }
    told = [json.loads(text) for text in re.findall(r"return \d+ '(\{.*\})\\n';", CONF)]
    shared = [(one, known[name]) for one in told if (name := one["type"].split(":")[-1]) in known]
    assert len(shared) >= 5
    for document, kind in shared:
        assert (document["status"], document["title"]) == (kind.status, kind.title)
    assert re.findall(r"return (\d+) '", CONF) == [str(each["status"]) for each in told]


def test_limits_agree_with_the_service() -> None:
    megabytes, request_line = (
        int(re.findall(pattern, CONF)[0])
        for pattern in (r"client_max_body_size (\d+)m;", r"large_client_header_buffers \d+ (\d+)k;")
    )
    assert megabytes * 2**20 == Settings.max_body_bytes
    gunicorn = (ROOT / "service" / "bestmove" / "gunicorn_conf.py").read_text("utf-8")
    (line_limit,) = re.findall(r"(?m)^limit_request_line = (\d+)$", gunicorn)
    assert 0 <= request_line * 1024 - int(line_limit) <= 2, "the end of the line has two bytes"
    for path in (DEPLOY / "nginx" / "compose", DEPLOY / "kubernetes" / "components" / "edge"):
        text = (path / "site.conf").read_text("utf-8")
        (idle,) = re.findall(r"keepalive_timeout (\d+)s;", text)
        assert int(idle) < Settings.keepalive_s, "the service must close later than nginx"


@pytest.mark.slow
def test_without_one_replica_every_request_is_still_answered(tmp_path: Path) -> None:
    with (
        replica(tmp_path, workers=1) as first,
        replica(tmp_path, workers=1) as second,
        nginx(tmp_path / "nginx", [first.port, second.port]) as port,
        Connection(port) as client,
    ):
        kept = client.get(THREE)
        assert kept.status == 200
        first.end()
        statuses = {client.post("/best-move", {"board": "X...O...."}).status for _ in range(20)}
        assert statuses == {200}
        second.end()
        again = client.get(THREE)
        assert (again.status, again.body) == (200, kept.body)
        away = client.post("/best-move", {"board": "X...O...."})
        assert_told_as_a_problem(away, 503, "unavailable")
        assert int(away.headers["retry-after"]) >= 1


@pytest.mark.slow
def test_the_guides_nginx_lets_each_user_ask_once_at_a_time(tmp_path: Path) -> None:
    port = free_port()
    with replica(tmp_path, workers=1) as running:
        (shown,) = blocks(ROOT / "docs" / "operations.md", "nginx")
        site = shown.replace("listen 8080", f"listen {LOOPBACK}:{port}")
        site = site.replace("127.0.0.1:8000", f"{LOOPBACK}:{running.port}")
        with nginx_site(tmp_path, site, port), Client(f"http://{LOOPBACK}:{port}") as nobody:
            with pytest.raises(RequestRefused, match="401"):
                nobody.games()
            alice, bob = (
                f"http://{user}@{LOOPBACK}:{port}" for user in ("alice:wonderland", "bob:builder")
            )
            with (
                Client(alice) as first,
                Client(alice, retries=0) as second,
                Client(bob) as other,
                closing(first.stream(game="gomoku", moves=TEN_MARKS, time_ms=9_000)) as searching,
            ):
                next(searching)
                with pytest.raises(ServiceUnavailable) as refused:
                    second.games()
                assert refused.value.retry_after == 1
                assert other.games().games
            with Client(alice) as patient:
                assert all(patient.games().games for _ in range(22))
