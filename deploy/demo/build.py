"""Builds the demonstration: the service's pages and code, all of which run in the browser.

`python deploy/demo/build.py FOLDER` writes a folder that any web server can serve. `make docs` adds
this folder to the documents' site. The program needs Pyodide (`npm ci --prefix deploy/demo`
installs it), and the service's packages in its own environment.
"""

from __future__ import annotations

import shutil
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

HERE = Path(__file__).parent
PYODIDE = HERE / "node_modules" / "pyodide"
PYTHON_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "pyodide-lock.json",
    "python_stdlib.zip",
)
OWN_FILES = ("demo.js", "demo.css", "worker.js", "answers.py")

PACKAGES = (
    "bestmove",
    "blinker",
    "click",
    "flask",
    "itsdangerous",
    "jinja2",
    "markupsafe",
    "marshmallow",
    "prometheus_client",
    "werkzeug",
    "yaml",
)
"""The packages that the service imports. All of them work without their C extensions."""

READ_BY_PYTHON = {".py", ".pxd", ".bin", ".json"}
NOT_CALLED = {"bots", "cli", "client", "label", "server", "web", "__pycache__"}
"""Folders of Best Move that no request needs."""

SCRIPT = '<script type="module" src="{}"></script>'


def build(folder: Path) -> None:
    """Empty `folder`, and write the demonstration into it.

    Raises:
        FileNotFoundError: Pyodide is not installed.
    """
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "python").mkdir(parents=True)
    for name in PYTHON_FILES:
        shutil.copy(PYODIDE / name, folder / "python")
    for name in OWN_FILES:
        shutil.copy(HERE / name, folder)
    web = root("bestmove") / "web"
    shutil.copytree(web, folder / "static", ignore=shutil.ignore_patterns("*.html"))
    page(web / "index.html", folder / "index.html", "static/play.js", up="")
    page(web / "explorer.html", folder / "static" / "explorer.html", "explorer.js", up="../")
    pack(folder / "python" / "bestmove.zip")


def page(source: Path, target: Path, module: str, up: str) -> None:
    text = source.read_text(encoding="utf-8")
    for old, new in (
        (SCRIPT.format(module), SCRIPT.format(f"{up}demo.js")),
        ("</title>", f'</title>\n    <link rel="stylesheet" href="{up}demo.css">'),
        (f'href="{up}docs"', f'href="{up}../http/"'),
    ):
        if old not in text:
            raise ValueError(f"{source.name} has no {old}")
        text = text.replace(old, new)
    target.write_text(text, encoding="utf-8")


def pack(target: Path) -> None:
    with ZipFile(target, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for package in PACKAGES:
            for path in sorted(root(package).rglob("*")):
                name = path.relative_to(root(package).parent)
                skipped = package == "bestmove" and not NOT_CALLED.isdisjoint(name.parts)
                if path.suffix in READ_BY_PYTHON and not skipped:
                    archive.write(path, name)
        metadata = f"Metadata-Version: 2.1\nName: bestmove\nVersion: {version('bestmove')}\n"
        archive.writestr(f"bestmove-{version('bestmove')}.dist-info/METADATA", metadata)


def root(package: str) -> Path:
    found = find_spec(package)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


if __name__ == "__main__":
    build(Path(sys.argv[1]))
