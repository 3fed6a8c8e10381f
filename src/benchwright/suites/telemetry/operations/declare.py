"""The declaration of the nine operations: name, arguments, result, words; the rest follows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from benchwright.suites.telemetry.operations import arguments as a
from benchwright.suites.telemetry.operations import results as r
from benchwright.suites.telemetry.operations.groups import calendar_profile, preview, rank_window
from benchwright.suites.telemetry.operations.lookup import lookup_observation
from benchwright.suites.telemetry.operations.reads import handle
from benchwright.suites.telemetry.operations.refusals import Refusal, Refused
from benchwright.suites.telemetry.operations.resolve import resolve_point
from benchwright.suites.telemetry.operations.windows import (
    aggregate_period,
    compare_window,
    inspect_quality_window,
    window_mean,
)
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.session import Operation

DECLARED: tuple[tuple[Callable[..., BaseModel], type[BaseModel], type[BaseModel]], ...] = (
    (resolve_point, a.ResolvePoint, r.PointResult),
    (lookup_observation, a.LookupObservation, r.Reading),
    (window_mean, a.Windowed, r.WindowResult),
    (aggregate_period, a.AggregatePeriod, r.WindowResult),
    (compare_window, a.CompareWindow, r.Comparison),
    (rank_window, a.RankWindow, r.Ranking),
    (inspect_quality_window, a.Windowed, r.QualityResult),
    (calendar_profile, a.OneStream, r.Profile),
    (preview, a.OneStream, r.Preview),
)
"""Name and words are those of the function."""


def operations(store: Store) -> tuple[Operation, ...]:
    """Every operation on one store, in the order of `DECLARED`."""
    return tuple(_operation(store, *declared) for declared in DECLARED)


def _told(refusal: Refusal, operation: str, arguments: BaseModel) -> Refusal:
    """The refusal with its handle: of operation, arguments as given, error and candidates."""
    said = {"refused": refusal.error, "candidates": refusal.candidates}
    named = handle(operation, arguments.model_dump(), said)
    return refusal.model_copy(update={"handle": named})


def _operation(
    store: Store,
    function: Callable[..., Any],
    taken: type[BaseModel],
    given: type[BaseModel],
) -> Operation:
    def call(arguments: BaseModel) -> BaseModel:
        try:
            result = function(store, arguments)
        except Refused as stop:
            return _told(stop.refusal, function.__name__, arguments)
        assert isinstance(result, given)
        return result

    return Operation(function.__name__, function.__doc__ or "", taken, given, call)
