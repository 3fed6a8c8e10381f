"""From a folder of CSV files to a corpus file that loads, with marks where a person must say.

Takes a folder and the place of the new file, which is the folder or above it; gives a `Draft`,
which `write_draft` writes. Nothing is written before the draft has been read back by the readers of
corpora.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from benchwright.errors import SpecError
from benchwright.storage import write_text
from benchwright.suites.telemetry.contract.model import read_contract
from benchwright.suites.telemetry.corpus.load import parse_corpus
from benchwright.suites.telemetry.drafting.classes import (
    Class,
    Part,
    class_lines,
    classes_of,
    points_of,
)
from benchwright.suites.telemetry.drafting.groups import grouped
from benchwright.suites.telemetry.drafting.holdout import contract_lines
from benchwright.suites.telemetry.drafting.lines import MARK, check, note, some, text
from benchwright.suites.telemetry.drafting.naming import build_of, slug
from benchwright.suites.telemetry.drafting.shape import NoTable
from benchwright.suites.telemetry.drafting.sheets import Sheet, sheet_of
from benchwright.suites.telemetry.drafting.sources import conflicts_of, source_lines
from benchwright.suites.telemetry.drafting.streams import columns_of
from benchwright.suites.telemetry.drafting.tables import Table, table_of
from benchwright.suites.telemetry.drafting.zoned import times_of, zone_of


@dataclass(frozen=True, slots=True)
class Draft:
    """A drafted corpus file, not written yet."""

    out: Path
    text: str
    table: Table | None
    files: int
    sources: int
    streams: int
    left: tuple[tuple[str, str], ...]
    """Files that no source reads, with the reason."""

    @property
    def checks(self) -> int:
        """How many remarks ask for a look."""
        return sum(line.startswith(MARK) for line in self.text.splitlines())


def draft(folder: Path, out: Path | None = None) -> Draft:
    """Look at every CSV file below `folder`, and draft the corpus file `out` (corpus.toml there).

    Raises:
        SpecError: no such folder, no CSV file, none that holds readings, or one that cannot be
            opened; or `out` lies where the data are not below it.
    """
    out = folder / "corpus.toml" if out is None else out
    base = _base(folder, out)
    own = out.with_name(f"{out.stem}.points.csv").name
    found = [path for path in _files(folder, base) if path != own]
    sheets, left = _sheets(base, found)
    sheets, copies = _without_copies(sheets)
    left += copies
    groups = grouped([sheet for sheet in sheets if sheet.clocks])
    calendar, why = zone_of(groups)
    parts = [Part(g, columns_of(g), times_of(g, calendar)) for g in groups]
    parts, barren = _with_values(parts)
    left = [*left, *barren]
    timeless = [(s.path, "no column of it holds times") for s in sheets if not s.clocks]
    if not parts:
        name, reason = (*left, *timeless)[0]
        raise SpecError(
            "no CSV file here holds readings with their times",
            value=str(folder),
            where=f"{name}: {reason}",
            hint="Each file needs a header, a column of times and columns of numbers.",
        )
    site = slug(folder.resolve().name)
    table = _table(parts, [s for s in sheets if not s.clocks], own, site)
    used = {table.source, table.path} if table is not None else set()
    left += [one for one in timeless if one[0] not in used]
    classes = classes_of(parts, table)
    lines = _lines(site, (calendar, why), parts, table, classes, sorted(left))
    said = "\n".join(lines) + "\n"
    data = tomllib.loads(said)
    read_contract(parse_corpus(data, out, base).contract, out)
    return Draft(
        out=out,
        text=said,
        table=table,
        files=sum(len(part.group.sheets) for part in parts),
        sources=len(parts),
        streams=sum(len(one.streams) for one in classes),
        left=tuple(sorted(left)),
    )


def write_draft(made: Draft) -> None:
    """Write the corpus file, and its table of points if it has one of its own.

    Raises:
        SpecError: one of them is there already and says something else.
    """
    texts_ = {made.out: made.text}
    if made.table is not None and made.table.text is not None:
        texts_[made.out.with_name(made.table.path)] = made.table.text
    for path, said in texts_.items():
        if path.exists() and path.read_bytes() != said.encode():
            raise SpecError(
                "file is there already, perhaps with your corrections",
                value=str(path),
                where="--out",
                hint="Name another file by --out, or remove this one.",
            )
    for path, said in texts_.items():
        write_text(path, said)


def _base(folder: Path, out: Path) -> Path:
    if not folder.is_dir():
        raise SpecError(
            "no such folder",
            value=str(folder),
            where="FOLDER",
            hint="Name the folder of the CSV files.",
        )
    base = out.parent
    if not folder.resolve().is_relative_to(base.resolve()) or not base.is_dir():
        raise SpecError(
            "corpus file would not find its data",
            value=str(out),
            where="--out",
            hint=f"Write it into {folder} or a folder above: its files are looked for beside it.",
        )
    return base


def _files(folder: Path, base: Path) -> list[str]:
    """Paths of CSV files from `base`, sorted; hidden ones are left alone."""
    root, found = folder.resolve(), []
    for path in sorted(root.rglob("*")):
        inner = path.relative_to(root).parts
        if path.suffix.lower() == ".csv" and path.is_file() and not any(p[0] == "." for p in inner):
            found.append(path.relative_to(base.resolve()).as_posix())
    if not found:
        raise SpecError(
            "no CSV file found",
            value=str(folder),
            where="FOLDER",
            hint="Name the folder that holds files with the ending .csv, here or further below.",
        )
    return found


def _sheets(base: Path, paths: Sequence[str]) -> tuple[list[Sheet], list[tuple[str, str]]]:
    sheets, left = [], []
    for path in paths:
        try:
            sheets.append(sheet_of(base, path))
        except NoTable as error:
            left.append((path, str(error)))
    return sheets, left


def _without_copies(sheets: Sequence[Sheet]) -> tuple[list[Sheet], list[tuple[str, str]]]:
    """One sheet of each content: the one whose name is built like most others, then the first."""
    alike: dict[str, list[Sheet]] = defaultdict(list)
    builds = Counter(build_of(sheet.path) for sheet in sheets)
    for sheet in sheets:
        alike[sheet.sha256].append(sheet)
    kept, left = [], []
    for same in alike.values():
        first = max(same, key=lambda sheet: builds[build_of(sheet.path)])
        kept.append(first)
        reason = f"it is a copy of {first.path}, byte for byte"
        left += [(sheet.path, reason) for sheet in same if sheet is not first]
    return kept, left


def _with_values(parts: Sequence[Part]) -> tuple[list[Part], list[tuple[str, str]]]:
    kept, left = [], []
    for part in parts:
        if part.columns.channels and not (part.group.long and part.columns.channels[0].words):
            kept.append(part)
            continue
        reason = "it has times, and no column of numbers or few words"
        left += [(sheet.path, reason) for sheet in part.group.sheets]
    return kept, left


def _table(parts: Sequence[Part], sheets: Sequence[Sheet], own: str, site: str) -> Table | None:
    ids: dict[str, str] = {}
    for part in parts:
        for sheet in part.group.sheets if part.group.long else ():
            assert sheet.long is not None
            for stream in sheet.long.ids:
                ids.setdefault(stream, part.group.naming.of(sheet.path))
    return table_of(ids, sheets, own, site) if ids else None


def _lines(
    site: str,
    calendar: tuple[str, str],
    parts: Sequence[Part],
    table: Table | None,
    classes: Sequence[Class],
    left: Sequence[tuple[str, str]],
) -> list[str]:
    lines = note(
        "Drafted by benchwright store draft from the files alone. Every line that "
        "begins with CHECK asks for a look; the value below it stands until you change it."
    )
    for path, reason in left:
        lines += check(f"left out: {path}: {reason}.")
    lines += [
        'format = "benchwright.corpus/1"',
        'suite = "telemetry"',
        f"name = {text(site.replace('_', '-'))}",
    ]
    lines += [*check("a title that others understand."), f"title = {text(f'Logs of {site}')}"]
    lines += [*check("under which terms these data may be used."), 'licence = "not stated"']
    lines += [*check("what these data tell about people."), 'privacy = "not stated"']
    lines += [*check(f"zone, whose days, weeks and months are meant: {calendar[1]}.")]
    lines += [f"zone = {text(calendar[0])}", *_conflicts(parts)]
    for one in classes:
        lines += ["", *class_lines(one)]
    lines += [
        "",
        *check(
            "site, equipment and classes are made of the names of folder, files and "
            "columns; points of one meaning should share a class, or none are compared: write one "
            "class at all of them, and at each the equipment (or location) that it belongs to."
        ),
    ]
    for part in parts:
        lines += ["", *source_lines(part, site)]
    if table is not None:
        lines += ["", *_metadata(table, parts)]
    points = points_of(parts, table, classes)
    return [*lines, "", *contract_lines(points, _days(parts))]


def _conflicts(parts: Sequence[Part]) -> list[str]:
    found = [conflict for part in parts for conflict in conflicts_of(part)]
    if not found:
        return []
    stream, count, first = min(found, key=lambda one: one[2])
    total = sum(count for _, count, _ in found)
    said = (
        f"{stream} has {count} instants with two different values, the first at {first} UTC"
        if len(found) == 1
        else f"{len(found)} streams have {total} instants with two different values, the first "
        f"{stream} at {first} UTC"
    )
    return [
        *check(f"{said}; dropped, neither of them counts."),
        'conflicts = "drop"',
    ]


def _metadata(table: Table, parts: Sequence[Part]) -> list[str]:
    lines = []
    if table.text is not None:
        made = f"with the words of {table.source} and" if table.source else "from ids alone, with"
        filled = ", ".join(table.filled) or "points that it does not have"
        lines += check(
            f"this table was written {made} these made up: {filled}. Correct it "
            "there, and put its new sha256 here: the build says which."
        )
    ids = {s for part in parts for sheet in part.group.sheets if sheet.long for s in sheet.long.ids}
    absent = sorted(ids - table.rows.keys())
    if absent:
        lines += check(f"streams that the table does not have, left out: {some(absent)}")
    lines += ["[metadata]", 'form = "table"', "", "[metadata.files]"]
    lines += [f"{text(table.path)} = {text(table.sha256)}", "", "[metadata.columns]"]
    return lines + [f"{field} = {text(column)}" for field, column in table.columns.items()]


def _days(parts: Sequence[Part]) -> tuple[date, date]:
    every = [part.group.days() for part in parts]
    return min(first for first, _ in every), max(last for _, last in every)
