"""Set up and run benchwright from a checkout; needs Python 3.11 or later and nothing else.

    python3 run.py demo
    python3 run.py test [--slow]
    python3 run.py bars [NAME ...]
Further arguments, best behind `--`, go to the program that does it. `.venv` is made on first use.
"""

# Old interpreters must get as far as the line that turns them away: no newer syntax in this file.
from __future__ import annotations

import fcntl
import functools
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Sequence

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP, UNFINISHED = VENV / "benchwright-stamp", VENV / "benchwright-unfinished"
say = functools.partial(print, end="", flush=True)
INPUTS = ("pyproject.toml", "constraints.txt", "src/benchwright/isolation/agent-constraints.txt")


class Stop(Exception):
    """Ends the program with one line."""


def main(argv: list[str]) -> int:
    """Run one verb; returns its exit code."""
    if not argv or argv[0] not in ("demo", "test", "bars"):
        say(f"{__doc__}")
        return 0 if argv[:1] in (["-h"], ["--help"]) else 2
    verb, extra = argv[0], [word for word in argv[1:] if word != "--"]
    version = sys.version.split()[0]
    if sys.version_info < (3, 11):
        raise Stop(f"benchwright needs Python 3.11 or later, this is {version}: start a newer one")
    say(f"benchwright {verb}: Python {version}, environment {VENV}\n")
    prepare(dev=verb != "demo")
    if verb == "demo":
        out = [] if "--out" in extra else ["--out", os.path.relpath(ROOT / "demo")]
        return call([str(VENV / "bin" / "benchwright"), "demo", *out, *extra], Path.cwd())
    if verb == "bars":
        return call([str(PYTHON), "-m", "benchmarks", *extra])
    return test(extra)


def test(extra: list[str]) -> int:
    """Lint, format, types, tests: all of them run, the first failure gives the exit code."""
    chosen = [word for word in extra if word != "--slow"]
    marks = [] if "--slow" in extra else ["-m", "not slow"]
    lint = (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"])
    failed = {}
    for words in (*lint, ["pytest", "-n", "auto", "--dist", "loadfile", *marks, *chosen]):
        say(f"{' '.join(words)}\n")
        code = call([str(PYTHON), "-m", *words])
        if code:
            failed[" ".join(words[:2])] = code
    if failed:
        say(f"failed: {', '.join(failed)}\n")
    return next(iter(failed.values()), 0)


def prepare(dev: bool) -> None:
    """Make `.venv` what the inputs ask for; instant when its stamp says that it already is."""
    needed = wanted(dev)
    if needed <= stamp():
        return
    lock = os.open(ROOT, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)  # a second run.py waits here for the first
    if not needed <= stamp():
        needed |= stamp() & {"dev"}
        STAMP.unlink(missing_ok=True)
        install("dev" in needed)
        STAMP.write_text(" ".join(needed), encoding="utf-8")
    os.close(lock)


def wanted(dev: bool) -> set[str]:
    """What the stamp of a finished environment holds: a digest, and `dev` with the tools."""
    key = [sys.version, sys.base_prefix, str(ROOT), *((ROOT / n).read_text("utf8") for n in INPUTS)]
    return {hashlib.sha256("\0".join(key).encode()).hexdigest(), *(["dev"] if dev else [])}


def stamp() -> set[str]:
    """What `.venv` was made for; empty where it is not finished."""
    return set(STAMP.read_text("utf8").split()) if STAMP.is_file() and PYTHON.exists() else set()


def install(dev: bool) -> None:
    """Make or complete `.venv`; cut short, it leaves a mark and the next call starts over."""
    if not usable():
        need_venv()
        with step("making the environment"):
            shutil.rmtree(VENV, ignore_errors=True)
            VENV.mkdir()
            UNFINISHED.touch()
            quiet([getattr(sys, "_base_executable", sys.executable), "-m", "venv", str(VENV)])
    UNFINISHED.touch()
    with step("installing packages (once, about two minutes)"):
        target = f"{ROOT}[{'dev' if dev else 'logs'}]"
        quiet([str(PYTHON), "-m", "pip", "install", "-c", "constraints.txt", "-e", target])
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        with step("compiling packages"):  # else every start compiles again and keeps nothing
            folders = [str(VENV / "lib"), str(ROOT / "src")]
            call([str(PYTHON), "-m", "compileall", "-qq", "-j", "0", *folders])
    UNFINISHED.unlink()
    with step("making the agents' Python (once)"):
        quiet([str(PYTHON), "-m", "benchwright.isolation.agent_python"])


def usable() -> bool:
    """Whether `.venv` can be built upon: whole, of this interpreter, no installation cut short."""
    if UNFINISHED.exists() or not PYTHON.exists():
        return False
    asked = [str(PYTHON), "-c", "import pip, sys; print(sys.version)"]
    done = subprocess.run(asked, env=environment(), capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.strip() == sys.version.strip()


def need_venv() -> None:
    """Debian splits venv from Python: as root install its package, else name it."""
    specs = [importlib.util.find_spec(name) for name in ("venv", "ensurepip")]
    if all(spec and spec.origin for spec in specs):
        return
    package = f"python3.{sys.version_info[1]}-venv"
    line = f"this Python cannot make environments: install the Debian package {package}"
    if os.geteuid() or not shutil.which("apt-get"):
        raise Stop(line)
    install = f"apt-get install -y {package}"
    with step(f"installing the Debian package {package}"):
        quiet(["sh", "-c", f"{install} || (apt-get update && {install})"], line)


def environment() -> dict[str, str]:
    """Variables of the children: this environment first, nothing of the user's Python mixed in."""
    dropped = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV")
    kept = {key: value for key, value in os.environ.items() if key not in dropped}
    path = os.pathsep.join([str(VENV / "bin"), kept.get("PATH", os.defpath)])
    tidy = {"PYTHONNOUSERSITE": "1", "PYTHONUNBUFFERED": "1", "DEBIAN_FRONTEND": "noninteractive"}
    name = os.path.relpath(VENV / "bin" / "benchwright")
    told = {"OMP_NUM_THREADS": "1", "BENCHWRIGHT_PROGRAM": name}
    return {**told, **kept, **tidy, "PATH": path}


def call(command: Sequence[str], cwd: Path = ROOT) -> int:
    """Run a child in the foreground; an interrupt reaches it too and it ends in its own way."""
    child = subprocess.Popen(command, cwd=cwd, env=environment())
    try:
        return child.wait()
    except KeyboardInterrupt:
        child.wait()
        raise


def quiet(command: Sequence[str], line: str = "") -> None:
    """Run a child whose output matters only when it fails; shows a dot every few seconds."""
    with tempfile.TemporaryFile("w+") as log:
        child = subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=log, stderr=log)
        while child.poll() is None:
            try:
                child.wait(4)
            except subprocess.TimeoutExpired:
                say(".")
        log.seek(0)
        last = log.read().strip().splitlines()[-12:]
    if child.returncode:
        raise Stop(line or "\n".join([f"failed: {' '.join(command[:4])} ...", *last]))


@contextmanager
def step(what: str) -> Iterator[None]:
    """One line of progress: what is done, and how long it took."""
    say(f"  {what} ..")
    start = time.monotonic()
    try:
        yield
        say(f" {time.monotonic() - start:.1f} s")
    finally:
        say("\n")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Stop, OSError) as error:
        sys.stderr.write(f"run.py: {error}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
