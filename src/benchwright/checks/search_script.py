"""Runs inside the sandbox, alone: reads needles from stdin, searches every file that it can read.

Standard library only. Prints one JSON object: hits as (what, where), and how many files were read.
"""

import importlib.util
import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping

PSEUDO = ("/proc", "/sys", "/dev")
BLOCK = 1 << 22


def readable_files() -> Iterator[str]:
    """Every regular file below / that this user can open, each once, without following links."""
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


def hits_in(path: str, needles: Mapping[str, bytes], longest: int) -> set[str]:
    """Names of the needles that stand in a file, read in overlapping blocks."""
    found: set[str] = set()
    tail = b""
    try:
        with open(path, "rb") as file:
            while block := file.read(BLOCK):
                text = tail + block
                found.update(what for what, needle in needles.items() if needle in text)
                tail = text[-longest:] if longest else b""
    except OSError:
        pass
    return found


def environment(needles: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Needles in the command line or environment of any visible process."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        for part in ("cmdline", "environ", "mountinfo"):
            for what in hits_in(f"/proc/{name}/{part}", needles, 0):
                yield what, f"/proc/{name}/{part}"


def main() -> None:
    """Search and print."""
    asked = json.loads(sys.stdin.read())
    needles = {what: text.encode() for what, text in asked.items()}
    longest = max(map(len, needles.values()))
    hits, count = list(environment(needles)), 0
    if importlib.util.find_spec("benchwright"):
        hits.append(("benchwright as a Python package", "sys.path"))
    for path in readable_files():
        count += 1
        if "benchwright" in path.lower():
            hits.append(("a file named after benchwright", path))
        hits += [(what, path) for what in sorted(hits_in(path, needles, longest))]
    print(json.dumps({"hits": hits[:100], "files": count}))


if __name__ == "__main__":
    main()
