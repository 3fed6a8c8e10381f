"""`build_pool`: from a policy to a table on disk, block by block.

    <pool>/pool.json              the policy, its digest, how many blocks there are
    <pool>/table/part-*.parquet   the table, one file per block; a file is there whole or not at all
    <pool>/report.json, .md       what the table holds, written last

A build that was stopped goes on where it was: blocks whose file is there are not computed again.
The files are the same bytes whichever executor computed them. A fixed number of blocks is under way
at a time, so memory grows by no more than the kept configurations, whose medians the report tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchwright.canonical import plain
from benchwright.errors import SpecError
from benchwright.storage import read_json, write_bytes, write_json, write_text
from benchwright.storage.records import Digest, record
from benchwright.suites.tracebench.pools.blocks import MANUAL, made_block
from benchwright.suites.tracebench.pools.configurations import BLOCK
from benchwright.suites.tracebench.pools.policy import Policy, parse_policy
from benchwright.suites.tracebench.pools.report import pool_report
from benchwright.suites.tracebench.pools.report_text import as_text

POOL_FORMAT: Final = "benchwright.pool/1"
UNDER_WAY: Final = 32
"""Blocks that may be computed or wait to be written at a time."""


@dataclass(frozen=True, slots=True)
class Pool:
    """A finished pool."""

    path: Path
    policy: Policy
    report: Mapping[str, Any]
    """As in report.json."""


def build_pool(
    policy: Policy,
    out: Path,
    executor: Executor,
    *,
    families: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Pool:
    """Draw, judge and write the pool of `policy` in `out`; the same call again resumes.

    `families` replaces the number in the policy; `progress` is told blocks done and blocks in all.

    Raises:
        SpecError: `out` holds the pool of another policy.
    """
    policy = policy if families is None else policy.model_copy(update={"families": families})
    _claim(policy, out)
    total = sum(1 for _ in _blocks(policy))
    done = sum(part_path(out, number).is_file() for number in _blocks(policy))
    owed = (number for number in _blocks(policy) if not part_path(out, number).is_file())
    for number, data in _computed(policy, owed, executor):
        write_bytes(part_path(out, number), data)
        done += 1
        if progress is not None:
            progress(done, total)
    report = pool_report(policy, out)
    write_json(out / "report.json", report)
    write_text(out / "report.md", as_text(report))
    return Pool(out, policy, report)


def open_pool(path: Path) -> Pool:
    """A finished pool; FormatError if it is none."""
    file, report = path / "pool.json", path / "report.json"
    policy = parse_policy(_stored(file).policy, file)
    return Pool(path, policy, record(_ReportFile, {"report": read_json(report)}, report).report)


def part_path(pool: Path, number: int) -> Path:
    """The file of one block."""
    name = "manual" if number == MANUAL else f"{number:06d}"
    return pool / "table" / f"part-{name}.parquet"


def _blocks(policy: Policy) -> Iterator[int]:
    if policy.manual:
        yield MANUAL
    yield from range(-(-policy.families // BLOCK))


def _claim(policy: Policy, out: Path) -> None:
    """Write what `out` will hold, or make sure that it already says so."""
    file = out / "pool.json"
    if not file.is_file():
        whole = plain(policy.model_dump(exclude_none=True))
        write_json(file, {"format": POOL_FORMAT, "digest": policy.digest, "policy": whole})
        return
    found = _stored(file).digest
    if found != policy.digest:
        raise SpecError(
            "folder holds the pool of another policy",
            value=found[:12],
            where=out,
            hint=f"Name another folder for {policy.digest[:12]}, or remove this one.",
        )


@dataclass(frozen=True, slots=True)
class _PoolFile:
    digest: Digest
    policy: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _ReportFile:
    report: Mapping[str, Any]


def _stored(file: Path) -> _PoolFile:
    return record(_PoolFile, read_json(file, form=POOL_FORMAT), file)


def _computed(
    policy: Policy, owed: Iterable[int], executor: Executor
) -> Iterator[tuple[int, bytes]]:
    """Blocks with their bytes as they are done, at most UNDER_WAY at a time."""
    pending: dict[Future[bytes], int] = {}
    for number in owed:
        pending[executor.submit(made_block, policy, number)] = number
        done = {future for future in pending if future.done()}
        if not done and len(pending) >= UNDER_WAY:
            done = wait(pending, return_when=FIRST_COMPLETED).done
        for future in done:
            yield pending.pop(future), future.result()
    while pending:
        for future in wait(pending, return_when=FIRST_COMPLETED).done:
            yield pending.pop(future), future.result()
