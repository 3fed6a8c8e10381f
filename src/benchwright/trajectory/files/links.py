"""The links that a log made: which names mean the same file. Links from before are not known."""

from __future__ import annotations

from benchwright.trajectory.files.names import mentions, mentions_folder

_MOST = 64


class Links:
    """Pairs of names; grows with the links that were made."""

    def __init__(self) -> None:
        self._pairs: list[tuple[str, str]] = []
        self.unknown = False
        """Whether a link was made whose names the log does not tell."""

    def __bool__(self) -> bool:
        return self.unknown or bool(self._pairs)

    def add(self, path: str | None, target: str | None) -> None:
        """`path` became another name of `target`; None: nobody knows which."""
        if path is None or target is None or len(self._pairs) >= _MOST:
            self.unknown = True
        elif (path, target) not in self._pairs:
            self._pairs.append((path, target))

    def carry(self, source: str, target: str) -> None:
        """What lies at `source` was moved or copied to `target`: the links in it too."""
        base = source.rpartition("/")[2]
        for path, end in list(self._pairs):
            rest = _below(path, source)
            if rest is not None:
                self.add(target + rest, end)
                self.add(f"{target}/{base}{rest}", end)
            gone = _below(end, source)
            if gone is not None:
                self.add(path, target + gone)
                self.add(path, f"{target}/{base}{gone}")

    def named(self, words: str) -> set[str]:
        """All names of links that the words of a program name."""
        return {
            other
            for pair in self._pairs
            for name in pair
            if mentions(words, name) or mentions_folder(words, f"{name}/")
            for other in (name, *self.others(name))
        }

    def others(self, path: str) -> set[str]:
        """Other names of a file or folder through the links."""
        found, new = {path}, [path]
        while new and len(found) <= _MOST:
            name = new.pop()
            for one, two in self._pairs:
                for here, there in ((one, two), (two, one)):
                    rest = _below(name, here)
                    other = None if rest is None else there + rest
                    if other is not None and other not in found:
                        found.add(other)
                        new.append(other)
        if new:
            self.unknown = True
        return found - {path}


def _below(path: str, folder: str) -> str | None:
    """What stands behind `folder` in `path`; None where it is not below it."""
    if path == folder:
        return ""
    return path[len(folder) :] if path.startswith(f"{folder}/") else None
