"""Requests through an edge have the same outcome as direct ones; a cache keeps only what it may."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import urllib3

from tests.deploy.manifests import DEPLOY
from tests.support.connection import LOOPBACK, encode, free_port
from tests.support.needs import NGINX, needs
from tests.support.replicas import edge, nginx, nginx_site, replica, wait_until
from tests.support.sockets import connected, read_all

pytestmark = [pytest.mark.slow, NGINX, needs("haproxy", "haproxy")]

PAGE = "https://page.example"
GAME = "/analyze?board=X...............&rows=4&columns=4&k=4"
SMALL = "/best-move?board=X...O...."
GUESS = "/best-move?game=gomoku&moves=h8+i9&depth=1"
SCRIPT = "/docs/swagger-ui-bundle.js"
EVENTS = {"Accept": "text/event-stream"}
BODY = b'{"board": "X...O...."}'
JSON = {"Content-Type": "application/json"}
PREFLIGHT = {
    "Origin": PAGE,
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "last-event-id",
}
HTTP_2 = {"Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c", "HTTP2-Settings": "AAMA"}


def known(suffix: str) -> dict[str, str]:
    return {"If-None-Match": f'"TAG{suffix}"'}


Row = tuple[str, str, dict[str, str], bytes | list[bytes] | None, int]

REQUESTS: list[Row] = [
    # Equal addresses follow one another, so that a cache with a wrong key gives a wrong answer.
    ("GET", GAME, {}, None, 200),
    ("GET", GAME, EVENTS, None, 200),
    ("GET", GAME, {"Accept": "application/xml"}, None, 406),
    ("GET", GAME, {"Accept-Encoding": "gzip"}, None, 200),
    ("GET", GAME, {"Accept-Encoding": "br"}, None, 200),
    ("GET", GAME, {"Accept-Encoding": "gzip;q=0"}, None, 200),
    ("GET", GAME, {"Origin": PAGE}, None, 200),
    ("GET", GAME, {"Origin": PAGE, "Accept-Encoding": "gzip"}, None, 200),
    ("GET", GAME, {"Origin": "https://evil.example"}, None, 200),
    ("GET", GAME, known(""), None, 304),
    ("HEAD", GAME, {}, None, 200),
    ("GET", SMALL, {"Accept": "text/plain"}, None, 200),
    ("GET", SMALL, {}, None, 200),
    ("GET", SMALL, EVENTS, None, 200),
    ("GET", SMALL, EVENTS | {"Last-Event-ID": "last"}, None, 204),
    ("GET", f"{SMALL}&lastEventId=last", EVENTS, None, 204),
    ("GET", SMALL, HTTP_2, None, 200),
    ("GET", GUESS, {}, None, 200),
    ("GET", GUESS, EVENTS, None, 200),
    ("GET", "/", {"Accept-Encoding": "gzip"}, None, 200),
    ("GET", "/", known(""), None, 304),
    ("GET", SCRIPT, known("-br"), None, 304),
    ("GET", "/openapi.json", known(";gzip"), None, 304),
    ("GET", "/docs", known("-gzip") | {"Accept-Encoding": "gzip"}, None, 304),
    ("GET", "/nowhere", {"Origin": PAGE}, None, 404),
    ("GET", f"{SMALL}&raw=1", {}, None, 422),
    ("OPTIONS", SMALL, PREFLIGHT, None, 200),
    ("DELETE", SMALL, {}, None, 405),
    ("POST", "/best-move", JSON, BODY, 200),
    ("POST", "/best-move", JSON | EVENTS, BODY, 200),
    ("POST", "/best-move", JSON, [BODY[:9], BODY[9:]], 200),
    ("POST", "/best-move", JSON | {"Origin": PAGE}, b"[", 400),
    ("POST", "/best-move", JSON, b" " * (1024 * 1024 + 1), 413),
    ("POST", "/best-move", {"Content-Type": "text/xml"}, b"<board/>", 415),
    ("POST", "/best-move", JSON | {"Content-Encoding": "br"}, BODY, 415),
]
COMPARED = ["Content-Type", "Content-Encoding", "ETag", "Cache-Control", "Allow", "Accept-Post"]
COMPARED += ["Access-Control-Allow-Origin", "Access-Control-Allow-Headers"]
VARIES = re.compile(rb'"search":\{[^}]*\}|urn:bestmove:request:[\w-]+')


@contextmanager
def running(name: str, folder: Path, ports: list[int]) -> Iterator[int]:
    """Run an edge with a file of deploy/ in front of two services; yield its port."""
    if name == "nginx/nginx.conf":
        with nginx(folder, ports) as port:
            yield port
        return
    port = free_port()
    text = (DEPLOY / "edges" / name).read_text("utf-8")
    for shipped, ours in (
        ("    listen [::]:80 default_server;", ""),
        ("listen 80 ", f"listen {LOOPBACK}:{port} "),
        ("bind :80", f"bind {LOOPBACK}:{port}"),
        ("127.0.0.1:8000", f"{LOOPBACK}:{ports[0]}"),
        ("127.0.0.1:8001", f"{LOOPBACK}:{ports[1]}"),
        ("/var/cache", str(folder)),
    ):
        text = text.replace(shipped, ours)
    file = folder / name
    file.write_text(text)
    command = ["haproxy", "-db", "-f", str(file)]
    with nginx_site(folder, text, port) if name == "nginx.conf" else edge(command, port, file):
        yield port


@pytest.mark.parametrize("name", ["nginx/nginx.conf", "nginx.conf", "haproxy.cfg"])
def test_every_request_has_the_outcome_that_it_has_directly(tmp_path: Path, name: str) -> None:
    with (
        replica(tmp_path, workers=1, cors_origins=PAGE, trusted_proxies=1) as first,
        replica(tmp_path, workers=1, cors_origins=PAGE, trusted_proxies=1) as second,
        running(name, tmp_path, [first.port, second.port]) as port,
        urllib3.PoolManager() as pool,
    ):

        def send(to: int, row: Row, key: str) -> urllib3.BaseHTTPResponse:
            method, target, headers, body, _ = row
            return pool.request(
                method,
                f"http://{LOOPBACK}:{to}{target}",
                body=body,
                headers=headers | {"X-Request-ID": key},
                decode_content=False,
                retries=False,
            )

        wrong: list[object] = []
        for number, row in enumerate(REQUESTS):
            method, target, headers, body, status = row
            if "If-None-Match" in headers:
                tag = send(first.port, ("GET", target, {}, None, 200), "tag").headers["ETag"]
                given = headers["If-None-Match"].replace("TAG", tag.strip('"'))
                row = (method, target, headers | {"If-None-Match": given}, body, status)
            direct = send(first.port, row, "direct")
            if direct.status != status:
                wrong.append((row, direct.status))
            may_keep = name != "haproxy.cfg" and "public" in direct.headers.get("Cache-Control", "")
            for attempt in ("first", "second"):
                answer = send(port, row, f"{attempt}-{number}")
                kept = answer.headers.get("X-Cache-Status") == "HIT" or (
                    answer.headers.get("X-Request-ID") != f"{attempt}-{number}"
                )
                if outcome(answer) != outcome(direct):
                    wrong.append((row, outcome(answer), outcome(direct)))
                expected = {may_keep} if attempt == "second" else {False, may_keep}
                if status != 413 and kept not in expected:
                    wrong.append((row, f"kept: {kept}"))
        forged = {f"X-Forwarded-{name}": "6.6.6.6" for name in ("For", "Host", "Prefix")}
        send(port, ("POST", "/best-move", JSON | forged, BODY, 200), "forged")
        wait_until(lambda: "forged" in first.log.read_text() + second.log.read_text(), 30, "a line")
        assert "6.6.6.6" not in first.log.read_text() + second.log.read_text()
        assert not wrong


def outcome(answer: urllib3.BaseHTTPResponse) -> list[object]:
    """Return what must be the same. An edge may word its own refusals in its own way."""
    if answer.status == 413:
        return [413]
    varies = {each.strip() for each in answer.headers.get("Vary", "").split(",")}
    headers = [answer.headers.get(name) for name in COMPARED]
    last = answer.data.split(b"event: answer")[-1]
    return [answer.status, varies, *headers, VARIES.sub(b"", last)]


def test_an_idle_connection_is_closed_when_the_setting_says(tmp_path: Path) -> None:
    with (
        replica(tmp_path, workers=1, keepalive_s=1) as one,
        connected(f"http://{LOOPBACK}:{one.port}", encode("/healthz")) as sock,
    ):
        assert read_all(sock).startswith(b"HTTP/1.1 200")
