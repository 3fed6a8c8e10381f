"""Score rows: one per owed episode and metric, reached or not; `rows.parquet` is derived from them.

Everything that was planned has a row, so no table can lose an episode without saying so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

from benchwright.canonical import canonical_json
from benchwright.episodes.folder import RunFolder
from benchwright.episodes.model import Episode, Planned
from benchwright.errors import RunError
from benchwright.scoring.model import ScoreRow, Scoring
from benchwright.scoring.sheets import read_sheet, sheet_path
from benchwright.storage import write_bytes
from benchwright.tasks.model import Task

ROWS_FORMAT = "benchwright.rows/1"
NOT_YET = "not run yet"


def rows_of(run: RunFolder, tasks: Callable[[str], Task], scoring: Scoring) -> Iterator[ScoreRow]:
    """Rows of every planned episode of `run`, in planned order, as scored by `scoring`."""
    for planned in run.plan:
        task = tasks(planned.task_id)
        blank = _blank(planned, task, scoring.name)
        metrics = scoring.metrics(task)
        if run.is_closed(planned.id):
            yield from _scored(blank, run.episode(planned.id), metrics)
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
    import pyarrow.parquet as pq

    path = run / "rows.parquet"
    if not path.is_file():
        raise RunError(
            "run has no score rows",
            value=str(run),
            where=path,
            hint=f"Derive them with: benchwright score {run}",
        )
    table = pq.read_table(path)
    return [ScoreRow(**{**r, "axes": json.loads(r["axes"])}) for r in table.to_pylist()]


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


def _scored(blank: ScoreRow, episode: Episode, metrics: tuple[str, ...]) -> Iterator[ScoreRow]:
    if not sheet_path(episode.folder, blank.scorer).is_file():
        raise RunError(
            "episode was not scored by this scorer",
            value=blank.scorer,
            where=episode.folder,
            hint="Score the run again; rows of different scorers never share a table.",
        )
    scores = {score.metric: score for score in read_sheet(episode.folder, blank.scorer).scores}
    for metric in metrics:
        score = scores[metric]
        yield replace(
            blank,
            metric=metric,
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
