"""The Docker image, without Docker. Its build steps run in a folder. Its command runs in a
container that this machine's own tools make."""

import fnmatch
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bestmove.api.settings import EVERYWHERE
from tests.deploy.manifests import ROOT, dockerfile_environment, dockerfile_exec
from tests.support.builds import compile_quickly
from tests.support.connection import Connection
from tests.support.container import Confined, confined
from tests.support.crowd import Crowd
from tests.support.needs import CONTAINERS, LONG, require
from tests.support.programs import run
from tests.support.questions import Mix
from tests.support.replicas import children

DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
BUILDER, _, FINAL = DOCKERFILE.rpartition("\nFROM ")

pytestmark = LONG


def matches(path: Path, pattern: str) -> bool:
    anywhere = pattern.removeprefix("**/")
    return fnmatch.fnmatch(path.name if anywhere != pattern else str(path), anywhere)


def context(folder: Path) -> Path:
    """Copy into `folder` the files that .dockerignore lets the build see."""
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    assert patterns[0] == "*", "the file must exclude everything first"
    allowed = [line[1:] for line in patterns if line.startswith("!")]
    refused = [line for line in patterns[1:] if not line.startswith("!")]

    def ignored(parent: str, names: list[str]) -> set[str]:
        below = Path(parent).relative_to(ROOT)
        return {name for name in names for pattern in refused if matches(below / name, pattern)}

    for name in allowed:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=ignored)
        else:
            shutil.copy(source, target)
    return folder


def build_steps() -> list[str]:
    """Return the commands of the builder's RUN instructions, except the first (apt-get)."""
    joined = re.sub(r"\\\n\s*", "", BUILDER)
    steps = re.findall(r"(?m)^RUN (.*)$", joined)
    assert steps[0].startswith("apt-get update")
    return steps[1:]


@dataclass(frozen=True)
class Image:
    """What the build made: `opt` (the image's /opt/bestmove), the wheel, and each step's output."""

    opt: Path
    wheel: Path
    outputs: list[str]

    @property
    def installed(self) -> Path:
        (found,) = self.opt.glob("lib/python*/site-packages")
        return found

    def inside(self, arguments: list[str]) -> list[str]:
        return [str(self.opt / "bin" / arguments[0]), *arguments[1:]]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    require("cc", "gcc python3-dev")
    folder = tmp_path_factory.mktemp("image", numbered=False)
    for parent in (folder, *folder.parents[:3]):
        parent.chmod(0o755)  # another user runs the program
    base, opt, build = folder / "base", folder / "opt", folder / "build"
    context(build)
    compile_quickly(build / "pyproject.toml")
    # Like the base image, this environment has only Python and pip.
    subprocess.run([sys.executable, "-m", "venv", str(base)], check=True)
    environment = {
        "PATH": f"{base}/bin:/usr/bin:/bin",
        "HOME": str(folder),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_ROOT_USER_ACTION": "ignore",
        **dict(re.findall(r"(?m)^ARG (\w+)=(.*)$", BUILDER)),
        **{name: value for name, value in os.environ.items() if name.startswith("PIP_")},
    }
    outputs = []
    for step in build_steps():
        here = step.replace("/opt/bestmove", str(opt)).replace("/wheel", str(folder / "wheel"))
        here = here.replace("/build/", f"{build}/")
        folder_of_it = "/" if "verify_wheel" in step else build
        outputs.append(run("/bin/sh", "-euc", here, cwd=folder_of_it, env=environment).stdout)
    (wheel,) = (folder / "wheel").glob("*.whl")
    yield Image(opt, wheel, outputs)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def running(image: Image, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Confined]:
    given = dockerfile_environment()
    given["PATH"] = f"{image.opt}/bin:/usr/bin:/bin"
    given["BESTMOVE_MEMORY_MB"] = "96"  # the worker and the master each need 64 MiB more
    log = tmp_path_factory.mktemp("container") / "log"
    shown = [image.opt, image.opt.parent / "base"]
    with confined(image.inside(dockerfile_exec("CMD")), given, shown, log) as service:
        yield service


def test_hadolint_finds_nothing() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    run(hadolint, "--failure-threshold", "style", "Dockerfile", cwd=ROOT)


def test_the_build_context_is_the_package_and_nothing_else(tmp_path: Path) -> None:
    seen = {str(path.relative_to(tmp_path)) for path in context(tmp_path).rglob("*")}
    assert {"pyproject.toml", "service/bestmove/api/app.py", "deploy/requirements.lock"} <= seen
    tops = {name.partition("/")[0] for name in seen}
    assert tops == {"LICENSE", "README.md", "deploy", "pyproject.toml", "service"}
    assert not [name for name in seen if name.endswith((".so", ".pyc", ".c")) or ".git" in name]


def test_the_final_image_takes_one_folder_from_the_builder_and_installs_nothing() -> None:
    assert re.findall(r"(?m)^(COPY|ADD) (.*)$", FINAL) == [
        ("COPY", "--from=builder /opt/bestmove /opt/bestmove")
    ]
    assert not re.findall(r"(?m)^RUN ", FINAL)
    assert re.findall(r"(?m)^USER (.*)$", FINAL) == ["10001:10001"]


def test_every_download_is_checked_against_the_locked_hashes() -> None:
    installs = [part for step in build_steps() for part in step.split("&&") if "pip" in part]
    for part in installs:
        if " install " in part or " wheel " in part:
            assert "--require-hashes" in part or "--no-index" in part, part


def test_the_service_listens_on_the_port_that_the_image_exposes() -> None:
    given = dockerfile_environment()
    assert given["BESTMOVE_HOST"] == EVERYWHERE
    assert re.findall(r"(?m)^EXPOSE (\d+)$", FINAL) == [given["PORT"]]


@pytest.mark.slow
def test_the_build_steps_make_a_compiled_wheel_that_answers(image: Image) -> None:
    assert "verify_wheel: fine" in image.outputs[-1]
    assert not image.wheel.name.endswith("-any.whl"), "the wheel is not compiled"


@pytest.mark.slow
def test_an_uncompiled_wheel_stops_the_build(image: Image, tmp_path: Path) -> None:
    copy = tmp_path / "site-packages"
    shutil.copytree(image.installed, copy)
    for binary in copy.rglob("bestmove/search/**/*.so"):
        binary.unlink()
    check = str(ROOT / "deploy" / "verify_wheel.py")
    code = f"import runpy, sys; sys.path.insert(0, {str(copy)!r}); runpy.run_path({check!r}, "
    code += "run_name='__main__')"
    failed = run(sys.executable, "-c", code, cwd="/", env={"PATH": "/usr/bin:/bin"}, status=1)
    assert "is not compiled" in failed.stderr


@pytest.mark.slow
def test_the_image_has_neither_a_c_compiler_nor_an_installer(image: Image) -> None:
    programs = {path.name for path in (image.opt / "bin").iterdir()}
    packages = {path.name.lower() for path in image.installed.iterdir()}
    assert "gunicorn" in programs & packages
    assert not {"pip", "pip3", "gcc", "cc", "setuptools", "cython"} & (programs | packages)


@CONTAINERS
@pytest.mark.slow
def test_it_serves_from_a_read_only_root_as_an_unknown_user_with_no_home(running: Confined) -> None:
    status = running.status()
    assert status["Uid"].split() == [str(running.user)] * 4
    assert status["Gid"].split() == [str(running.user)] * 4
    assert set(status["CapEff"]) == set(status["CapBnd"]) == {"0"}
    assert status["NoNewPrivs"] == "1"
    assert b"\0HOME=" not in b"\0" + Path(f"/proc/{running.pid}/environ").read_bytes()
    mounts = [line.split() for line in Path(f"/proc/{running.pid}/mounts").read_text().splitlines()]
    writable = [target for _, target, _, how, *_ in mounts if "rw" in how.split(",")]
    assert [path for path in writable if not path.startswith(("/proc", "/sys", "/dev"))] == []
    with Connection(running.port) as connection:
        ready = connection.get("/readyz").json()
        assert ready["compiled"] is True
        answer = connection.post("/best-move", {"board": "XX..O...."})
        assert answer.json()["move"]["index"] == 2
        assert b"bestmove_http_requests_total" in connection.get("/metrics").body


@CONTAINERS
@pytest.mark.slow
def test_one_processor_and_256_mib_are_enough_under_load(running: Confined) -> None:
    mix = Mix(seed=1, time_ms=100)
    tally = Crowd(running.port, mix, size=6, count=200, check=mix.check).start().wait()
    assert (tally.failures, tally.problems) == ([], [])
    assert {200} <= set(tally.statuses) <= {200, 503}
    assert len(children(running.pid)) == 1, "there is one processor, so one worker"
    assert running.memory() < 256 * 2**20


@CONTAINERS
@pytest.mark.slow
def test_the_health_check_fails_for_a_dead_service(image: Image, running: Confined) -> None:
    def status(port: int) -> int:
        check = image.inside(dockerfile_exec("HEALTHCHECK"))
        environment = {"BESTMOVE_PORT": str(port), "PATH": "/usr/bin:/bin"}
        return subprocess.run(check, check=False, env=environment, stderr=-3).returncode

    assert status(running.port) == 0
    assert status(1) == 1
