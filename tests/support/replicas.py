"""Runs replicas (gunicorn with the service's own configuration) and nginx."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.connection import LOOPBACK, Connection, free_port
from tests.support.needs import program

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "gunicorn", "--config", "python:bestmove.gunicorn_conf")
"""The command of the Docker image, but with the interpreter of the tests."""


IPV6 = socket.has_dualstack_ipv6()

DIRECTIVES = "daemon off; user root;"
"""With `user root`, nginx's workers can read a test's folders if root runs the tests."""


def wait_until(true: object, seconds: float, what: str) -> None:
    """Wait until `true()` is true. After `seconds`, raise a TimeoutError that names `what`."""
    deadline = time.monotonic() + seconds
    while not true():  # type: ignore[operator]
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {seconds} s for {what}")
        time.sleep(0.02)


def answers(port: int, path: str = "/readyz") -> bool:
    with contextlib.suppress(OSError), Connection(port, timeout=2) as connection:
        return connection.get(path).status == 200
    return False


@dataclass
class Replica:
    """A running gunicorn: its port, its master process and its log file."""

    port: int
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def workers(self) -> list[int]:
        """Return the process ids of the workers, oldest first."""
        return children(self.process.pid)

    def resident(self) -> list[int]:
        """Return the bytes of resident memory: first the master's, then each worker's."""
        pages = [
            int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            for pid in (self.process.pid, *self.workers)
        ]
        return [count * os.sysconf("SC_PAGE_SIZE") for count in pages]

    def memory(self) -> int:
        """Return the memory of the master and the workers; shared memory counts once (PSS)."""
        return sum(proportional_bytes(pid) for pid in (self.process.pid, *self.workers))

    def processor_seconds(self) -> float:
        return sum(map(processor_seconds, (self.process.pid, *self.workers)))

    def kill_worker(self) -> int:
        victim = self.workers[0]
        os.kill(victim, signal.SIGKILL)
        return victim

    def reload(self) -> None:
        """Send SIGHUP, so that new workers replace the old workers."""
        self.process.send_signal(signal.SIGHUP)

    def stop(self, seconds: float = 40) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        finally:
            self.end()

    def quit(self) -> None:
        """Send SIGQUIT, so that the service ends at once and removes the files of its counters."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            for _ in range(20):
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(1)
                    break
                self._quit_workers()
        self.end()

    def _quit_workers(self) -> None:
        """Send SIGQUIT again: a worker that had just started may have missed the master's signal.

        gunicorn would wait for that worker until the graceful timeout.
        """
        with contextlib.suppress(OSError):
            for pid in self.workers:
                os.kill(pid, signal.SIGQUIT)

    def end(self) -> None:
        """Kill all processes, and wait until nothing listens on the port.

        The master is stopped first, because it would replace workers that end.
        """
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGSTOP)
            for pid in (self.process.pid, *self.workers):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.process.wait()
            wait_until(lambda: not reachable(self.port), 30, "the end of the replica")


def proportional_bytes(pid: int) -> int:
    """Return a process's memory in bytes: its own, and its share of the shared memory (PSS)."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def processor_seconds(pid: int | str) -> float:
    """Return the processor time so far of a process, or of a thread such as "7/task/8"."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_idle(pid: int) -> None:
    while True:
        states = []
        for stat in Path(f"/proc/{pid}/task").glob("*/stat"):
            with contextlib.suppress(OSError):  # the thread has ended
                states.append(stat.read_text().rpartition(")")[2].split()[0])
        if set(states) == {"S"}:
            return
        time.sleep(0.001)


def children(pid: int) -> list[int]:
    """Return the direct children of a process, oldest first."""
    found = []
    for thread in Path(f"/proc/{pid}/task").iterdir():
        found += [int(child) for child in (thread / "children").read_text().split()]
    return sorted(found)


def environment(port: int, settings: Mapping[str, object]) -> dict[str, str]:
    """Return this process's environment, with its BESTMOVE_ settings replaced by the replica's."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("BESTMOVE_", "PROMETHEUS_"))
    }
    named = {f"BESTMOVE_{name.upper()}": str(value) for name, value in settings.items()}
    return inherited | {"BESTMOVE_HOST": LOOPBACK, "BESTMOVE_PORT": str(port)} | named


@contextlib.contextmanager
def replica(
    folder: Path,
    *,
    command: Sequence[str] = COMMAND,
    extra: Mapping[str, str] | None = None,
    ready: str = "/readyz",
    output: int | None = None,
    open_files: int | None = None,
    cwd: Path = ROOT,
    **settings: object,
) -> Iterator[Replica]:
    """Run a replica that is ready for requests. Stop it at the end.

    Args:
        folder: the folder for the replica's log file.
        command: the command to run; it may serve another application.
        extra: additional environment variables.
        ready: a path that answers 200 when the application is ready.
        output: a file descriptor that gets the replica's log, instead of a file in `folder`.
        open_files: how many file descriptors each process of the replica may have.
        cwd: the replica's working directory.
        settings: the BESTMOVE_ variables, in lower case and without the prefix.
    """
    port = int(str(settings.pop("port", 0))) or free_port()
    log = folder / f"replica-{port}.log"
    if open_files is not None:
        command = ["/bin/sh", "-c", f'ulimit -n {open_files}; exec "$@"', "sh", *command]
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment(port, settings) | dict(extra or {}),
            stdout=file if output is None else output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
    running = Replica(port, process, log)
    try:
        wait_until(lambda: process.poll() is not None or answers(port, ready), 60, "the replica")
        if process.returncode is not None:
            raise RuntimeError(f"the replica ended: {log.read_text()[-2000:]}")
        if "workers" in settings:
            wait_until(lambda: len(running.workers) == settings["workers"], 30, "all workers")
        yield running
    finally:
        running.quit()


def nginx_configuration(folder: Path, port: int, upstreams: Sequence[int]) -> Path:
    """Write the shipped nginx.conf and site.conf with the ports and folders of a test.

    The limits, caching and headers stay as shipped.
    """
    replaced = (ROOT / "deploy" / "nginx" / "nginx.conf").read_text(encoding="utf-8")
    for pattern, replacement, least in (
        (r"listen 8080 ", f"listen {LOOPBACK}:{port} ", 1),
        (r"listen \[::\]:8080 (.*)", rf"listen [::1]:{port} \1" if IPV6 else "", 1),
        (r"/tmp/", f"{folder}/", 6),
        (r"/var/cache/nginx/", f"{folder}/", 1),
        (r"/dev/stderr", f"{folder}/error.log", 1),
        (r"/dev/stdout", f"{folder}/access.log", 1),
    ):
        replaced, count = re.subn(pattern, replacement, replaced)
        if count != least:
            raise AssertionError(f"nginx.conf has {pattern!r} {count} times, not {least}")
    configuration = folder / "nginx.conf"
    configuration.write_text(replaced, encoding="utf-8")
    servers = "\n".join(f"    server {LOOPBACK}:{upstream} max_fails=0;" for upstream in upstreams)
    site = re.sub(
        r"    server bestmove:8000 resolve max_fails=0;",
        servers,
        (ROOT / "deploy" / "nginx" / "compose" / "site.conf").read_text(encoding="utf-8"),
    )
    (folder / "site.conf").write_text(re.sub(r"(?m)^resolver .*\n", "", site), encoding="utf-8")
    return configuration


@contextlib.contextmanager
def nginx(folder: Path, upstreams: Sequence[int]) -> Iterator[int]:
    """Run nginx with the shipped configuration in front of the replicas; yield its port."""
    port = free_port()
    folder.mkdir(parents=True, exist_ok=True)
    with nginx_with(nginx_configuration(folder, port, upstreams), port):
        yield port


@contextlib.contextmanager
def nginx_site(folder: Path, site: str, port: int) -> Iterator[None]:
    """Run nginx with the text of a site, which listens on `port`."""
    folders = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"pid {folder}/pid; events {{}}\nhttp {{ access_log off;\n{folders}{site}}}\n"
    )
    with nginx_with(configuration, port):
        yield


@contextlib.contextmanager
def nginx_with(configuration: Path, port: int) -> Iterator[None]:
    """Run nginx with a configuration. It serves on `port` when the `with` block begins."""
    log = configuration.parent / "error.log"
    with edge(["nginx", "-c", str(configuration), "-e", str(log), "-g", DIRECTIVES], port, log):
        yield


@contextlib.contextmanager
def edge(command: list[str], port: int, log: Path) -> Iterator[None]:
    """Run an edge. It serves on `port` when the `with` block begins."""
    name, *arguments = command
    with log.open("ab") as file:
        process = subprocess.Popen(
            [program(name) or name, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=file,
        )
    try:
        wait_until(lambda: process.poll() is not None or reachable(port), 30, name)
        if process.returncode is not None:
            raise RuntimeError(f"{name} ended: {log.read_text()[-2000:]}")
        yield
    finally:
        process.terminate()
        process.wait(30)


def reachable(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((LOOPBACK, port), 1):
        return True
    return False
