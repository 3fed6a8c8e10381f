"""Archives in the upstream layout, made from a seed: the source of a corpus, and of tests.

Takes stream ids and a plan; gives a zip archive whose members are real pickles of protocols 2 to 5,
with times as seconds or as datetime64, under the names of both NumPy generations. Some streams have
no member, some are empty. Writing a pickle runs nothing; reading one is the business of `inside`.
"""

from __future__ import annotations

import pickle
import pickletools
import zipfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from benchwright.errors import SpecError
from benchwright.storage import replacing
from benchwright.suites.telemetry.bts.limits import Layout
from benchwright.suites.telemetry.bts.series import Kind, SeriesPlan, generator, series

TimeForm = Literal["seconds", "datetime64"]
PROTOCOLS: Final = (2, 3, 4, 5)
_STAMP: Final = (2024, 1, 1, 0, 0, 0)
_RENAMED: Final = (
    (b"cnumpy._core.", b"cnumpy.core."),
    (b"\x8c\x16numpy._core.multiarray", b"\x8c\x15numpy.core.multiarray"),
    (b"\x8c\x13numpy._core.numeric", b"\x8c\x12numpy.core.numeric"),
)
"""Names of NumPy 2 as protocols 2 and 3, and 4 and 5, hold them, and those of NumPy 1."""


@dataclass(frozen=True, slots=True)
class WrittenMember:
    """What stands in one member."""

    name: str
    stream: str
    kind: Kind
    rows: int
    protocol: int
    times: TimeForm


@dataclass(frozen=True, slots=True)
class Written:
    """What was written."""

    path: Path
    members: tuple[WrittenMember, ...]
    missing: tuple[str, ...]
    """Streams without a member."""


def write_archive(
    path: Path, site: str, streams: Sequence[str], plan: SeriesPlan, *, missing: int = 0
) -> Written:
    """Write the archive of a site of six characters; the order of `streams` does not matter.

    `missing` of the streams get no member. Equal arguments give equal bytes, with one version of
    NumPy and zlib.

    Raises:
        SpecError: site and stream id do not make an identifier of the layout, or stand twice.
    """
    _check(site, streams)
    order = sorted(streams)
    draw = generator(plan.seed, "order", site)
    draw.shuffle(order)
    left_out = set(draw.choice(order, min(missing, len(order)), replace=False).tolist())
    written = []
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, stream in enumerate(order):
            if stream not in left_out:
                name = f"{path.stem}/{number:04d}.pickle"
                member, data = _member(name, site, stream, plan)
                _add(archive, name, data)
                written.append(member)
    return Written(path, tuple(written), tuple(sorted(left_out)))


def pickled(
    identifier: str,
    times: npt.NDArray[Any],
    values: npt.NDArray[Any],
    protocol: int,
    *,
    numpy: Literal[1, 2] = 2,
) -> bytes:
    """One member's bytes, under the names that this generation of NumPy writes."""
    data = pickle.dumps([identifier, times, values], protocol)
    return data if numpy == 2 else _old_names(data)


def in_form(time_ms: npt.NDArray[np.int64], form: TimeForm) -> npt.NDArray[Any]:
    """Times as upstream holds them: seconds since 1970 in float64, or datetime64[ns]."""
    if form == "seconds":
        return time_ms / 1000.0
    return time_ms.astype("M8[ms]").astype("M8[ns]")


def _member(name: str, site: str, stream: str, plan: SeriesPlan) -> tuple[WrittenMember, bytes]:
    draw = generator(plan.seed, "form", stream)
    protocol = int(draw.choice(PROTOCOLS))
    form: TimeForm = "seconds" if draw.random() < 0.5 else "datetime64"
    suffix = ".csv" if draw.random() < 0.1 else ""
    numpy: Literal[1, 2] = 1 if draw.random() < 0.5 else 2
    made = series(plan, stream)
    identifier = f"{site}_{stream}{suffix}"
    data = pickled(identifier, in_form(made.time_ms, form), made.value, protocol, numpy=numpy)
    return WrittenMember(name, stream, made.kind, len(made.value), protocol, form), data


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _STAMP)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, data)


def _old_names(data: bytes) -> bytes:
    """The same pickle as NumPy 1 names its functions; frames get their new length."""
    if data[1] < 4:
        return data.replace(*_RENAMED[0])
    out, done = [], 0
    for code, length, at in pickletools.genops(data):
        if code.name == "FRAME":
            assert isinstance(length, int) and at is not None
            inner = data[at + 9 : at + 9 + length]
            for new, old in _RENAMED[1:]:
                inner = inner.replace(new, old)
            out += [data[done : at + 1], len(inner).to_bytes(8, "little"), inner]
            done = at + 9 + length
    return b"".join([*out, data[done:]])


def _check(site: str, streams: Sequence[str]) -> None:
    layout = Layout()
    wrong = [s for s in streams if layout.stream_of(f"{site}_{s}") != (site, s)]
    twice = [stream for stream, count in Counter(streams).items() if count > 1]
    if wrong or twice:
        raise SpecError(
            "name does not fit the layout" if wrong else "stream stands twice",
            value=(wrong or twice)[0],
            where=site,
            hint="A site has six characters; a stream id letters, digits, _ and -, and is unique.",
        )
