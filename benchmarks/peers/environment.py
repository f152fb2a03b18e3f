"""Makes the environment for other programs' packages if it is missing, and runs the Python in it.

    python -m benchmarks.peers.environment                            make it
    python -m benchmarks.peers.environment -m pytest tests/bots       make it, and run its Python

The environment is benchmarks/peers/.venv. It contains this checkout and the packages in
requirements.txt. It uses the checkout's compiled engine, so it must have the same Python. It takes
1.4 GB, and one or two minutes to download.
"""

import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
FOLDER: Final = HERE / ".venv"
REQUIREMENTS: Final = HERE / "requirements.txt"

_DONE: Final = FOLDER / "done"
"""A copy of the requirements, written once all of them are installed."""


def python() -> Path:
    """Return the environment's Python; make the environment if it is missing.

    Raises:
        subprocess.CalledProcessError: a package could not be installed; pip has printed the reason.
    """
    interpreter = FOLDER / "bin" / "python"
    wanted = REQUIREMENTS.read_text(encoding="utf-8")
    if not _DONE.exists() or _DONE.read_text(encoding="utf-8") != wanted:
        print(f"making {FOLDER.relative_to(ROOT)} …", file=sys.stderr, flush=True)
        venv.create(FOLDER, with_pip=True)
        install = [str(interpreter), "-m", "pip", "install", "--quiet"]
        subprocess.run(
            [
                *install,
                "--requirement",
                str(REQUIREMENTS),
                "--editable",
                f"{ROOT}[server,mcp,label]",
            ],
            check=True,
        )
        _DONE.write_text(wanted, encoding="utf-8")
    return interpreter


def main(arguments: list[str]) -> int:
    interpreter = python()
    if not arguments:
        return 0
    return subprocess.run([str(interpreter), *arguments], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
