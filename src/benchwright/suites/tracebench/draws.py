"""Random numbers that depend on their name and on nothing else.

Takes a seed and a name; gives normals and uniforms by block. One Philox generator carries a name:
its key is a digest of (seed, name), its counter starts at a block of its own for every (channel,
component). So a draw does not depend on the order of calls, on the batch, or on what else is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchwright.canonical import digest

WHITE: Final = 0
DRIFT: Final = 1
BIAS: Final = 2
_KEY_DIGITS: Final = 32


class Stream:
    """The draws of one name under one seed. Not for use by two threads at once."""

    def __init__(self, seed: str, name: str | Sequence[str]) -> None:
        key = int(digest([seed, name])[:_KEY_DIGITS], 16)
        self._bits = np.random.Philox(key=key)
        self._generator = np.random.Generator(self._bits)
        self._start: Any = self._bits.state

    def at(self, channel: int, component: int) -> np.random.Generator:
        """The generator, set to the start of a block; blocks are 2**128 draws apart."""
        self._start["state"]["counter"][:] = (0, 0, component, channel)
        self._bits.state = self._start
        return self._generator

    def normals(self, channel: int, component: int, size: int) -> NDArray[np.float64]:
        """`size` standard normals from the start of the block."""
        return self.at(channel, component).standard_normal(size)

    def uniforms(self, channel: int, component: int, size: int) -> NDArray[np.float64]:
        """`size` uniform numbers in [0, 1) from the start of the block."""
        return self.at(channel, component).random(size)
