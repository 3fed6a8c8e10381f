"""The report of a pool as Markdown, for people. Takes the data of `report.py`, computes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def as_text(report: Mapping[str, Any]) -> str:
    """The whole report."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    yield f"# Pool {report['policy']} of {report['system']}"
    yield ""
    yield (
        f"{report['families']:,} configurations, {report['candidates']:,} candidates, "
        f"{report['gaps']:,} pairs of parameter and direction without a valid value; "
        f"{report['kept_families']:,} configurations kept. Dynamics {report['dynamics']}, "
        f"policy {report['digest'][:12]}."
    )
    asked = report["two_stage"]
    if asked["asked"]:
        yield ""
        yield (
            f"Two-stage Monte Carlo (128, then 1,024 draws) judged {asked['asked']:,} candidates; "
            f"{asked['differ']:,} verdicts differ from the closed form."
        )
    yield from _section("Kept and rejected by class", _classes(report["classes"]))
    yield from _section("Coverage: kept of candidates", _coverage(report["coverage"]))
    yield from _section("Kept configurations beside the paper's pool", _variables(report))


def _section(title: str, rows: Iterable[list[str]]) -> Iterator[str]:
    yield from ("", f"## {title}", "")
    for number, row in enumerate(rows):
        yield "| " + " | ".join(row) + " |"
        if number == 0:
            yield "|" + "---|" * len(row)


def _classes(classes: list[Mapping[str, Any]]) -> Iterator[list[str]]:
    yield ["class", "candidates", "kept", "rejected because"]
    for row in classes:
        most = sorted(row["rejected"].items(), key=lambda item: (-item[1], item[0]))
        why = ", ".join(f"{reason} {count:,}" for reason, count in most)
        yield [row["label"], f"{row['candidates']:,}", f"{row['kept']:,}", why or "none"]


def _coverage(cells: list[Mapping[str, Any]]) -> Iterator[list[str]]:
    yield ["parameter", "direction", *dict.fromkeys(cell["time"] for cell in cells)]
    found: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        row = found.setdefault((cell["parameter"], cell["direction"]), [])
        row.append(f"{cell['kept']:,} of {cell['candidates']:,}")
    for (parameter, direction), row in found.items():
        yield [parameter, direction, *row]


def _variables(report: Mapping[str, Any]) -> Iterator[list[str]]:
    yield ["variable", "unit", "least", "median", "greatest", "paper: least", "median", "greatest"]
    for row in report["variables"]:
        ours = ["none"] * 3 if row["ours"] is None else [f"{n:.5g}" for n in row["ours"]]
        yield [row["variable"], row["unit"], *ours, *(f"{n:.5g}" for n in row["paper"])]
