"""The files of a run at its end: those of the folder it left, else those that the log shows.

Takes effects of calls in order, and a folder of artifacts where there is one; gives texts. Of the
folder plain files are opened, none through a link and none over `LARGEST` bytes.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from benchwright.trajectory.evidence import Evidence
from benchwright.trajectory.files.effects import Effect
from benchwright.trajectory.files.state import FileState

LARGEST = 4 * 1024 * 1024
MOST = 20_000
"""Files of a folder that are listed."""
_WRITES = ("write", "append", "edit", "patch", "diff")


class FilesAtEnd:
    """Fold of effects; paths as the log names them, or relative to the artifacts folder."""

    def __init__(self, artifacts: Path | None = None) -> None:
        self.root = artifacts
        self._states: dict[str, FileState] = {}
        self._writers: dict[str, list[int]] = {}
        self._removed: dict[str, int] = {}

    def apply(self, effect: Effect, act: int) -> None:
        """Take what the call of act number `act` did."""
        if effect.path is None or effect.kind == "nothing":
            return
        path = effect.path
        if effect.kind in ("move", "copy") and effect.to:
            known = self._states.get(path)
            self._states[effect.to] = FileState(
                known.text if known else None, True, known.doubts if known else ("unknown",)
            )
            self._writers.setdefault(effect.to, []).append(act)
            if effect.kind == "move":
                self._states[path] = FileState(None, False, ())
            return
        if effect.kind == "delete":
            for name in [p for p in self._states if p == path or p.startswith(f"{path}/")]:
                self._states[name] = FileState(None, False, ())
            self._states[path] = FileState(None, False, ())
            self._removed[path] = act
            return
        if effect.kind not in (*_WRITES, "seen", "opaque", "touch"):
            return
        self._states.setdefault(path, FileState()).apply(effect, "")
        if effect.kind != "seen":
            self._writers.setdefault(path, []).append(act)

    def written(self) -> dict[str, list[int]]:
        """Paths that calls wrote, each with the numbers of those acts."""
        return self._writers

    def writers(self, path: str) -> list[int]:
        """Numbers of the acts that wrote the file, under any path that can mean it."""
        return sorted({n for own, acts in self._writers.items() if same(own, path) for n in acts})

    def deleted(self, path: str) -> bool:
        """Whether the log shows that the file was removed and not made again."""
        states = [s for own, s in self._states.items() if same(own, path)]
        if states:
            return all(s.exists is False for s in states)
        return any(same(folder, one) for folder in self._removed for one in _above(path))

    def removed_by(self, path: str) -> int:
        """Number of the act that removed the file or a folder above it; -1 where none did."""
        name = posixpath.normpath(path)
        found = [
            act
            for folder, act in self._removed.items()
            if same(folder, name) or any(same(folder, a) for a in _above(name))
        ]
        return max(found, default=-1)

    def from_log(self, path: str) -> str | None:
        """Last text that the log gives for the file."""
        found = [s for own, s in self._states.items() if same(own, path) and s.text is not None]
        return found[-1].text if found else None

    @cached_property
    def left(self) -> dict[str, Path]:
        """Files of the artifacts folder by path below it."""
        if self.root is None:
            return {}
        found: dict[str, Path] = {}
        for where, folders, names in os.walk(self.root):
            folders.sort()
            for name in sorted(names):
                file = Path(where, name)
                if not file.is_symlink() and file.is_file() and len(found) < MOST:
                    found[file.relative_to(self.root).as_posix()] = file
        return found

    def unread(self) -> tuple[str, ...]:
        """Files of the folder that are over the limit, each with its size."""
        sizes = {path: file.stat().st_size for path, file in self.left.items()}
        large = {path: size for path, size in sizes.items() if size > LARGEST}
        return tuple(f"{path}: {size:,} bytes, not read" for path, size in large.items())

    def handed_in(self) -> Iterator[str]:
        """Paths of what was handed in: of the folder, else what calls wrote and nothing removed."""
        if self.root is not None:
            yield from self.left
            return
        yield from (p for p in self._writers if not self.deleted(p))

    def data(self, path: str) -> bytes | None:
        """Content of a file that was handed in, as far as the folder or the log gives it."""
        if self.root is not None:
            file = self.left.get(path)
            if file is None or file.stat().st_size > LARGEST:
                return None
            return file.read_bytes()
        state = self._states.get(path)
        if state is None or state.text is None:
            return None
        return state.text.encode("utf-8", "surrogatepass")

    def text(self, path: str) -> str | None:
        """As `data`, as text; None for what is none."""
        data = self.data(path)
        if data is None or b"\0" in data[:4096]:
            return None
        return data.decode("utf-8", "replace")

    def evidence(self, path: str, quote: str | None) -> Evidence:
        """A pointer into a file of the folder, at the line where the quote stands."""
        text = self.text(path) or ""
        words = (quote or "").strip().splitlines()
        for number, line in enumerate(text.split("\n") if words else (), start=1):
            if words[0].strip() in line:
                return Evidence(f"artifact:{path}", str(number), words[0].strip()[:160])
        return Evidence(f"artifact:{path}", "")


def _above(path: str) -> list[str]:
    """The folders that a path is in."""
    parts = posixpath.normpath(path).split("/")
    return [one for n in range(1, len(parts)) if (one := "/".join(parts[:n]))]


def same(own: str, name: str) -> bool:
    """Whether two paths can mean one file: equal, or one the end of the other."""
    own, name = posixpath.normpath(own), posixpath.normpath(name)
    return own == name or own.endswith(f"/{name}") or name.endswith(f"/{own}")
