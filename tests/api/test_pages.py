"""The documentation, the web pages and their files over HTTP."""

import json
import re
import shutil
from pathlib import Path
from urllib.parse import urljoin

import pytest

from bestmove.api import pages
from bestmove.search import table
from tests.api.http import Api, document

WEB = sorted(path for path in pages.WEB.rglob("*") if path.is_file())


def test_the_page_has_a_policy_that_allows_nothing_inline(api: Api) -> None:
    response = api.get("/")
    assert response.status_code == 200
    assert response.mimetype == "text/html"
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_the_page_has_the_named_games_and_limits(api: Api) -> None:
    [told] = re.findall(r'id="service" type="application/json">(.*?)\s*</', api.get("/").text)
    assert json.loads(told) == api.get("/games").json


def test_without_a_page_the_root_leads_to_the_docs(
    api: Api, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pages, "WEB", tmp_path)
    response = api.get("/")
    assert response.status_code == 302
    assert response.headers["Location"].endswith("docs")
    assert api.get("/static/anything.js").status_code == 404


@pytest.mark.parametrize("path", WEB, ids=lambda path: path.name)
def test_every_file_of_a_page_is_served_with_its_type_and_revalidated(api: Api, path: Path) -> None:
    url = f"/static/{path.relative_to(pages.WEB)}"
    response = api.get(url)
    assert response.status_code == 200
    if path.suffix != ".html":
        assert response.data == path.read_bytes()
    assert response.headers["Cache-Control"] == "no-cache"
    expected = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    assert response.mimetype == expected.get(path.suffix, response.mimetype)
    again = api.get(url, {"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304
    assert again.data == b""


def test_loaded_files_are_kept(api: Api, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    web = shutil.copytree(pages.WEB, tmp_path / "web")
    monkeypatch.setattr(pages, "WEB", web)

    def loaded(page: str, base: str) -> set[str]:
        links = re.findall(r'(?:src|href)="([^"]+\.(?:js|css|svg))"', api.get(page).text)
        assert links
        return {urljoin(base, link) for link in links}

    def kept(url: str) -> str:
        return api.get(url).headers["Cache-Control"]

    files = loaded("/", "/") | loaded("/static/explorer.html", "/static/")
    assert {kept(url) for url in files} == {"public, max-age=31536000, immutable"}
    assert len({url.rpartition("/")[0] for url in files}) == 1
    (web / "words.js").write_text("export {};\n", encoding="utf-8")
    changed = loaded("/", "/")
    assert files.isdisjoint(changed)
    assert {kept(url) for url in files} == {"no-cache"}, "the files have changed"
    assert {kept(url) for url in changed} == {"public, max-age=31536000, immutable"}
    old = next(iter(files)).rpartition("/")[0]
    assert api.get(f"{old}/explorer.html").status_code == 404
    assert api.get(f"{old}/v-0/words.js").status_code == 404


@pytest.mark.parametrize(
    "name",
    [
        *("../cli.py", "%2e%2e/errors.py", "..\\errors.py", "__init__.py", "."),
        *("/etc/passwd", "a%00.js", "x" * 3000 + ".js"),
    ],
)
def test_nothing_else_is_served(api: Api, name: str) -> None:
    for prefix in ("/static/", "/docs/"):
        assert api.send("GET", prefix + name).status_code == 404


def test_the_docs_load_nothing_from_elsewhere_and_ask_no_validator(api: Api) -> None:
    page = api.get("/docs")
    assert page.status_code == 200
    links = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert links
    for link in links:
        assert not re.match(r"[a-z]+:|//", link)
        assert api.get(f"/{link.removeprefix('./')}").status_code == 200
    assert "<script>" not in page.text
    start = api.get("/docs/start.js").text
    assert "validatorUrl: null" in start
    assert 'url: "openapi.yaml"' in start
    policy = page.headers["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "http" not in policy


def test_addresses_that_browsers_try_lead_to_what_they_want(api: Api) -> None:
    docs = api.get("/docs/")
    assert (docs.status_code, docs.headers["Location"]) == (308, "../docs")
    icon = api.get("/favicon.ico")
    assert (icon.status_code, icon.mimetype) == (200, "image/svg+xml")
    assert icon.data == api.get("/static/favicon.svg").data


def test_it_is_not_ready_before_its_tables_are(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "ready", lambda: False)
    response = api.get("/readyz")
    assert response.status_code == 503
    assert (document(response)["status"], document(response)["tables"]) == ("starting", False)
    assert api.get("/healthz").status_code == 200


def test_probes_answer(api: Api) -> None:
    assert api.get("/healthz").json == {"status": "ok"}
    ready = api.get("/readyz")
    assert ready.status_code == 200
    assert document(ready)["status"] == "ready"
    assert document(ready)["tables"] is True
    assert isinstance(document(ready)["compiled"], bool)
    for path in ("/healthz", "/readyz", "/metrics"):
        assert api.get(path, {"Accept": "application/xml"}).status_code == 200
        assert api.get(path).headers["Cache-Control"] == "no-store"
