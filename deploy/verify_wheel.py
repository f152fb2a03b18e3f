"""Checks an installed wheel: the engine is compiled, and the library, command and service answer.

Run it outside the checkout, with the interpreter for which the wheel is installed:

    python -I verify_wheel.py            checks everything; needs bestmove[server]
    python -I verify_wheel.py library    checks everything except the service

If a check fails, the program prints one line and exits with 1. It opens no socket.
"""

import importlib
import importlib.util
import subprocess
import sys
import time
from pathlib import Path


def require(condition: bool, problem: str) -> None:
    """Exit with the problem in one line unless the condition is true."""
    if not condition:
        sys.exit(f"verify_wheel: {problem}")


INSTRUCTIONS = ("bits", "layer")
"""Modules that are not compiled: their .pxd files only declare processor instructions."""


def engine_modules() -> list[str]:
    """Return the names of the modules that must be compiled: those with a .pxd file."""
    spec = importlib.util.find_spec("bestmove")
    require(spec is not None and spec.origin is not None, "bestmove is not installed")
    package = Path(spec.origin).parent
    return sorted(
        ".".join(path.relative_to(package.parent).with_suffix("").parts)
        for path in package.rglob("*.py")
        if path.with_suffix(".pxd").exists() and path.stem not in INSTRUCTIONS
    )


def engine_is_compiled() -> None:
    """Check that every module of the engine is loaded from a binary in site-packages."""
    names = engine_modules()
    require(bool(names), "no module of the engine is installed")
    for name in names:
        path = importlib.import_module(name).__file__ or ""
        require(path.endswith((".so", ".pyd")), f"{name} is not compiled: it is {path}")
        require("site-packages" in path, f"{name} is not the installed one: it is {path}")


def library_answers() -> None:
    """Check what `pip install bestmove` provides: the library, the command and the client."""
    from bestmove import Board, best_move
    from bestmove.client import Client

    four = best_move(Board.parse("....../....../....../....../OOO.../XXX...", k=4, gravity=True))
    require(four.move == 33, f"four in a row answered {four.move}")
    Client("http://127.0.0.1:9").close()
    command = [sys.executable, "-m", "bestmove", "suggest", "XX..O...."]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    require("O plays c3" in done.stdout, f"the command answered {done.stdout}{done.stderr}")


def service_answers() -> None:
    """Check that the application answers on small and large boards, and that it has its files."""
    from bestmove.api.app import create_app

    client = create_app().test_client()

    three = client.post("/best-move", json={"board": "XX..O...."})
    require(three.status_code == 200, f"3×3 answered {three.status_code}")
    require(three.get_json()["move"]["index"] == 2, f"3×3 answered with {three.text}")

    row = "." * 15
    board = "/".join([row] * 7 + ["......XXXX....."] + ["......OOOO....."] + [row] * 6)
    large = client.post("/best-move", json={"board": board, "time_ms": 1000})
    require(large.status_code == 200, f"15×15 answered {large.status_code}")
    require(large.get_json()["outcome"] == "win", f"15×15 answered with {large.text}")

    for path in ("/healthz", "/readyz", "/openapi.yaml", "/docs", "/"):
        answer = client.get(path, follow_redirects=True)
        require(answer.status_code == 200, f"{path} answered {answer.status_code}")
        answer.close()


def main() -> None:
    started = time.perf_counter()
    engine_is_compiled()
    library_answers()
    if sys.argv[1:] != ["library"]:
        service_answers()
    print(f"verify_wheel: fine, in {time.perf_counter() - started:.1f} s")


if __name__ == "__main__":
    main()
