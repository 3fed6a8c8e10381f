"""Sources with a decimal comma, wide and long, read by the adapter."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchwright.canonical import digest_bytes
from benchwright.errors import SpecError
from tests.telemetry.corpora import make, read, wide

TEXT = "time;t\n2024-01-01 00:00;1,25\n2024-01-01 01:00;-0,5\n2024-01-01 02:00;3\n"


def test_a_decimal_comma_in_a_wide_source(tmp_path: Path) -> None:
    corpus = make(tmp_path, {"a.csv": TEXT}, wide(delimiter=";", decimal=","))
    (stream,) = read(corpus, tmp_path).values()
    assert stream.readings.value.tolist() == [1.25, -0.5, 3.0]
    assert stream.decimals == 2


def test_a_decimal_comma_in_quotes_where_commas_delimit(tmp_path: Path) -> None:
    text = 'time,t\n2024-01-01 00:00,"1,25"\n'
    (stream,) = read(make(tmp_path, {"a.csv": text}, wide(decimal=",")), tmp_path).values()
    assert stream.readings.value.tolist() == [1.25]


def test_a_decimal_comma_in_a_long_source(tmp_path: Path) -> None:
    files = {
        "r.csv": "id;time;v\na;2024-01-01 00:00;1,25\na;2024-01-01 01:00;2,5\n",
        "points.csv": "id,class,site,eq\na,Temperature,S,E\n",
    }
    columns = {"stream": "id", "class": "class", "site": "site", "equipment": "eq"}
    source = {
        **{"name": "long", "form": "long_csv", "stream": "id", "value": "v", "files": ["r.csv"]},
        **{"time": {"column": "time", "zone": "UTC"}, "delimiter": ";", "decimal": ","},
    }
    sums = {"points.csv": digest_bytes(files["points.csv"].encode())}
    metadata = {"form": "table", "files": sums, "columns": columns}
    corpus = make(tmp_path, files, source, metadata=metadata)
    (stream,) = read(corpus, tmp_path).values()
    assert stream.readings.value.tolist() == [1.25, 2.5]


def test_the_other_sign_is_refused_and_the_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"1,25.*Correct delimiter, encoding, decimal"):
        read(make(tmp_path, {"a.csv": TEXT}, wide(delimiter=";")), tmp_path)
