"""docs/telemetry.md names every key that a corpus file and its contract may have."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from benchwright.suites.telemetry.contract import model as contract
from benchwright.suites.telemetry.corpus import model as corpus

PAGE = (Path(__file__).parents[2] / "docs" / "telemetry.md").read_text(encoding="utf-8")
RECORDS = [
    one
    for module in (corpus, contract)
    for one in vars(module).values()
    if isinstance(one, type)
    and issubclass(one, corpus.Strict)
    and one.__module__ == module.__name__
]


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_every_key_is_on_the_page(kind: type[BaseModel]) -> None:
    keys = [field.alias or name for name, field in kind.model_fields.items()]
    tables = ("source", "class", "metadata", "generate", "family", "held_out", "tolerances")
    named = {*tables, "limits", "quality", "eligibility"}
    assert [key for key in keys if f"`{key}`" not in PAGE and key not in named] == []
    assert [key for key in keys if key in named and f"{key}" not in PAGE] == []


def test_there_are_records_of_both() -> None:
    assert {corpus.Source, corpus.BrickMetadata, contract.Contract, contract.Caps} <= set(RECORDS)
