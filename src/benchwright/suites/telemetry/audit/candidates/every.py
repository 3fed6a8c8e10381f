"""All pools of a contract, in the order of its families and of their variants."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchwright.suites.telemetry.audit.candidates import groups, points, values, windows
from benchwright.suites.telemetry.audit.candidates.base import VARIANTS, Pool
from benchwright.suites.telemetry.audit.world import World

SINGLE: dict[tuple[str, str], Callable[[Pool], None]] = {
    ("point_disambiguation", "usual"): points.usual,
    ("point_disambiguation", "unresolvable"): points.unresolvable,
    ("exact_value", "usual"): values.exact,
    ("exact_value", "bad_sensor"): values.bad_sensor,
    ("exact_value", "no_such_local_time"): values.no_such_local_time,
    ("nearest_value", "usual"): values.nearest,
    ("nearest_value", "too_far"): values.too_far,
    ("quality_gate", "usual"): windows.quality,
    ("window_mean", "usual"): windows.window_mean,
    ("daily_aggregate", "usual"): windows.daily,
    ("daily_aggregate", "no_data"): windows.no_data,
    ("period_aggregate", "usual"): windows.period,
}
GROUPED = {"pairwise_comparison": groups.comparison, "ranking": groups.ranking}


def pools(world: World) -> Iterator[Pool]:
    """One pool after the other; margins of a family are learnt before it is asked."""
    for family in world.corpus.families:
        for variant in VARIANTS[family.name]:
            pool = Pool(world, family, variant)
            if family.name in GROUPED:
                margins = GROUPED[family.name](world, family)
                margins.learn()
                margins.ask(pool)
            else:
                SINGLE[family.name, variant](pool)
            yield pool
