"""A host with secrets in its own process: run as a program, it starts a box and one attempt in it.

What passes from parent to child without being asked for: environment, descriptors, the session
keyring, the controlling terminal. Prints the outcome of the attempt as one JSON line.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import sys
import tempfile
from pathlib import Path

from benchwright.isolation.box import Box
from tests.safety.boxes import attempt_argv, config
from tests.safety.host import source_of

ADD_KEY = {"x86_64": 248, "aarch64": 217}
KEYCTL = {"x86_64": 250, "aarch64": 219}
SESSION = -3
POSSESSOR_AND_ALL = 0x3F3F3F3F


def plant_key(name: str, secret: str) -> str:
    """A key in a new session keyring that everybody with the keyring may read; or why not."""
    library = ctypes.CDLL(None, use_errno=True)
    machine = os.uname().machine
    if machine not in ADD_KEY:
        return f"no number known for {machine}"
    content = secret.encode()
    joined = library.syscall(KEYCTL[machine], 1, None)
    key = library.syscall(ADD_KEY[machine], b"user", name.encode(), content, len(content), SESSION)
    if joined < 0 or key < 0:
        return os.strerror(ctypes.get_errno())
    for item in (joined, key):
        library.syscall(KEYCTL[machine], 5, item, POSSESSOR_AND_ALL)
    return "planted"


def leave_descriptor_open(path: str) -> int:
    """An inheritable descriptor of a secret, as a careless library would leave it."""
    descriptor = os.open(path, os.O_RDONLY)
    os.set_inheritable(descriptor, True)
    return descriptor


async def attempt(module: str, name: str, target: dict[str, str]) -> None:
    async with Box.open(config()) as box:
        await box.write("/tmp/attempts/attempt.py", source_of(module).encode())
        done = await box.exec(attempt_argv(name, target), timeout_s=30)
        everything = await box.exec(
            ["sh", "-c", "env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline"], timeout_s=10
        )
    seen = target["marker"].encode() in everything.stdout
    print(json.dumps({"outcome": json.loads(done.stdout), "environment": seen}), flush=True)


def main() -> None:
    """`python -m tests.safety.planted MODULE ATTEMPT TARGET`, with the target as JSON."""
    module, name, text = sys.argv[1:4]
    target = json.loads(text)
    print(json.dumps({"key": plant_key(target["key"], target["marker"])}))
    leave_descriptor_open(target["secret"])
    with tempfile.TemporaryDirectory(prefix="safety-planted-") as folder:
        Path(folder).chmod(0o755)
        tempfile.tempdir = folder
        asyncio.run(attempt(module, name, target))
        tempfile.tempdir = None
        left = [path.name for path in Path(folder).rglob("*")]
    print(json.dumps({"left": left}))


if __name__ == "__main__":
    main()
