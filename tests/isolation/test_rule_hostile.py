"""A hostile rule costs the sample on which it turns hostile, and learns nothing of another."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from benchwright.isolation.rule import Answer, Frame, RuleLimits, run_rule

Run = Callable[..., list[Answer]]
BAD = 2

EVIL = """
import os, signal, sys, time
def evil(df):
    {body}
def predict(df):
    if df.iat[0, 0] == {bad}:
        return evil(df)
    return ["fine"]
"""
ATTACKS = [
    ("while True:\n        os.fork()", "Error"),
    ("while True:\n        try: os.fork()\n        except OSError: pass", "TimeoutError"),
    ("while True: print('x' * 99999, flush=True)", "TimeoutError: no answer within 1 s"),
    ("time.sleep(600)", "TimeoutError: no answer within 1 s"),
    ("signal.pthread_sigmask(0, range(1, 64)); time.sleep(600)", "TimeoutError"),
    ("bytearray(50 << 30)", "MemoryError"),
    ("open('/dev/shm/x', 'wb').write(bytes(1 << 30))", "OSError: [Errno 30]"),
    ("open('/tmp/x', 'wb').write(b'1')", "OSError: [Errno 30]"),
    ("os._exit(0)", "ChildProcessError: predict ended its own process with exit code 0"),
    ("sys.exit('bye')", "SystemExit: bye"),
    ("os.kill(os.getpid(), signal.SIGSEGV)", "ChildProcessError: predict was ended by SIGSEGV"),
    ("os.kill(-1, signal.SIGKILL)", "Error"),
    ("os.kill(os.getppid(), signal.SIGKILL); time.sleep(9)", "ChildProcessError: the rule"),
    ("os.kill(os.getppid(), signal.SIGSTOP); time.sleep(9)", "halted the process"),
    ("sys.setrecursionlimit(10**9); return evil(df)", "Error"),
    ("raise type('E', (Exception,), {'__str__': lambda s: 1 / 0})()", "cannot be shown"),
    ("return __import__('pickle').dumps(os.system)", "ValueError: predict returned bytes"),
    ("return open('/etc/shadow').read()", "FileNotFoundError"),
    ("import socket; socket.create_connection(('1.1.1.1', 80), 1)", "OSError: [Errno 97]"),
]


def answers(file: Path, text: str, count: int, **limits: int) -> list[Answer]:
    file.write_text(text)
    frames = [Frame(f"s{i}", ("col1",), np.full((9, 1), i, np.float32)) for i in range(count)]
    given = {"sample_s": 1, "memory_mb": 600, "data_mb": 500, **limits}
    return list(run_rule(file, frames, RuleLimits(**given)))


@pytest.fixture
def run(agent_python: Path, tmp_path: Path) -> Run:
    def go(text: str, count: int = 4, **limits: int) -> list[Answer]:
        return answers(tmp_path / "rule.py", text, count, **limits)

    return go


@pytest.fixture(scope="module")
def attacked(agent_python: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Answer]:
    """One rule that turns on another way of harm with every second sample."""
    parts = ["import os, signal, sys, time"]
    for number, (body, _) in enumerate(ATTACKS):
        parts.append(f"def evil{number}(df, evil=None):\n    evil = evil{number}\n    {body}")
    parts.append("def predict(df):\n    n = int(df.iat[0, 0])")
    parts.append("    return globals()[f'evil{n // 2}'](df) if n % 2 == 0 else ['fine']")
    file = tmp_path_factory.mktemp("attacks") / "rule.py"
    return answers(file, "\n".join(parts), 2 * len(ATTACKS))


@pytest.mark.parametrize("number", range(len(ATTACKS)), ids=lambda n: ATTACKS[n][0][:40])
def test_an_attack_costs_its_own_sample(attacked: list[Answer], number: int) -> None:
    evil = attacked[2 * number]
    assert evil.labels is None and ATTACKS[number][1] in (evil.error or "")


def test_no_other_sample_is_lost_to_an_attack(attacked: list[Answer]) -> None:
    assert [a.labels for a in attacked[1::2]] == [("fine",)] * len(ATTACKS)


def test_all_processes_together_stay_within_memory(run: Run) -> None:
    body = """
    for _ in range(9):
        if os.fork() == 0:
            hold = bytearray(200 << 20)
            hold[::4096] = b'x' * len(hold[::4096])
            time.sleep(60)
    time.sleep(60)"""
    got = run(EVIL.format(body=body, bad=BAD), sample_s=20)
    assert got[BAD].error == "MemoryError: more than 600 MB in all processes"
    assert [a.labels for i, a in enumerate(got) if i != BAD] == [("fine",)] * 3


def test_processor_time_is_limited_apart_from_the_clock(run: Run) -> None:
    got = run(EVIL.format(body="while True: pass", bad=BAD), sample_s=60, cpu_s=1)
    assert got[BAD].error == "TimeoutError: predict took more than 1 s of processor time"


@pytest.mark.parametrize(
    "counter",
    [
        "N = [0]\ndef count(): N[0] += 1; return N[0]",
        "import numpy as np\nnp.count = 0\ndef count(): np.count += 1; return np.count",
        "def count():\n    open('/tmp/n', 'a').write('x')\n    return len(open('/tmp/n').read())",
        "import os\nF = os.open('/tmp/n', os.O_RDWR | os.O_CREAT)\n"
        "def count(): os.write(F, b'x'); return os.fstat(F).st_size",
        "import multiprocessing\nV = multiprocessing.Value('i', 0)\n"
        "def count(): V.value += 1; return V.value",
        "import mmap\nM = mmap.mmap(-1, 4)\ndef count(): M[0] = M[0] + 1; return M[0]",
        "import os\nR, W = os.pipe()\nos.write(W, b'0')\n"
        "def count():\n    n = int(os.read(R, 9)) + 1; os.write(W, str(n).encode()); return n",
        "import os\ndef count():\n    for fd in range(3, 20):\n        try: os.write(fd, b'x')\n"
        "        except OSError: pass\n    return 1",
        "import os\ndef count():\n    m = open(f'/proc/{os.getppid()}/mem', 'r+b'); return 2",
        "import ctypes\ndef count():\n    l = ctypes.CDLL(None)\n"
        "    return 1 if l.shmget(77, 4096, 0o1666) < 0 else 2",
    ],
)
def test_calls_cannot_be_counted(run: Run, counter: str) -> None:
    got = run(f"{counter}\ndef predict(df): return [str(count())]", 3)
    assert {a.labels for a in got} <= {("1",), None}


@pytest.mark.parametrize(
    "left",
    [
        "import threading\nT = threading.Timer(9, print)\nT.daemon = True\nT.start()",
        "import subprocess\nP = subprocess.Popen(['sleep', '99'])",
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(99)",
        "import os\nos.fork = lambda: 0\nos._exit = print",
    ],
)
def test_nothing_that_an_import_leaves_reaches_the_next_sample(run: Run, left: str) -> None:
    rule = f"import os\n{left}\nBEFORE = len([n for n in os.listdir('/proc') if n.isdigit()])\n"
    got = run(rule + "N = []\ndef predict(df): N.append(1); return [str((len(N), BEFORE))]", 3)
    assert len({a.labels for a in got}) == 1 and got[0].labels is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import time\ntime.sleep(600)", "TimeoutError: rule.py was not imported within 2 s"),
        ("while True: pass", "TimeoutError: rule.py was not imported within 2 s"),
        ("import os\nos._exit(0)", "rule.py ended its own process"),
        ("import os\nos.kill(os.getpid(), 9)", "rule.py was ended by SIGKILL"),
        ("x = bytearray(50 << 30)", "MemoryError"),
        ("import os\nwhile True: os.fork()", "Error"),
        ("open('/dev/shm/x', 'wb').write(bytes(60 << 20))", "OSError: [Errno 30]"),
        ("import os\nos.write(3, b'x' * 1000000); os.write(4, b'{}\\n' * 100)", "Error"),
    ],
)
def test_a_hostile_import_is_one_reason_for_all(run: Run, text: str, said: str) -> None:
    start = time.monotonic()
    got = run(text, 40, import_s=2)
    assert {a.labels for a in got} == {None}
    assert said in (got[0].error or "") and len({a.error for a in got}) == 1
    assert time.monotonic() - start < 30


def test_forged_answers_on_the_way_out_are_refused(run: Run) -> None:
    forge = "for fd in range(3, 64):\n        try: os.write(fd, b'[[[' * 30000)"
    forge += "\n        except OSError: pass"
    got = run(EVIL.format(body=forge, bad=BAD))
    assert got[BAD].labels is None
    assert [a.labels for i, a in enumerate(got) if i != BAD] == [("fine",)] * 3


def test_neither_data_nor_benchwright_nor_the_host_is_readable(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.json").write_text("{}")
    rule = f"""
import os
def predict(df):
    seen = [p for p in ({str(tmp_path)!r}, {os.getcwd()!r}, "/root", "/work") if os.path.exists(p)]
    for base, folders, files in os.walk("/"):
        folders[:] = [f for f in folders if os.path.join(base, f) not in ("/proc", "/usr")]
        seen += [f for f in folders + files if "benchwright" in f or f == "gold.json"]
        if base.startswith("/app"):
            seen += files
    return seen
"""
    assert run(rule, 1, sample_s=30, cpu_s=30)[0].labels == ("rule.py",)
