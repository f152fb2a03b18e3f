"""Applies each fault to a copy of the checkout and runs tests there until one fails."""

import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = "service/bestmove/"

OWN: Final = {
    "game": ("tests/game",),
    "search": ("tests/search",),
    "proof": ("tests/proof",),
    "label": ("tests/label",),
    "api": ("tests/api", "tests/contract"),
    "server": ("tests/server",),
    "client": ("tests/client",),
    "bots": ("tests/bots",),
    "cli": ("tests/cli",),
    "web": (
        *("tests/web", "tests/browser", "tests/client/test_javascript.py"),
        "tests/api/test_pages.py",
    ),
    "": ("tests/test_grid.py",),
}
"""The tests of each room. A room is a folder of the package; the room of the modules at the top has
an empty name."""

NEAR: Final = {
    "search": ("tests/api", "tests/cli", "tests/bots", "tests/client", "tests"),
    "game": ("tests/search", "tests/api", "tests"),
    "proof": ("tests/cli", "tests/api", "tests/client", "tests/*"),
    "label": ("tests/cli", "tests/*"),
    "server": ("tests/api", "tests/deploy", "tests/load", "tests/cli", "tests/client", "tests/*"),
    "api": ("tests/server", "tests/client", "tests/cli", "tests/deploy", "tests/load", "tests/*"),
    "client": ("tests/bots", "tests/cli", "tests/*"),
    "bots": ("tests/cli", "tests/client", "tests/*"),
    "cli": ("tests/bots", "tests/deploy", "tests/*"),
    "web": ("tests/contract", "tests/*"),
    "": ("tests",),
}
"""Other tests that can notice a fault in a room, the likeliest first. The rest do not run it."""

PYTEST: Final = (
    *(sys.executable, "-m", "pytest", "-x", "-q", "--tb=no"),
    # The plugins that pytest loads by itself take longer to start than the tests of many files.
    *("-p", "pytest_timeout", "-p", "no:cacheprovider"),
)

FAILED: Final = re.compile(r"^(?:FAILED|ERROR) ([^\s\[]+(?:\[.*?\](?= - |$))?)", re.MULTILINE)

AGE_S: Final = 60
"""How much older than now the copied files are made."""

NO_TESTS: Final = 5
"""The exit code of pytest if it has found no tests to run."""


@dataclass(frozen=True)
class Fault:
    """A unified diff and its name."""

    name: str
    diff: str

    @property
    def files(self) -> list[str]:
        """The files that the fault changes."""
        return re.findall(r"^\+\+\+ b/(\S+)", self.diff, re.MULTILINE)

    @property
    def room(self) -> str:
        """The room of the first file; empty for the modules at the top of the package."""
        room, slash, _ = self.files[0].removeprefix(PACKAGE).partition("/")
        return room if slash else ""


@dataclass(frozen=True)
class Stage:
    """Tests that run together: the quick or slow ones in some paths."""

    name: str
    paths: tuple[str, ...]
    marks: str


def compiled_sources() -> set[str]:
    """The paths, relative to the checkout, of the modules that run compiled instead of as `.py`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    modules = project["tool"]["setuptools"]["ext-modules"]
    return {source for module in modules for source in module["sources"]}


def stages(room: str, whole: bool) -> list[Stage]:
    """The stages for a fault in a room, in the order in which they run until a test fails.

    Most tests of the page are slow, so they always run.
    """
    found = [
        Stage("room", OWN[room], "not slow"),
        Stage("quick", NEAR[room], "not slow"),
        Stage("slow", OWN[room], "slow"),
        Stage("slow", NEAR[room], "slow"),
    ]
    return found if whole else found[: 3 if room == "web" else 2]


class Results(dict[str, str | None]):
    """Which test noticed each fault in each stage. A file stores this, to resume a stopped run."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        self._path = path
        for line in path.read_text(encoding="utf-8").splitlines():
            self.update(json.loads(line))

    def keep(self, key: str, test: str | None) -> None:
        """Remember a result, and append it to the file."""
        self[key] = test
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({key: test}) + "\n")


class Copy:
    """A copy of the checkout's files, including compiled modules, without its environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        built = [str(path.relative_to(ROOT)) for path in (ROOT / PACKAGE).rglob("*.so")]
        # Python takes cached bytecode for a source of the same size and second of change, so no
        # fault may be applied within the second that the copies carry.
        aged = time.time() - AGE_S
        for name in [*listed.stdout.splitlines(), *built]:
            source, target = ROOT / name, folder / name
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)
                os.utime(target, (aged, aged), follow_symlinks=False)
        tools = "tests/contract/node_modules"
        if (ROOT / tools).exists():
            (folder / tools).symlink_to(ROOT / tools)
        self.environment = os.environ | {
            "PYTHONPATH": str(folder / "service"),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        self.git("init", "-q")
        (folder / ".git" / "info" / "exclude").write_text("node_modules\n")
        self.git("add", "-A")
        self.git("-c", "user.name=-", "-c", "user.email=-", "commit", "-qm", "As it is")
        self.state = self.git("rev-parse", "HEAD^{tree}").strip()
        found = self._run([sys.executable, "-c", "import bestmove; print(bestmove.__file__)"], 60)
        if found.strip() != str(folder / PACKAGE / "__init__.py"):
            raise SystemExit(f"the copy imports {found}")
        # Bytecode is cached now and never again: a fault's would carry a second that others share.
        with contextlib.suppress(subprocess.CalledProcessError):  # broken tests are reported later
            self._run([*PYTEST, "--maxfail=0", "--collect-only", "tests"], 600)
        self.environment["PYTHONDONTWRITEBYTECODE"] = "1"

    def git(self, *command: str, text: str | None = None) -> str:
        """Run git in the copy.

        Raises:
            subprocess.CalledProcessError: it fails.
        """
        return subprocess.run(
            ["git", *command],
            cwd=self.folder,
            input=text,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    @contextlib.contextmanager
    def changed(self, fault: Fault) -> Iterator[None]:
        """Apply the fault to the copy for the duration of a `with` block."""
        self.git("apply", "--recount", text=fault.diff)
        try:
            yield
        finally:
            self.git("checkout", "-q", "--", ".")
            self.git("clean", "-fdq")

    def first_failure(self, tests: list[str], marks: str, seconds: float) -> str | None:
        """The first test that fails; how the run ended, if it named none; `None` if all pass."""
        try:
            plugin = ["-p", "schemathesis"] if "schemathesis" in " ".join(tests) else []
            self._run([*PYTEST, *plugin, "-m", marks, *tests], seconds)
        except subprocess.TimeoutExpired:
            return f"not done in {seconds:.0f} s"
        except subprocess.CalledProcessError as error:
            if error.returncode == NO_TESTS:
                return None
            failed = FAILED.search(error.output)
            return failed[1] if failed else f"exit code {error.returncode}"
        return None

    def _run(self, command: list[str], seconds: float) -> str:
        """What the command prints. After `seconds`, it and all that it has started are killed."""
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                output, _ = process.communicate(timeout=seconds)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command, output)
        return output


Outcome = tuple[str, str | None]
"""The stage whose test noticed a fault, and that test; `("none", None)` if no test did."""


def notice(faults: list[Fault], whole: bool, seconds: float, cache: Path) -> dict[Fault, Outcome]:
    """Test each fault; a stage may take `seconds`.

    Raises:
        SystemExit: a fault does not apply, or is in a compiled module, whose source does not run.
    """
    compiled = compiled_sources()
    for fault in faults:
        if hidden := compiled.intersection(fault.files):
            raise SystemExit(f"{fault.name} changes {hidden}, which is compiled")
    outcomes: dict[Fault, Outcome] = dict.fromkeys(faults, ("none", None))
    with tempfile.TemporaryDirectory(prefix="bestmove-mutants-") as folder:
        copy = Copy(Path(folder))
        results, trusted = Results(cache / f"{copy.state}.jsonl"), Trusted()
        # All faults go through the first stage first: it takes the least time and notices the most.
        for number in range(len(stages("", whole=True))):
            left = [
                (fault, run[number])
                for fault, outcome in outcomes.items()
                if outcome[1] is None and number < len(run := stages(fault.room, whole))
            ]
            for count, (fault, stage) in enumerate(left, 1):
                if found := _test(copy, fault, stage, results, trusted, seconds):
                    outcomes[fault] = stage.name, found
                print(f"{stage.name} {count}/{len(left)} {fault.name}: {found}", flush=True)
    return outcomes


class Trusted:
    """Finds out which tests pass on the unchanged code; the others are left out."""

    def __init__(self) -> None:
        self._passing: set[str] = set()
        self.broken: set[str] = set()

    def __call__(self, copy: Copy, test: str, seconds: float) -> bool:
        """Whether the test passes in this copy, which must be unchanged."""
        if "::" not in test and not test.endswith(".py"):
            return True  # not a test, but a text that says how the run ended
        if test not in self._passing | self.broken:
            passes = copy.first_failure([test], "slow or not slow", seconds) is None
            (self._passing if passes else self.broken).add(test)
            if not passes:
                print(f"fails without any fault, and is left out: {test}", flush=True)
        return test in self._passing


def _test(
    copy: Copy, fault: Fault, stage: Stage, results: Results, trusted: Trusted, seconds: float
) -> str | None:
    key = hashlib.sha256(f"{fault.diff}{stage}".encode()).hexdigest()[:24]
    if key not in results:
        while True:
            tests = _arguments(copy.folder, fault, stage, trusted.broken)
            with copy.changed(fault):
                failed = copy.first_failure(tests, stage.marks, seconds)
            if failed is None or trusted(copy, failed, seconds):
                break
        results.keep(key, failed)
    return results[key]


def _arguments(folder: Path, fault: Fault, stage: Stage, broken: set[str]) -> list[str]:
    """Arguments of pytest for a stage: its test files, first those named after a changed file, and
    the tests to leave out."""
    own = _files(folder, OWN[fault.room])
    files = _files(folder, stage.paths)
    if stage.paths != OWN[fault.room]:
        files = [path for path in files if path not in own]
    names = {f"test_{Path(file).stem.replace('-', '_')}" for file in fault.files}
    files.sort(key=lambda path: path.stem not in names)
    chosen = [str(path.relative_to(folder)) for path in files]
    return [
        *(path for path in chosen if path not in broken),
        *(f"--deselect={test}" for test in sorted(broken) if "::" in test),
    ]


def _files(folder: Path, paths: tuple[str, ...]) -> list[Path]:
    """The test files at these paths, each once, in order; `/*` is a folder without subfolders."""
    found: list[Path] = []
    for path in paths:
        if path.endswith("/*"):
            found += sorted(folder.glob(f"{path}.py"))
        else:
            found += [folder / path, *sorted((folder / path).rglob("*.py"))]
    return list(dict.fromkeys(path for path in found if path.match("test_*.py")))
