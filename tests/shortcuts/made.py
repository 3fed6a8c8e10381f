"""Views that are made up: configurations that serve classes, with or without a planted leak."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchwright.checks.shortcuts.view import View

CLASSES = ("drag", "gravity", "mass", "none")
Series = NDArray[np.float32]
Leak = Callable[[Series, int, NDArray[np.float64]], Series]
"""From the series of a sample [channel, row], the number of its class and its noise."""


def silent(series: Series, label: int, noise: NDArray[np.float64]) -> Series:
    return series


def offset(series: Series, label: int, noise: NDArray[np.float64]) -> Series:
    """A channel begins at another value for each class."""
    shifted = series.copy()
    shifted[1] += np.float32(0.3 * label)
    return shifted


def louder(series: Series, label: int, noise: NDArray[np.float64]) -> Series:
    """Noise grows with the class."""
    return (series + noise * label).astype(np.float32)


def series_view(leak: Leak = silent, *, groups: int = 40, rows: int = 64, seed: int = 7) -> View:
    """Each configuration has its own two sines and serves every class once, with its own noise."""
    draw = np.random.default_rng(seed)
    time = np.arange(rows) / rows
    found, labels, names = [], [], []
    for group in range(groups):
        speed, size = draw.uniform(2, 20, (2, 1)), draw.uniform(1, 4, (2, 1))
        clean = size * np.sin(speed * time)
        for label in range(len(CLASSES)):
            noise = draw.normal(0, 0.05, clean.shape)
            found.append(leak((clean + noise).astype(np.float32), label, noise))
            labels.append(CLASSES[label])
            names.append(f"c{group:03d}")
    return view(np.stack(found), tuple(labels), tuple(names), seed)


def view(
    data: NDArray[np.floating], labels: tuple[str, ...], groups: tuple[str, ...], seed: int = 7
) -> View:
    """The data as a view, whose sample names say nothing about class or configuration."""
    names = np.random.default_rng(seed).permutation(len(labels))
    samples = tuple(f"s{number:04d}" for number in names)
    return View("made up", "rows", samples, labels, groups, data)
