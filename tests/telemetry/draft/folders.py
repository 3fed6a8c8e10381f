"""Two folders of CSV files with a known truth, and what a draft makes of a folder.

`plant`: semicolons, decimal commas, a BOM, two header rows, a name that stands twice, an empty
column, day before month, local times through both changes of the clock. `offices`: a row per
reading with offsets, and a table of points that lacks the site.
"""

from __future__ import annotations

import math
import random
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from benchwright.suites.telemetry.corpus.adapter import Adapter
from benchwright.suites.telemetry.corpus.load import load_corpus
from benchwright.suites.telemetry.corpus.merge import Stream
from benchwright.suites.telemetry.drafting import Draft, draft, write_draft

Truth = dict[tuple[str, datetime], float]


def written(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """The folder, with these files."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def drafted(folder: Path, files: Mapping[str, str | bytes]) -> tuple[Draft, dict[str, Any], str]:
    """Draft, parsed file, and its remarks on one line each, of a folder with these files."""
    made = draft(written(folder, files))
    write_draft(made)
    remarks: list[str] = []
    for line in made.text.splitlines():
        if line.startswith("# CHECK:"):
            remarks.append(line.removeprefix("# CHECK: "))
        elif line.startswith("#   "):
            remarks[-1] += " " + line.removeprefix("#   ")
    return made, tomllib.loads(made.text), "\n".join(remarks)


def streams(folder: Path) -> dict[str, Stream]:
    """Every stream of the drafted corpus of a folder, as the adapter reads it."""
    corpus = load_corpus(folder / "corpus.toml")
    (folder / "work").mkdir()
    return {s.id: s for _, s, _ in Adapter(corpus, folder / "work").streams()}


def plant(folder: Path) -> Truth:
    """Three pumps, a file a year, half-hourly by the clocks of Vienna, 2023-08 to 2024-04."""
    draw, truth = random.Random(1), Truth()
    for pump in "123":
        meter = 0.0
        for year, first, after in (
            (2023, (2023, 8, 1), (2024, 1, 1)),
            (2024, (2024, 1, 1), (2024, 5, 1)),
        ):
            lines = ["Zeit;druck;druck;energie;reserve;modus", ";bar;bar;kWh;;"]
            at, end = (
                datetime(*day, tzinfo=ZoneInfo("Europe/Vienna")).astimezone(UTC)
                for day in (first, after)
            )
            while at < end:
                out = 5 + round(math.sin(at.hour / 4) + draw.random(), 2)
                out = -999.0 if draw.random() < 0.002 else out
                meter = round(meter + draw.random(), 3)
                cells = [out, round(2 + draw.random(), 2), meter]
                for name, value in zip(("druck", "druck_1", "energie"), cells, strict=True):
                    truth[f"pumpe_{pump}.{name}", at] = value
                text = ";".join(str(value).replace(".", ",") for value in cells)
                clock = at.astimezone(ZoneInfo("Europe/Vienna"))
                lines.append(f"{clock:%d.%m.%Y %H:%M};{text};;{draw.choice(('auto', 'hand'))}")
                at += timedelta(minutes=30)
            data = "\n".join(lines).encode("utf-8-sig")
            written(folder, {f"pumpe_{pump}_{year}.csv": data})
    return truth


def offices(folder: Path) -> Truth:
    """Four rooms of two air handlers, a row per reading, every ten minutes, twelve weeks."""
    draw, truth = random.Random(2), Truth()
    lines, points = ["point,read_at,value,quality"], ["point,type,device,room"]
    for place in range(4):
        points.append(f"R{place}/temp,Room_Temperature,AHU {place % 2},room {place}")
    for step in range(7 * 12 * 24 * 6):
        at = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=10 * step)
        for place in range(4):
            value = round(20 + place + draw.random(), 1)
            truth[f"R{place}/temp", at] = value
            lines.append(f"R{place}/temp,{at.isoformat()},{value},good")
    written(folder, {"trend.csv": "\n".join(lines), "points.csv": "\n".join(points)})
    return truth
