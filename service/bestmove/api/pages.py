"""Serves openapi.yaml, Swagger UI, the page on which people play, and the files of these pages."""

from __future__ import annotations

import hashlib
import re
from functools import cache, lru_cache, partial
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Final, Literal

from flask import Flask, Response, abort, request
from werkzeug.security import safe_join

from bestmove.api.caching import known_tag
from bestmove.api.record import record
from bestmove.api.responses import NO_STORE, compress_file, packed_file, to_json
from bestmove.api.settings import Settings
from bestmove.api.views.games import named_games

PACKAGE: Final = Path(__file__).parents[1]
_READING: Final = Lock()
DOCUMENT: Final = PACKAGE / "openapi.yaml"
WEB: Final = PACKAGE / "web"
_HTML: Final = Path(__file__).parent / "html"

_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""Media types by suffix. Slim container images have no mime.types."""

HTML: Final = "text/html"

WEB_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""The Content-Security-Policy of our pages. They load files only from the service, and run no
inline scripts.
"""

DOCS_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""The Content-Security-Policy of Swagger UI, which adds style elements to its page at run time."""

_FIXED: Final = "v-"
"""Pages load their files from a folder whose name is this prefix and a hash of all files."""

_LOADED: Final = re.compile(rb'((?:src|href)="(?:static/)?)([\w-]+\.(?:js|css|svg)")')
"""Matches the address of a file in a page's source."""

_SERVICE_WORKER: Final = "offline.js"
"""The service worker. A header lets it control the page, which is one folder higher."""

_DATA: Final = b'type="application/json">'
"""A page's JSON data follows this text."""

_FOR_EVER: Final = "public, max-age=31536000, immutable"
_AT_EACH_USE: Final = "no-cache"

_SWAGGER_FILES: Final = frozenset({"swagger-ui.css", "swagger-ui-bundle.js"})


def register(app: Flask, settings: Settings) -> None:
    """Add the pages and files, and compress the files in advance."""

    def document(form: Literal["json", "yaml"], content_type: str) -> Response:
        with _READING:  # of several requests at the same time, only one reads the file
            content = _document(form, settings)
        return _revalidated(content, content_type)

    games = f"{to_json(named_games(settings))}\n".encode()
    app.add_url_rule("/", "index", partial(_index, games))
    app.add_url_rule("/static/<path:name>", view_func=static_file)
    app.add_url_rule("/docs", view_func=docs)
    app.add_url_rule("/docs/<path:name>", view_func=docs_file)
    app.add_url_rule("/docs/", view_func=docs_directory)
    app.add_url_rule("/favicon.ico", view_func=favicon)
    app.add_url_rule("/openapi.yaml", "yaml", partial(document, "yaml", "application/yaml"))
    app.add_url_rule("/openapi.json", "json", partial(document, "json", "application/json"))
    for path in WEB.rglob("*"):
        if path.suffix in _TYPES:
            packed_file(path.read_bytes())


def _index(games: bytes) -> Response:
    """Return the page on which people play. If the page is not installed, redirect to `/docs`.

    The page contains `games`, the answer of `GET /games`, so it need not send that request.
    """
    page = WEB / "index.html"
    if not page.is_file():
        return Response(status=302, headers={"Location": "docs", "Cache-Control": "no-store"})
    return _page(page, games)


def static_file(name: str) -> Response:
    """Return a file of the pages.

    If the folder's name has the current hash of all files, browsers may cache the file forever.
    """
    folder, _, rest = name.partition("/")
    fixed = folder.startswith(_FIXED)
    if fixed:
        name = rest
    joined = safe_join(str(WEB), name)
    if joined != f"{WEB}/{name}":  # for example `base.css/`
        abort(404)
    path = Path(joined)
    if path.suffix not in _TYPES or not _is_file(path) or (fixed and path.suffix == ".html"):
        abort(404)
    if path.suffix == ".html":
        return _page(path)
    response = _file(path, WEB_POLICY)
    if name == _SERVICE_WORKER:
        response.headers["Service-Worker-Allowed"] = "../"
    if fixed and folder == _fixed_folder():
        response.headers["Cache-Control"] = _FOR_EVER
    return response


def docs() -> Response:
    """Return Swagger UI, which shows openapi.yaml."""
    return _file(_HTML / "docs.html", DOCS_POLICY)


def docs_directory() -> Response:
    """Redirect `/docs/` to `/docs`: under `/docs/`, the page's relative links would be wrong."""
    return Response(status=308, headers={"Location": "../docs", "Cache-Control": "no-cache"})


def favicon() -> Response:
    """Return the icon at the address where browsers look for it."""
    return _file(WEB / "favicon.svg")


def docs_file(name: str) -> Response:
    if name == "start.js":
        return _file(_HTML / name)
    if name not in _SWAGGER_FILES:
        abort(404)
    return _file(_swagger_directory() / name)


def not_found(meant: str | None) -> Response:
    """Return the page for an unknown address. The page links to `meant`, the most similar path."""
    root = "../" * (request.path.count("/") - 1) or "./"
    hint = (
        "" if meant is None else f'<p>Did you mean <a href="{root}{meant[1:]}">{meant}</a>?</p>\n'
    )
    page = _not_found_template().format(root=root, hint=hint)
    response = Response(page, 404, [NO_STORE], content_type=_TYPES[".html"])
    return _with_policy(response, WEB_POLICY)


@cache
def _not_found_template() -> str:
    return (_HTML / "not-found.html").read_text(encoding="utf-8")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the name is too long for the file system
        return False


@cache
def _document(form: Literal["json", "yaml"], settings: Settings) -> bytes:
    """Return openapi.yaml with this server's time limits."""
    text = DOCUMENT.read_text(encoding="utf-8")
    for schema, most in (
        ("TimeMs", settings.max_time_ms),
        ("StreamTimeMs", settings.stream_time_ms),
    ):
        pattern = rf"(?ms)(^    {schema}:$.+?^      maximum: )\d+$"
        text, found = re.subn(pattern, rf"\g<1>{most}", text, count=1)
        assert found, f"openapi.yaml has no maximum of {schema}"
    if form == "yaml":
        return text.encode()

    import yaml  # slow to import and rarely needed

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return f"{to_json(yaml.load(text, loader))}\n".encode()


@cache
def _swagger_directory() -> Path:
    return Path(str(files("flask_swagger_ui").joinpath("dist")))


def _page(path: Path, data: bytes = b"") -> Response:
    """Return a page that contains `data`, and loads its files from `_fixed_folder`."""
    content, _ = _content(path, *_change(path))
    folder = f"{_fixed_folder()}/".encode()
    content = _LOADED.sub(rb"\1" + folder + rb"\2", content).replace(_DATA, _DATA + data)
    return _revalidated(content, _TYPES[".html"], WEB_POLICY)


def _fixed_folder() -> str:
    files = sorted(path for path in WEB.iterdir() if path.suffix in _TYPES)
    return _folder_of(tuple((path, *_change(path)) for path in files))


@lru_cache(maxsize=1)
def _folder_of(files: tuple[tuple[Path, int, int], ...]) -> str:
    tags = "".join(_content(*file)[1] for file in files)
    return _FIXED + hashlib.blake2b(tags.encode(), digest_size=8).hexdigest()


def _change(path: Path) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


def _file(path: Path, policy: str | None = None, content_type: str | None = None) -> Response:
    content, tag = _content(path, *_change(path))
    return _revalidated(content, content_type or _TYPES[path.suffix], policy, tag)


@lru_cache(maxsize=128)
def _content(path: Path, _modified: int, _size: int) -> tuple[bytes, str]:
    content = path.read_bytes()
    return content, _tag(content)


def _tag(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _revalidated(
    content: bytes, content_type: str, policy: str | None = None, tag: str | None = None
) -> Response:
    """Return a file that browsers cache and revalidate at each use."""
    response = Response(content, content_type=content_type)
    response.headers["Cache-Control"] = _AT_EACH_USE
    tag = tag or _tag(content)
    response.set_etag(tag)
    compress_file(response, content)
    if policy is not None:
        _with_policy(response, policy)
    if known := known_tag(request, tag):
        response.set_etag(known)
    response.make_conditional(request)
    return response


def _with_policy(response: Response, policy: str) -> Response:
    response.headers["Content-Security-Policy"] = policy
    record().is_page = True
    return response
