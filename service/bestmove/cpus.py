"""The number of CPUs that this process may use."""

from __future__ import annotations

import os
from math import ceil
from pathlib import Path

_CGROUP = Path("/sys/fs/cgroup")


def available_cpus(cgroup: Path = _CGROUP) -> int:
    """Return the number of CPUs that affinity and the container's limit allow, rounded up.

    `os.cpu_count()` counts all CPUs of the machine, even in a container that may use only one.
    """
    affinity = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    limit = _limit_v2(cgroup) or _limit_v1(cgroup)
    return max(1, min(affinity or 1, ceil(limit) if limit else affinity or 1))


def _limit_v2(cgroup: Path) -> float | None:
    try:
        quota, period = (cgroup / "cpu.max").read_text().split()
        return int(quota) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None  # the system has no cgroup v2, or the quota is "max"


def _limit_v1(cgroup: Path) -> float | None:
    try:
        quota = int((cgroup / "cpu" / "cpu.cfs_quota_us").read_text())
        period = int((cgroup / "cpu" / "cpu.cfs_period_us").read_text())
        return quota / period if quota > 0 else None
    except (OSError, ValueError, ZeroDivisionError):
        return None
