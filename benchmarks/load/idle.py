"""How late does an idle process wake up? The delays show how much the machine itself delays
processes."""

import select
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import Final

from tests.support.crowd import quantile
from tests.support.replicas import ROOT

NAP_S: Final = 0.01


@dataclass
class Idle:
    _process: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        command = (sys.executable, "-c", "from benchmarks.load import idle; idle.nap()")
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )

    def stop(self) -> tuple[float, float]:
        """End the process. Return the 99th percentile and the maximum of the delays, in seconds."""
        printed, _ = self._process.communicate()
        usual, worst = map(float, printed.split())
        return usual, worst


def nap() -> None:
    """Sleep again and again until the input ends. Print the 99th percentile and the maximum of the
    delays."""
    late = []
    while True:
        due = time.monotonic() + NAP_S
        time.sleep(NAP_S)
        late.append(time.monotonic() - due)
        if select.select([sys.stdin], [], [], 0)[0]:
            break
    print(quantile(late, 0.99), max(late))
