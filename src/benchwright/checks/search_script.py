"""Runs inside the sandbox, alone: reads needles from stdin, searches every file that it can read.

Standard library and `grep` only. Prints one JSON object: hits as (what, where), and how many files
there were.
"""

import importlib.util
import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor

PSEUDO = ("/proc", "/sys", "/dev")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/libx32")
TELLING = ("canary", "seed", "salt")
BLOCK = 1 << 22


def regular_files() -> Iterator[str]:
    """Every regular file below /, without following links."""
    for folder, below, names in os.walk("/"):
        if folder.startswith(PSEUDO):
            below.clear()
            continue
        for name in names:
            path = os.path.join(folder, name)
            try:
                if stat.S_ISREG(os.lstat(path).st_mode):
                    yield path
            except OSError:
                continue


def suspects(needles: Mapping[str, bytes], pool: Executor) -> list[Future[list[str]]]:
    """Files of which grep says that some needle stands in them, once it has looked everywhere.

    In the system's folders only the telling needles are looked for (canary, seed and salt): every
    held file carries the canary, and a search for hundreds of digests in gigabytes takes minutes.
    """
    telling = {what: text for what, text in needles.items() if what in TELLING}
    named = [f"/{name}" for name in os.listdir("/") if not f"/{name}".startswith(PSEUDO)]
    tops = [top for top in named if not os.path.islink(top)]  # grep follows links it is given
    others = [top for top in tops if top not in SYSTEM]
    system = [path for top in tops if top in SYSTEM for path in below(top)]
    return [pool.submit(grep, needles, others), *(pool.submit(grep, telling, [p]) for p in system)]


def below(folder: str) -> list[str]:
    """What stands in a folder, links left out, so that its parts can be searched side by side."""
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    return [path for path in paths if not os.path.islink(path)]


def grep(needles: Mapping[str, bytes], tops: list[str]) -> list[str]:
    """Files below `tops` that hold one of the needles."""
    command = ["grep", "-rlZFf", "-", "--devices=skip", "--", *tops]
    asked = b"\n".join(needles.values()) + b"\n"
    done = subprocess.run(command, input=asked, capture_output=True, env={"LC_ALL": "C"})
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"grep ended with {done.returncode}: {done.stderr[-200:]!r}")
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]


def hits_in(path: str, needles: Mapping[str, bytes]) -> set[str]:
    """Names of the needles that stand in a file, read in overlapping blocks."""
    longest = max(map(len, needles.values()))
    found: set[str] = set()
    tail = b""
    try:
        with open(path, "rb") as file:
            while block := file.read(BLOCK):
                text = tail + block
                found.update(what for what, needle in needles.items() if needle in text)
                tail = text[-longest:]
    except OSError:
        pass
    return found


def processes(needles: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Needles in the command line, environment or mounts of any visible process."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        for part in ("cmdline", "environ", "mountinfo"):
            for what in hits_in(f"/proc/{name}/{part}", needles):
                yield what, f"/proc/{name}/{part}"


def main() -> None:
    """Search and print."""
    needles = {what: text.encode() for what, text in json.loads(sys.stdin.read()).items()}
    hits = list(processes(needles))
    if importlib.util.find_spec("benchwright"):
        hits.append(("benchwright as a Python package", "sys.path"))
    count = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        searches = suspects(needles, pool)
        for path in regular_files():
            count += 1
            if "benchwright" in path.lower():
                hits.append(("a file named after benchwright", path))
        for path in (path for search in searches for path in search.result()):
            hits += [(what, path) for what in sorted(hits_in(path, needles))]
    print(json.dumps({"hits": hits[:100], "files": count}))


if __name__ == "__main__":
    main()
