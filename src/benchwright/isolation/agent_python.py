"""The agent's Python: an environment of its own with the pinned packages, and no benchwright.

Takes nothing but this interpreter and the pins in `agent-constraints.txt`; gives a folder that a
box shows at /opt/agent. Interpreter and standard library are copied, because a box sees neither a
home folder nor /usr/local. `python -m benchwright.isolation.agent_python` makes it beforehand.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from benchwright.canonical import digest
from benchwright.errors import BenchwrightError, IsolationError
from benchwright.isolation.cache import cache_root, cached, private_parent
from benchwright.isolation.config import AGENT_PYTHON
from benchwright.storage import write_json

OVERRIDE = "BENCHWRIGHT_AGENT_PYTHON"
Progress = Callable[[str], None]

_LAYOUT = 2
_TREE = "python"
_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
_LEFT_OUT = (
    "test", "tests", "idlelib", "idle_test", "tkinter", "turtledemo", "ensurepip", "lib2to3",
    "site-packages", "dist-packages", "config-*", "__pycache__", "sitecustomize.py",
    "usercustomize.py", "EXTERNALLY-MANAGED", "lib-dynload",
)  # fmt: skip
_SYSTEM = ("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64")
_SCRIPT = f"""#!{AGENT_PYTHON}/bin/python3
import sys
from pytest import console_main
sys.exit(console_main())
"""


@dataclass(frozen=True, slots=True)
class AgentPython:
    """A finished agent Python on the host; inside a box its root is /opt/agent."""

    root: Path
    digest: str
    """Of pins, interpreter version and platform: equal digests hold equal packages."""
    version: str


def pins() -> tuple[str, ...]:
    """`name==version` of every package, in the file's order."""
    text = (
        resources.files("benchwright.isolation")
        .joinpath("agent-constraints.txt")
        .read_text("utf-8")
    )
    lines = (line.strip() for line in text.splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def ensure_agent_python(progress: Progress = lambda line: None) -> AgentPython:
    """The agent's Python of this interpreter; made on the first call, found on every other."""
    key = digest([_LAYOUT, pins(), platform.python_version(), platform.machine(), _base()])
    override = os.environ.get(OVERRIDE)
    root = Path(override or cache_root() / f"agent-python-{key[:12]}" / _TREE)
    if not override and not root.is_dir():
        cached(root.parent.name, lambda folder: _fill(folder, key, progress))
    _check(root)
    return AgentPython(root, key, platform.python_version())


def _check(root: Path) -> None:
    private = private_parent(root / "bin") if os.geteuid() == 0 else None
    if private is None and os.access(root / "bin/python3", os.X_OK):
        return
    raise IsolationError(
        "agent Python cannot be used",
        value=root,
        where=private or root / "bin/python3",
        hint=f"Unset {OVERRIDE}, or name a folder with bin/python3 that every user can read.",
    )


def _fill(folder: Path, key: str, progress: Progress) -> None:
    """The tree that boxes see, and beside it, unseen, the stamp that says what it is."""
    root = folder / _TREE
    root.mkdir()
    progress(f"agent Python {platform.python_version()}: copying the interpreter")
    _copy_interpreter(root)
    progress(f"agent Python: installing {len(pins())} pinned packages")
    _install(_site_packages(root))
    progress("agent Python: compiling")
    compile_all = ["-m", "compileall", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash"]
    _python(root, *compile_all, "-s", str(root), "-p", AGENT_PYTHON, str(root))
    script = root / "bin/pytest"
    script.write_text(_SCRIPT, encoding="utf-8")
    script.chmod(0o755)
    form = {"format": "benchwright.agent-python/1", "digest": key, "packages": pins()}
    write_json(folder / "agent-python.json", {**form, "python": platform.python_version()})


def _copy_interpreter(root: Path) -> None:
    binary = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    name = f"python{_VERSION}"
    (root / "bin").mkdir()
    _copy_library(_library(root))
    shutil.copy2(binary, root / "bin" / name)
    libraries = {lib for file in (binary, *_extensions()) for lib in _private_libraries(file)}
    if libraries:
        _wrap(root, name, libraries)
    for link in ("python3", "python"):
        (root / "bin" / link).symlink_to(name)


def _copy_library(target: Path) -> None:
    source = Path(os.__file__).resolve().parent
    shutil.copytree(
        source,
        target,
        ignore=shutil.ignore_patterns(*_LEFT_OUT),
        ignore_dangling_symlinks=True,
    )
    (target / "lib-dynload").mkdir()
    for file in _extensions():
        shutil.copy2(file, target / "lib-dynload" / file.name)


def _wrap(root: Path, name: str, libraries: set[Path]) -> None:
    """Tell an interpreter where its libraries from outside the system's folders are."""
    (root / "libexec").mkdir()
    (root / "shared").mkdir()
    (root / "bin" / name).rename(root / "libexec" / name)
    for library in libraries:
        shutil.copy2(library, root / "shared" / library.name)
    script = root / "bin" / name
    script.write_text(
        "#!/bin/sh\n"
        'here=$(dirname -- "$(readlink -f -- "$0")")/..\n'
        'export LD_LIBRARY_PATH="$here/shared${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"\n'
        f'exec "$here/libexec/{name}" "$@"\n',
        encoding="utf-8",
    )
    script.chmod(0o755)


def _install(target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    options = ["--no-deps", "--only-binary", ":all:", "--target", str(target)]
    said: list[str] = []
    for installer in _installers():
        command = [*installer, "install", "-q", *options, *pins()]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode == 0:
            shutil.rmtree(target / "bin", ignore_errors=True)
            return
        said = done.stderr.decode(errors="replace").strip().splitlines()
    raise IsolationError(
        "packages of the agent's Python cannot be installed",
        value=said[-1] if said else "no message",
        where="agent-constraints.txt",
        hint="Check the network or package index; Python 3.11, 3.12 and 3.13 have these packages.",
    )


def _installers() -> Iterator[list[str]]:
    quiet = ["-m", "pip", "--disable-pip-version-check", "--no-input"]
    yield [sys.executable, *quiet]
    uv = shutil.which("uv")
    if uv:
        yield [uv, "pip"]
    yield [getattr(sys, "_base_executable", sys.executable), *quiet]


def _python(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        [str(root / "bin/python3"), "-I", *arguments],
        capture_output=True,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        check=False,
    )
    if done.returncode == 0:
        return done.stdout.decode()
    raise IsolationError(
        "copy of the interpreter does not start",
        value=done.stderr.decode(errors="replace").strip()[-200:],
        where=_base(),
        hint=f"Make a Python environment by hand and name it in {OVERRIDE}.",
    )


def _site_packages(root: Path) -> Path:
    code = "import site; print('\\n'.join(site.getsitepackages()))"
    found = (Path(line).resolve() for line in _python(root, "-c", code).splitlines())
    inside = [path for path in found if path.is_relative_to(root.resolve())]
    return inside[0] if inside else _library(root) / "site-packages"


def _library(root: Path) -> Path:
    return root / sys.platlibdir / f"python{_VERSION}"


def _extensions() -> list[Path]:
    folders = [Path(entry) for entry in sys.path if entry.endswith("lib-dynload")]
    left_out = ("_test", "_tkinter", "_xxtest", "xxlimited", "_ctypes_test")
    files = (file for folder in folders for file in sorted(folder.glob("*.so")))
    return [file for file in files if not file.name.startswith(left_out)]


def _private_libraries(file: Path) -> Iterator[Path]:
    """Shared libraries of a binary that a box would not see."""
    ldd = shutil.which("ldd")
    if ldd is None:
        return
    done = subprocess.run([ldd, str(file)], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        _, arrow, rest = line.strip().partition(" => ")
        path = rest.split(" (")[0].strip()
        if arrow and path.startswith("/") and not path.startswith(tuple(f"{s}/" for s in _SYSTEM)):
            yield Path(path)


def _base() -> str:
    return sys.base_prefix


def main() -> None:
    """Make the agent's Python now and print where it is."""
    try:
        made = ensure_agent_python(lambda line: print(line, file=sys.stderr, flush=True))
    except BenchwrightError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    print(made.root)


if __name__ == "__main__":
    main()
