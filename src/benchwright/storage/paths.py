"""Names from outside become paths that stay below their folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from benchwright.errors import SpecError


def safe_join(root: Path, relative: str) -> Path:
    """`root/relative` for a name from outside; refuses absolute names, `..` and links out of it."""
    pure = PurePosixPath(relative)
    odd = not pure.parts or pure.is_absolute() or ".." in pure.parts or "\0" in relative
    if odd or _leaves(root, pure):
        raise SpecError(
            "name leaves its folder",
            value=relative,
            where=root,
            hint="Use a plain relative name below that folder.",
        )
    return root.joinpath(*pure.parts)


def _leaves(root: Path, relative: PurePosixPath) -> bool:
    """Whether links lead out of `root`; links that go round in circles lead nowhere."""
    try:
        return not root.joinpath(*relative.parts).resolve().is_relative_to(root.resolve())
    except RuntimeError:
        return True
