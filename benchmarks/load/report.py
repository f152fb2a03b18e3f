"""Reports of scenarios: figures, and the requirements that were not met."""

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.replicas import Replica, replica


@dataclass
class Report:
    title: str
    figures: dict[str, object] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def require(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.broken.append(otherwise)

    def __str__(self) -> str:
        lines = [self.title]
        lines += [f"  {name}: {value}" for name, value in self.figures.items()]
        lines += [f"  BROKEN: {what}" for what in self.broken]
        return "\n".join(lines)


@contextlib.contextmanager
def service(**settings: Any) -> Iterator[Replica]:
    """Run a replica in a temporary folder. By default, it logs only warnings."""
    settings = {"log_level": "warning"} | settings
    with tempfile.TemporaryDirectory() as folder, replica(Path(folder), **settings) as running:
        yield running
