"""Records of rule execution: what goes in, what comes out, what it may use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Frame:
    """One sample as the rule sees it."""

    name: str
    """Known to the caller only; the rule is not told."""
    columns: tuple[str, ...]
    values: npt.NDArray[np.float32] | npt.NDArray[np.float64]
    """Shape [row, column]."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Labels in order of preference, or the error that this sample cost."""

    name: str
    labels: tuple[str, ...] | None
    error: str | None


@dataclass(frozen=True, slots=True)
class RuleLimits:
    """Limits of the import and the call of one sample, and of all samples together."""

    sample_s: int = 10
    cpu_s: int = 10
    import_s: int = 60
    total_s: int = 1800
    data_mb: int = 1024
    """Heap of one process."""
    memory_mb: int = 2048
    """All processes of the rule together."""
    processes: int = 64
    answer_bytes: int = 65_536
