"""All worker processes share the slots. A killed process gives its slots back."""

import sys

from tests.support.programs import run


def run_python(code: str) -> list[str]:
    done = run(sys.executable, "-c", "import os, signal, time\n" + code, timeout=60)
    assert not done.stderr
    return done.stdout.split()


def test_processes_forked_afterwards_share_them_and_give_theirs_back_when_killed() -> None:
    code = """
from bestmove.api.slots import SharedSlots
slots = SharedSlots(2, clock=lambda: 0.0)
told, tell = os.pipe()
child = os.fork()
if child == 0:
    print(slots.take(5.0), flush=True)
    os.write(tell, b".")
    time.sleep(60)
os.read(told, 1)
print(slots.take(10.0), slots.take(7.0), slots.ends())
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
print(slots.take(2.0))
"""
    assert run_python(code) == ["0", "1", "None", "[1.0,", "2.0]", "0"]


def test_a_waiting_search_gets_the_slot_that_another_process_gave_back() -> None:
    code = """
from bestmove.api.admission import Admission
from threading import Thread
admission = Admission(slots=1, queue=1)
told, tell = os.pipe()
left, leave = os.pipe()
now = time.monotonic()
if os.fork() == 0:
    os.close(leave)
    with admission.slot(20.0, now + 20.0):
        os.write(tell, b".")
        os.read(left, 1)
    os.read(left, 1)  # the end of this process would give the slot back, too
    os._exit(0)
os.read(told, 1)
def end_the_other() -> None:
    while not admission.waiting:
        time.sleep(0.001)
    os.write(leave, b".")
Thread(target=end_the_other, daemon=True).start()
with admission.slot(20.0, now + 20.0) as waited:
    print(waited > 0.0)
"""
    assert run_python(code) == ["True"]
