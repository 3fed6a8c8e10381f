"""The suite `telemetry` as one record: conversations on telemetry whose golds are computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchwright.storage import read_json, read_toml
from benchwright.suites import Suite
from benchwright.suites.telemetry.audited import check_audit
from benchwright.suites.telemetry.baselines import AGENTS, PRIVILEGED
from benchwright.suites.telemetry.build import build, load_spec, rebuild
from benchwright.suites.telemetry.episode import session
from benchwright.suites.telemetry.families.account import told
from benchwright.suites.telemetry.pages import PAGES
from benchwright.suites.telemetry.score import SCORING
from benchwright.suites.telemetry.soundness import check_soundness
from benchwright.suites.telemetry.stored import check_store
from benchwright.suites.telemetry.unsaid import unsaid
from benchwright.tasks.model import Task
from benchwright.tasks.taskset import BUILD_FORMAT, HeldSet


def facts(held: HeldSet) -> Iterator[str]:
    """Rows per family and variant, what is missing from quotas, and what preflight dropped."""
    accounts = {(one["family"], one["variant"]): one for one in account(held)["families"]}
    for line in read_json(held.shared("candidates.json"))["families"]:
        kept, short = line["retained"], line["shortfall"]
        name = line["family"] + ("" if line["variant"] == "usual" else f", {line['variant']}")
        rows = " / ".join(str(kept[split]) for split in ("train", "dev", "test"))
        missing = ", ".join(f"{n} of {split}" for split, n in short.items() if n)
        counts = f"{line['candidates']:,} candidates, {line['eligible']:,} eligible"
        said = f"{name}: {counts}, {rows} rows"
        yield f"{said}; missing {missing}" if missing else said
        why = accounts.get((line["family"], line["variant"]))
        yield from told(why) if why is not None else ()
    flown = read_json(held.shared("preflight.json"))
    yield f"preflight: {flown['released']} of {flown['rows']} rows released"


def account(held: HeldSet) -> dict[str, Any]:
    """Why families have not more rows, as the build found it; nothing of sets that do not say."""
    record = read_toml(held.path / "shared" / "build.toml", form=BUILD_FORMAT)
    return {"families": record.get("account", [])}


def chance(task: Task) -> float:
    """A guess at a whole conversation earns nothing."""
    return 0.0


SUITE = Suite(
    name="telemetry",
    load_spec=load_spec,
    build=build,
    rebuild=rebuild,
    scoring=SCORING,
    frames=None,
    session=session,
    agents=AGENTS,
    privileged=PRIVILEGED,
    chance=chance,
    pages=PAGES,
    facts=facts,
    unsaid=unsaid,
    account=account,
    checks={"store": check_store, "soundness": check_soundness, "audit": check_audit},
    tried=("constant", "noop"),
)
