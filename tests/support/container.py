"""A container made with unshare, chroot, setpriv and taskset, for machines without Docker.

- It has its own mounts, processes and IPC, but no user namespace and no seccomp filter.
- Its root is read-only except /proc and a /dev/shm of 64 MiB, as with `docker run --read-only`.
- It has one processor, no capabilities, and only the given environment variables (so no HOME).
- The server's user id is not in /etc/passwd.
- It shares the machine's network, so that tests can connect to it.
"""

import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.connection import LOOPBACK, free_port
from tests.support.replicas import answers, children, proportional_bytes, wait_until

_SCRIPT = """\
set -eu
root=$1; shift
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
mkdir -p "$root/proc" "$root/dev/shm" "$root/tmp"
mount -t proc proc "$root/proc"
mount -t tmpfs -o size=64m,mode=1777,nosuid,nodev,noexec tmpfs "$root/dev/shm"
mount -o remount,bind,ro "$root"
exec chroot "$root" "$@"
"""


@dataclass(frozen=True)
class Confined:
    """A running container: its port, the process id of gunicorn's master, and its user id."""

    port: int
    pid: int
    user: int

    def status(self) -> dict[str, str]:
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}

    def memory(self) -> int:
        return sum(map(proportional_bytes, (self.pid, *children(self.pid))))


@contextlib.contextmanager
def confined(
    inside: Sequence[str], environment: Mapping[str, str], shown: Sequence[Path], log: Path
) -> Iterator[Confined]:
    """Run a server in a container while the `with` block runs. Needs root.

    Args:
        inside: the command, with its full path.
        environment: the command's environment variables; `confined` adds the host and the port.
        shown: files and folders of the machine that the container has too, under the same paths.
        log: the file for the command's output.
    """
    user = random.SystemRandom().randrange(100_000, 60_000_000)
    port = free_port()
    given = {**environment, "BESTMOVE_HOST": LOOPBACK, "BESTMOVE_PORT": str(port)}
    paths = [str(path) for path in shown]
    if not Path(sys.base_prefix).is_relative_to("/usr"):
        paths.append(sys.base_prefix)
    with tempfile.TemporaryDirectory(prefix="container-") as root, log.open("wb") as output:
        command = [
            *("taskset", "--cpu-list", str(min(os.sched_getaffinity(0)))),
            *("unshare", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"),
            *("/bin/sh", "-c", _SCRIPT, "container", root, *paths, "--"),
            *("/usr/bin/setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"),
            *("--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", "/usr/bin/env", "-i"),
            *(f"{name}={value}" for name, value in given.items()),
            *inside,
        ]
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
        )
        try:
            wait_until(lambda: process.poll() is not None or answers(port), 60, "the container")
            if process.returncode is not None:
                raise RuntimeError(f"the container ended: {log.read_text()[-2000:]}")
            (master,) = children(process.pid)
            yield Confined(port, master, user)
            os.kill(master, signal.SIGTERM)
            process.wait(40)
        finally:
            if process.poll() is None:
                process.kill()  # also kills the container's processes
                process.wait()
