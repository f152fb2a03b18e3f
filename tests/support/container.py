"""A container of unshare, chroot, setpriv and control groups, for machines without an engine.

It has its own mounts, processes and IPC; a root of its own that is read-only whole but for /proc
and a /dev/shm of 64 MiB, as `docker run --read-only` leaves it; a user id that no /etc/passwd
knows, no capabilities, no environment but what is given (so no HOME); and, where control groups can
be made, a processor and memory limit. It shares the machine's network, so that the tests reach it;
seccomp filters and user namespaces are left out.
"""

from __future__ import annotations

import contextlib
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.connection import LOOPBACK, free_port
from tests.support.replicas import answers, children, wait_until

MEMORY_BYTES = 256 * 2**20
CPUS = 1.0

_GROUPS = Path("/sys/fs/cgroup")
_PERIOD_US = 100_000

_SCRIPT = """\
set -eu
root=$1; shift
limits=$1; shift
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs "$root"
show() {
    if [ -L "$1" ]; then cp -P "$1" "$root$1"; return; fi
    [ -e "$1" ] || return 0
    if [ -d "$1" ]; then mkdir -p "$root$1"; else mkdir -p "$root${1%/*}"; touch "$root$1"; fi
    mount --bind "$1" "$root$1"
    if [ -d "$1" ]; then mount -o remount,bind,ro "$root$1"; fi
}
for path in /usr /bin /sbin /lib /lib64 /etc; do show "$path"; done
for path in null zero random urandom; do show "/dev/$path"; done
while [ "$1" != -- ]; do show "$1"; shift; done
shift
mkdir -p "$root/proc" "$root/dev/shm" "$root/tmp" "$root/sys/fs/cgroup"
mount -t proc proc "$root/proc"
mount -t tmpfs -o size=64m,mode=1777,nosuid,nodev,noexec tmpfs "$root/dev/shm"
if [ -n "$limits" ]; then
    mkdir -p "$root/sys/fs/cgroup$limits"
    mount --bind "/sys/fs/cgroup${limits}${CONTAINER_GROUP}" "$root/sys/fs/cgroup$limits"
fi
mount -o remount,bind,ro "$root"
exec chroot "$root" "$@"
"""


@dataclass(frozen=True)
class Limits:
    """What the container may use, and by which control group files it is held to that."""

    cpus: float
    memory_bytes: int
    groups: tuple[Path, ...]
    seen_at: str
    """Where under /sys/fs/cgroup the container sees its processor limit; empty if there is none."""

    def most_memory(self) -> int | None:
        """The most bytes that it ever used, by the control group's count; None if there is none."""
        for group in self.groups:
            for name in ("memory.max_usage_in_bytes", "memory.peak"):
                with contextlib.suppress(OSError):
                    return int((group / name).read_text())
        return None

    def killed_for_memory(self) -> bool:
        """Whether a process in it was killed for using too much."""
        for group in self.groups:
            for name in ("memory.oom_control", "memory.events"):
                with contextlib.suppress(OSError):
                    for line in (group / name).read_text().splitlines():
                        if line.startswith("oom_kill ") and int(line.split()[1]):
                            return True
        return False


@contextlib.contextmanager
def limits(cpus: float, memory_bytes: int) -> Iterator[Limits]:
    """Control groups with these limits, as far as this machine lets them be made."""
    name = f"bestmove-{os.getpid()}-{os.urandom(3).hex()}"
    made: list[Path] = []
    seen_at = ""
    try:
        if (_GROUPS / "cgroup.controllers").exists():
            wanted = {
                "": {
                    "cpu.max": f"{int(cpus * _PERIOD_US)} {_PERIOD_US}",
                    "memory.max": str(memory_bytes),
                }
            }
        else:
            wanted = {
                "/cpu": {
                    "cpu.cfs_period_us": str(_PERIOD_US),
                    "cpu.cfs_quota_us": str(int(cpus * _PERIOD_US)),
                },
                "/memory": {"memory.limit_in_bytes": str(memory_bytes)},
            }
        for controller, files in wanted.items():
            group = Path(f"{_GROUPS}{controller}") / name
            try:
                group.mkdir()
            except OSError:
                continue
            made.append(group)
            for file, value in files.items():
                (group / file).write_text(value)
            if "memory" not in controller:
                seen_at = controller or "/."
        yield Limits(cpus, memory_bytes, tuple(made), seen_at)
    finally:
        for group in made:
            wait_until(lambda group=group: _removed(group), 30, f"{group} to be empty")


def _removed(group: Path) -> bool:
    with contextlib.suppress(OSError):
        group.rmdir()
    return not group.exists()


def command(
    inside: Sequence[str],
    environment: Mapping[str, str],
    *,
    shown: Sequence[Path],
    root: Path,
    user: int,
    bounds: Limits,
) -> list[str]:
    """The command that runs `inside` in a container; needs root.

    Args:
        inside: the command in the container, by full path.
        environment: all the variables that it gets.
        shown: files and folders that it sees, read-only, under their own names.
        root: an empty folder, over which its root is mounted.
        user: its user and group id.
        bounds: from `limits`.
    """
    if os.geteuid() != 0:
        raise PermissionError("only root can make mounts and control groups for a container")
    base = Path(sys.base_prefix)
    paths = [str(path) for path in shown]
    if not base.is_relative_to("/usr"):
        paths.append(str(base))
    variables = [f"{name}={value}" for name, value in environment.items()]
    identity = [f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"]
    closed = ["--inh-caps=-all", "--bounding-set=-all"]
    group_name = bounds.groups[0].name if bounds.groups else ""
    entered = "".join(f"echo $$ > {shlex.quote(str(g))}/cgroup.procs && " for g in bounds.groups)
    container = [
        *("unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"),
        *("/bin/sh", "-c", _SCRIPT, "container", str(root), bounds.seen_at, *paths, "--"),
        *("/usr/bin/setpriv", *identity, *closed, "/usr/bin/env", "-i", *variables, *inside),
    ]
    quoted = " ".join(shlex.quote(part) for part in container)
    return ["/bin/sh", "-c", f"{entered}CONTAINER_GROUP=/{group_name} exec {quoted}"]


@contextlib.contextmanager
def empty_folder() -> Iterator[Path]:
    """A folder to mount a container's root over."""
    with tempfile.TemporaryDirectory(prefix="container-") as folder:
        yield Path(folder)


@dataclass(frozen=True)
class Confined:
    """A running container: its port, its limits and its first process, gunicorn's master."""

    port: int
    bounds: Limits
    pid: int
    user: int
    log: Path

    def status(self) -> dict[str, str]:
        """What /proc says about the master."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


@contextlib.contextmanager
def confined(
    inside: Sequence[str], environment: Mapping[str, str], shown: Sequence[Path], log: Path
) -> Iterator[Confined]:
    """Run a service's command in a container until the end; `environment` is all that it gets."""
    user = random.SystemRandom().randrange(100_000, 60_000_000)
    port = free_port()
    given = {**environment, "BESTMOVE_HOST": LOOPBACK, "BESTMOVE_PORT": str(port)}
    given["BESTMOVE_MEMORY_MB"] = "128"  # 64 MiB come on top, and 64 for the master
    with limits(CPUS, MEMORY_BYTES) as bounds, empty_folder() as root, log.open("wb") as output:
        process = subprocess.Popen(
            command(inside, given, shown=shown, root=root, user=user, bounds=bounds),
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        try:
            wait_until(lambda: process.poll() is not None or answers(port), 60, "the container")
            if process.returncode is not None:
                raise RuntimeError(f"the container ended: {log.read_text()[-2000:]}")
            (master,) = children(process.pid)
            yield Confined(port, bounds, master, user, log)
            os.kill(master, signal.SIGTERM)
            process.wait(40)
        finally:
            if process.poll() is None:
                process.kill()  # takes the container's processes with it
                process.wait()
