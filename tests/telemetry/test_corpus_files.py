"""Corpus files: strict, with the nearest name; nothing about one corpus stands in code."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchwright.errors import SpecError
from benchwright.suites.telemetry.corpus.adapter import Adapter
from benchwright.suites.telemetry.corpus.load import load_corpus, shipped_corpora
from benchwright.suites.telemetry.corpus.readings import ADJUSTED, DROPOUT
from tests.telemetry.corpora import TEMPERATURE, channel, make, wide
from tools.source import PACKAGE, python_files

FILES = {"a.csv": "time,t\n2024-01-01 00:00,1\n"}


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (wide(delimeter=";"), r"unknown key: 'delimeter'.*Did you mean delimiter"),
        (wide(channel=[channel("t", colour="x")]), r"unknown key: 'colour'"),
        (wide(channel=[channel("t", **{"class": "Temprature"})]), r"Did you mean Temperature"),
        (wide(channel=[channel("t", match="t")]), "needs a column or a match"),
        (wide(channel=[]), "wide source needs channels"),
        (wide(time={"column": "time", "zone": "Europe/Belgrad"}), "unknown time zone"),
        (wide(time={"column": "t", "form": ["%d.%m.%Y"], "zone": "offset"}), "carry no offset"),
        (wide(pattern="("), "no regular expression"),
        (wide(regimes=[{"step_s": 60}, {"step_s": 30}]), "not in order of time"),
        (wide(channel=[channel("t", "{unit}.t")]), "template names what neither"),
        (wide(form="long_csv", channel=[]), "long source needs columns"),
    ],
)
def test_a_source_that_cannot_be_used_is_refused(tmp_path: Path, source: Any, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        Adapter(make(tmp_path, FILES, source), tmp_path)


def test_classes_are_strict(tmp_path: Path) -> None:
    empty = {**TEMPERATURE, "range": [5.0, 5.0]}
    with pytest.raises(SpecError, match="range is empty"):
        make(tmp_path, FILES, wide(), **{"class": [empty]})
    with pytest.raises(SpecError, match="name stands twice: 'Temperature'"):
        make(tmp_path, FILES, wide(), **{"class": [TEMPERATURE, TEMPERATURE]})


def test_names_and_checksums_of_files_are_no_part_of_the_rules(tmp_path: Path) -> None:
    one = make(tmp_path, FILES, wide())
    two = make(tmp_path, {"b.csv": "time,t\n2024-01-01 00:00,2\n"}, wide())
    other = make(tmp_path, FILES, wide(missing=["-"]))
    assert one.rules == two.rules != other.rules


def test_no_corpus_and_no_name_of_its_data_stands_in_code() -> None:
    names = [n for n in shipped_corpora() if n != "demo"] + ["senaps", "belgrade", "t_amb", "L17"]
    pattern = re.compile("|".join(rf"\b{re.escape(n)}\b" for n in names if n != "bts"), re.I)
    folder = PACKAGE / "suites" / "telemetry"
    code = [p for p in python_files(folder) if p.parent.name != "bts"]
    found = [(p.name, m.group()) for p in code if (m := pattern.search(p.read_text()))]
    assert found == []
    assert pattern.search("zone = Europe/Belgrade")


@pytest.mark.parametrize("name", shipped_corpora())
def test_every_shipped_corpus_can_be_loaded(name: str) -> None:
    corpus = load_corpus(name)
    assert (corpus.name, corpus.file.licence != "") == (name, True)


def test_an_unknown_corpus_is_told_the_nearest() -> None:
    with pytest.raises(SpecError, match="Did you mean xai4heat"):
        load_corpus("xai4heet")


@pytest.fixture(scope="module")
def heat(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Adapter:
    corpus = load_corpus("xai4heat", shared / "data")
    return Adapter(corpus, tmp_path_factory.mktemp("spool"))


def test_real_files_give_one_stream_per_channel_and_merge_the_weather(heat: Adapter) -> None:
    streams = Counter(p.equipment for p in heat.points.values())
    assert streams == {"L4": 26, "L12": 26, "L17": 8, "weather forecast": 13, "roof station": 26}
    assert heat.unmatched == ()
    wind = heat.stream(heat.points["forecast.winddir"])
    assert wind.repeats == len(wind.readings) > 10_000


def test_real_glitches_are_counted_as_published(heat: Adapter) -> None:
    def stream(name: str) -> Any:
        return heat.stream(heat.points[name])

    late = stream("L4.pe")
    assert (late.early, late.missing, len(late.readings)) == (10_024, 0, 35_437)
    marks = {s: stream(s).readings.marks for s in ("L4.t_amb", "L12.t_amb", "L17.t_amb")}
    dropped = {s: int((m & DROPOUT > 0).sum()) for s, m in marks.items()}
    assert dropped == {"L4.t_amb": 513, "L12.t_amb": 2_013, "L17.t_amb": 1_048}
    meter = stream("L4.t_sup_prim").readings.marks
    assert int((meter & DROPOUT > 0).sum()) == 513 + 5_152
    assert int((marks["L4.t_amb"] & ADJUSTED > 0).sum()) == 6
    live = stream("L4.t_amb").readings
    zeros = (live.value == 0) & (live.marks & DROPOUT == 0)
    assert int(zeros.sum()) == 240


def test_real_decimals_are_known(heat: Adapter) -> None:
    found = {s: heat.stream(heat.points[s]).decimals for s in ("L4.t_amb", "L4.e", "L12.e")}
    assert found == {"L4.t_amb": 1, "L4.e": 5, "L12.e": 3}
    assert heat.stream(heat.points["L4.t_amb.2024-25"]).decimals is None


def test_real_streams_are_in_strict_order_of_time(heat: Adapter) -> None:
    assert all((np.diff(s.readings.ts) > 0).all() for _, s, _ in heat.streams())
