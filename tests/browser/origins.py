"""A web server on another origin than the service."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

EMPTY = '<!doctype html><html lang="en"><title>A game</title><link rel="icon" href="data:,"></html>'


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def other_origin(folder: Path, page: str | None = None) -> Iterator[str]:
    """Serve a folder as its own site, with `page` as its first page. Yield the site's origin."""
    if page is not None:
        (folder / "index.html").write_text(page, encoding="utf-8")
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()
