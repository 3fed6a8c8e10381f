"""Score rows: one per owed episode and metric, reached or not; `rows.parquet` is derived from them.

Everything that was planned has a row, so no table can lose an episode without saying so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path

from benchwright.canonical import canonical_json
from benchwright.episodes.folder import RunFolder
from benchwright.episodes.model import Episode, Planned
from benchwright.errors import FormatError, RunError
from benchwright.scoring.model import ScoreRow, ScoreSheet, Scoring
from benchwright.scoring.sheets import read_sheet, sheet_path
from benchwright.storage import read_bytes, write_bytes
from benchwright.storage.records import record
from benchwright.tasks.model import Task

ROWS_FORMAT = "benchwright.rows/1"
NOT_YET = "not run yet"


def rows_of(run: RunFolder, tasks: Callable[[str], Task], scoring: Scoring) -> Iterator[ScoreRow]:
    """Rows of every planned episode of `run`, in planned order, as scored by `scoring`."""
    opened = cache(tasks)
    for planned in run.plan:
        task = opened(planned.task_id)
        _same_task(planned, task)
        blank = _blank(planned, task, scoring.name)
        metrics = scoring.metrics(task)
        if run.is_closed(planned.id):
            episode = run.episode(planned.id)
            yield from _scored(blank, episode, _sheet(scoring, task, episode))
        else:
            yield from (replace(blank, metric=metric) for metric in metrics)


def write_rows(run: Path, rows: list[ScoreRow]) -> None:
    """Write `rows.parquet`; axes are one JSON column, so that every suite fits one file."""
    import io

    import pyarrow as pa
    import pyarrow.parquet as pq

    records = [{**asdict(row), "axes": canonical_json(row.axes).decode()} for row in rows]
    table = pa.Table.from_pylist(records, schema=_schema())
    sink = io.BytesIO()
    pq.write_table(table, sink)
    write_bytes(run / "rows.parquet", sink.getvalue())


def read_rows(run: Path) -> list[ScoreRow]:
    """Rows as written by the last scoring of `run`."""
    import io

    import pyarrow as pa
    import pyarrow.parquet as pq

    path = run / "rows.parquet"
    if not path.is_file():
        raise RunError(
            "run has no score rows",
            value=str(run),
            where=path,
            hint=f"Derive them with: benchwright score {run}",
        )
    try:
        rows = pq.read_table(io.BytesIO(read_bytes(path))).to_pylist()
        kept = [{**row, "axes": json.loads(row["axes"])} for row in rows]
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError) as error:
        raise FormatError(
            "file holds no score rows",
            value=f"{type(error).__name__}: {error}",
            where=path,
            hint=f"Remove it and derive the rows again with: benchwright score {run}",
        ) from error
    return [record(ScoreRow, row, path) for row in kept]


def _same_task(planned: Planned, task: Task) -> None:
    if planned.task_digest != task.digest:
        raise RunError(
            "episode was planned for another version of its task",
            value=planned.task_digest,
            where=planned.id,
            hint="Name the original set with --tasks.",
        )


def why_owed(planned: Planned, task: Task) -> str:
    """Why an episode has not been run, as far as its plan says so."""
    if planned.agent.sandbox == "none" and task.submission.mode == "programmatic":
        return "a rule is executed in a sandbox only, and this agent runs without one"
    return NOT_YET


def _blank(planned: Planned, task: Task, scorer: str) -> ScoreRow:
    agent = planned.agent
    return ScoreRow(
        episode_id=planned.id,
        suite=task.suite,
        task_id=task.id,
        cluster=task.cluster,
        axes=task.axes,
        agent=agent.name,
        privileged=agent.privileged,
        sandbox=agent.sandbox,
        model=agent.model,
        trial=planned.trial,
        scorer=scorer,
        metric="",
        value=None,
        status="missing",
        owner=None,
        reason=why_owed(planned, task),
    )


def _sheet(scoring: Scoring, task: Task, episode: Episode) -> ScoreSheet:
    """The stored sheet of an episode, once it says what a sheet of this scorer can say."""
    file = sheet_path(episode.folder, scoring.name)
    if not file.is_file():
        raise RunError(
            "episode was not scored by this scorer",
            value=scoring.name,
            where=episode.folder,
            hint="Score the run again; rows of different scorers never share a table.",
        )
    sheet = read_sheet(episode.folder, scoring.name)
    metrics = scoring.metrics(task)
    if tuple(score.metric for score in sheet.scores) != metrics:
        raise FormatError(
            "sheet has other metrics than its scorer",
            value=[score.metric for score in sheet.scores],
            where=file,
            hint=f"It must have {', '.join(metrics)}. Restore the run folder, or score it again.",
        )
    scoring.check(task, sheet)
    return sheet


def _scored(blank: ScoreRow, episode: Episode, sheet: ScoreSheet) -> Iterator[ScoreRow]:
    for score in sheet.scores:
        yield replace(
            blank,
            metric=score.metric,
            value=score.value,
            status=score.status,
            owner=episode.owner,
            reason=score.reason,
        )


def _schema() -> object:
    import pyarrow as pa

    kinds = {"privileged": pa.bool_(), "trial": pa.int64(), "value": pa.float64()}
    names = list(ScoreRow.__dataclass_fields__)
    fields = [pa.field(name, kinds.get(name, pa.string())) for name in names]
    return pa.schema(fields, metadata={"format": ROWS_FORMAT})
