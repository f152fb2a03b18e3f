"""The memory of each table is zeroed, has the right size, and is not shared."""

import sys

import pytest

from bestmove.search import memory
from tests.support.programs import run


def test_words_are_zero_and_can_be_written() -> None:
    words = memory.words(1 << 12)
    assert len(words) == 1 << 12
    assert not any(words)
    words[-1] = 2**64 - 1
    assert words[-1] == 2**64 - 1
    assert not any(memory.words(1 << 12))


@pytest.mark.skipif(sys.platform != "linux", reason="it is the C library of Linux")
def test_freed_memory_goes_back_to_the_system() -> None:
    code = """
import re, threading
from pathlib import Path
from bestmove.search import memory
memory.return_what_is_freed()

def resident():
    return int(re.search("VmRSS:.*?([0-9]+)", Path("/proc/self/status").read_text())[1]) // 1024

def take():
    for size, count in ((30_000_000, 1), (200_000, 50)):
        blocks = [bytes([1]) * size for _ in range(count)]
    kept.append(blocks[-1])
    ready.wait()

kept = []
before = resident()
ready = threading.Barrier(9)
threads = [threading.Thread(target=take) for _ in range(8)]
for thread in threads:
    thread.start()
ready.wait()
for thread in threads:
    thread.join()
print(resident() - before)
"""
    # Of the 320 MB that the threads took, less than 20 MB may still be in use.
    assert int(run(sys.executable, "-c", code, timeout=60).stdout) < 20
