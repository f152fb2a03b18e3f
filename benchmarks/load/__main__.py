"""Can the service be released? `python -m benchmarks.load` runs the scenarios in full, one after
another."""

import subprocess
import sys

SCENARIOS = ("chaos", "overload", "attacks", "fuzz", "counters", "scale")

if __name__ == "__main__":
    failed = []
    for scenario in SCENARIOS:
        print(f"== {scenario}", flush=True)
        if subprocess.run(
            [sys.executable, "-m", f"benchmarks.load.{scenario}"], check=False
        ).returncode:
            failed.append(scenario)
    print(f"broken: {', '.join(failed)}" if failed else "all fine")
    sys.exit(bool(failed))
