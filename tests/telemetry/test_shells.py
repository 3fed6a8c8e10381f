"""The three shells around operations give the same answers: command line, MCP, Inspect."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchwright.cli import exit_code as run
from benchwright.suites.telemetry.operations import operations
from benchwright.suites.telemetry.store.open import Store
from benchwright.tasks.session import answered
from tests.telemetry.corpora import HEAD, TEMPERATURE
from tests.telemetry.test_operations import DAY, ROWS, store_of

MEAN = {"stream_id": "a", **DAY}
UNKNOWN = {"stream_id": "aa", **DAY}


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return store_of(tmp_path_factory.mktemp("plant"), ROWS)


def wanted(store: Store, name: str, given: dict[str, str]) -> dict[str, Any]:
    """What the operation answers without any shell."""
    operation = next(o for o in operations(store) if o.name == name)
    return answered(operation, given).model_dump(mode="json")


def words(given: dict[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in given.items()]


def test_a_query_prints_one_document(plant: Store, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(plant.folder)
    assert run(["store", "query", folder, "window_mean", *words(MEAN), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["format"] == "benchwright.store.query/1"
    assert said["answer"] == wanted(plant, "window_mean", MEAN)


def test_a_refusal_is_exit_code_one(plant: Store, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(plant.folder)
    assert run(["store", "query", folder, "window_mean", *words(UNKNOWN)]) == 1
    assert "error: unknown" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["window_meen"], "unknown operation: 'window_meen'"),
        (["preview", "a"], "argument is no name=value: 'a'"),
    ],
)
def test_unusable_input_is_exit_code_two(
    plant: Store, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["store", "query", str(plant.folder), *words]) == 2
    assert said in capsys.readouterr().err


def test_whole_numbers_are_taken_as_such(plant: Store, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["site=plant", "point_class=T", *words(DAY), "top_k=1", "--json"]
    assert run(["store", "query", str(plant.folder), "rank_window", *given]) == 0
    assert len(json.loads(capsys.readouterr().out)["answer"]["ranked"]) == 1


def test_a_folder_that_is_no_store_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["store", "query", str(tmp_path), "preview", "stream_id=a"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


CORPUS = """
[[class]]
name = "Temperature"
kind = "instant"
[[source]]
name = "export"
form = "wide_csv"
time = { column = "time", zone = "UTC" }
[source.files]
"a.csv" = "SUM"
[[source.channel]]
column = "t"
stream = "t"
class = "Temperature"
site = "S"
equipment = "E"
"""


def test_a_store_is_built_from_a_file_and_the_missing_checksum_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.csv").write_text("time,t\n2024-01-01 00:00,1\n2024-01-01 01:00,2\n")
    head = "".join(f'{key} = "{value}"\n' for key, value in HEAD.items())
    file = tmp_path / "corpus.toml"
    file.write_text(head + CORPUS.replace("SUM", ""))
    build = ["store", "build", str(file), "--out", str(tmp_path / "store")]
    assert run(build) == 2
    line = capsys.readouterr().err
    sum_ = line.split('"a.csv" = "')[1].split('"')[0]
    file.write_text(head + CORPUS.replace("SUM", sum_))
    assert run(build) == 0
    assert "1 streams with 2 observations" in capsys.readouterr().out
    assert TEMPERATURE["name"] in {p.point_class for p in Store(tmp_path / "store").points.values()}


async def test_a_real_mcp_client_lists_and_calls_every_operation(plant: Store) -> None:
    mcp = pytest.importorskip("mcp")
    program = "from benchwright.cli import main; main()"
    command = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-c", program, "store", "serve", str(plant.folder)],
        env={**os.environ},
    )
    async with mcp.Client(command) as client:
        listed = await client.list_tools()
        assert [t.name for t in listed.tools] == [o.name for o in operations(plant)]
        assert all(t.description and t.input_schema["properties"] for t in listed.tools)
        good = await client.call_tool("window_mean", MEAN)
        assert (good.is_error, good.structured_content) == (
            False,
            wanted(plant, "window_mean", MEAN),
        )
        bad = await client.call_tool("window_mean", UNKNOWN)
        assert bad.is_error and bad.structured_content["error"] == "unknown"
        odd = await client.call_tool("window_mean", {"stream_id": "a"})
        assert odd.is_error and "start" in odd.structured_content["message"]
        none = await client.call_tool("drop_table", {})
        assert none.is_error and "No tool" in none.content[0].text


async def test_inspect_tools_have_the_same_schemas_and_answers(plant: Store) -> None:
    from inspect_ai.tool import ToolDef

    from benchwright.running.inspect_operations import operation_tools

    tools = {ToolDef(t).name: t for t in operation_tools(operations(plant))}
    assert list(tools) == [o.name for o in operations(plant)]
    given = ToolDef(tools["resolve_point"]).parameters
    assert list(given.required) == ["site", "point_class"]
    assert "equipment" in given.properties
    assert json.loads(str(await tools["window_mean"](**MEAN))) == wanted(plant, "window_mean", MEAN)
    refused = json.loads(str(await tools["window_mean"](**UNKNOWN)))
    assert refused["error"] == "unknown"


def test_help_loads_no_database() -> None:
    code = (
        "import sys; from benchwright.cli import exit_code; "
        "exit_code(['store', 'query', '--help']); "
        "print(*[m for m in ('duckdb', 'rdflib', 'mcp', 'pyarrow', 'numpy') if m in sys.modules], "
        "file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == []
