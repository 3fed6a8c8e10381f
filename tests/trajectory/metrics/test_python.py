"""Python: what is a call, which sources count, what a program imports and saves."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.trajectory.files.effects import Effect
from benchwright.trajectory.metrics.invocations import Invocation, invocations
from benchwright.trajectory.metrics.script_texts import ScriptTexts
from benchwright.trajectory.metrics.sources import LONGEST, read_source
from benchwright.trajectory.shell.commands import parse_argv, parse_script
from tests.trajectory.files.events import bash, call, edit, write
from tests.trajectory.metrics.small import begin, figures, within


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("python -c 'x = 1'", Invocation("dash_c", "x = 1")),
        ("python3.11 -uc 'x = 1'", Invocation("dash_c", "x = 1")),
        ("python -W ignore -X dev -c 'x'", Invocation("dash_c", "x")),
        ("python - <<'E'\nx = 1\nE", Invocation("heredoc", "x = 1\n")),
        ("cat <<'E' | python3\nx\nE", Invocation("heredoc", "x\n")),
        ("/usr/bin/env python3 a.py --n 5", Invocation("script", path="a.py")),
        ("A=1 timeout 5 .venv/bin/python -u ./a.py", Invocation("script", path="./a.py")),
        ("uv run --with numpy python a.py", Invocation("script", path="a.py")),
        ("docker exec box python3 -m pytest", Invocation("module")),
        ("python -m pytest -c x", Invocation("module")),
        ("python < a.py", Invocation("stdin")),
        ("echo 'x' | python", Invocation("stdin")),
        ("python $FILE", Invocation("script")),
        ('python -c "$CODE"', Invocation("dash_c")),
        ("python --version", Invocation("other")),
        ("python", Invocation("other")),
    ],
)
def test_an_invocation_is_told_by_its_words(command: str, found: Invocation) -> None:
    assert list(invocations(parse_script(command))) == [found]


@pytest.mark.parametrize("command", ["cat a.py", "pytest -q", "grep python a.md", "echo python"])
def test_displaying_or_naming_is_no_invocation(command: str) -> None:
    assert list(invocations(parse_script(command))) == []


def test_a_command_in_words_is_read_as_well() -> None:
    found = list(invocations(parse_argv(["bash", "-lc", "python a.py && python a.py"])))
    assert [i.path for i in found] == ["a.py", "a.py"]


def test_each_call_counts_also_a_refused_one_but_not_a_version() -> None:
    found = figures(begin(), bash("python a.py; python a.py"), bash("python -c 'x'", "refused"),
                    bash("python --version"), bash("python a.py", None))  # fmt: skip
    assert found.together.python_calls == 4
    assert found.python.modes == {"script": 3, "dash_c": 1, "other": 1}
    assert found.files.python_executed == {"a.py": 3}


def test_a_tool_that_runs_python_is_a_call_with_its_code() -> None:
    found = figures(begin("inspect"), call("python", {"code": "import numpy\nx = 1"})).python
    assert (found.calls, found.statements, found.libraries) == (1, 2, {"numpy": 1})


def test_each_version_of_a_source_counts_once_when_it_first_appears() -> None:
    found = figures(
        begin(),
        write("/w/a.py", "x = 1\ny = 2\n"),
        bash("python a.py; python a.py"),
        edit("/w/a.py", "y = 2", "y = 3"),
        write("/w/b.py", "x = 1\ny = 2\n"),
        bash("python -c 'if x:\n  y = 1'"),
    ).python
    assert (found.statements, found.sources) == (2 + 2 + 2, 3)


def test_files_that_were_only_read_or_not_written_bring_no_statements() -> None:
    twin = {"file": {"filePath": "/w/a.py", "content": "x = 1\n", "startLine": 1,
                     "numLines": 1, "totalLines": 1}}  # fmt: skip
    read = call("Read", {"file_path": "/w/a.py"}, twin=twin)
    found = figures(begin(), read, write("/w/b.py", "x = 1\n", "failed"), bash("cat a.py"))
    assert found.together.python_statements == 0
    edited = figures(begin(), read, edit("/w/a.py", "x = 1", "x = 2"))
    assert edited.together.python_statements == 1


def test_text_that_does_not_parse_has_no_statements_and_is_counted() -> None:
    found = figures(begin(), bash("python -c 'def'"), bash("python -c '" + "x=1;" * LONGEST + "'"))
    assert (found.python.statements, found.python.unparsed, found.python.sources) == (0, 2, 2)


def test_statements_belong_to_the_agent_that_showed_them_first() -> None:
    inner = within(bash("python -c 'x = 1'"), thread="a1")
    found = figures(begin(), bash("python -c 'y = 1'"), *inner, bash("python -c 'x = 1'"))
    assert found.together.python_statements == 2
    assert (found.main.python_statements, found.sub_agents["a1"].python_statements) == (1, 1)


@pytest.mark.parametrize(
    ("output", "failed"),
    [
        ("Traceback (most recent call last):\n  File\nE: 1\n", 1),
        ('  File "<string>", line 1\n    x =\n      ^\nSyntaxError: invalid', 1),
        ("python: can't open file 'a.py': [Errno 2]", 1),
        ("/usr/bin/python3: No module named pytest", 1),
        ("Traceback is what we call it", 0),
        ("ValueError was caught\n5", 0),
    ],
)
def test_a_failure_is_told_by_what_the_interpreter_prints(output: str, failed: int) -> None:
    assert figures(begin(), bash("python a.py", output=output)).python.failed == failed


def test_an_exception_raised_while_handling_another_is_one_failure() -> None:
    first = 'Traceback (most recent call last):\n  File "a.py", line 1\nA: 1\n\n'
    during = "During handling of the above exception, another exception occurred:\n\n"
    text = first + during + first
    assert figures(begin(), bash("python a.py; python b.py", output=text)).python.failed == 1


def test_streams_that_a_result_gives_apart_are_counted_apart() -> None:
    twin = {"stdout": "1\n2\n", "stderr": "w\n"}
    asked = call("Bash", {"command": "python a.py"}, output="1\n2\nw", twin=twin)
    found = figures(begin(), asked).python
    assert (found.stdout_lines, found.stderr_lines, found.output_bytes) == (2, 1, 5)
    assert figures(begin(), bash("python a.py", output="1\n")).python.stderr_lines is None


def test_the_libraries_of_a_source_are_its_top_level_modules_once() -> None:
    text = "import numpy.fft, os\nfrom numpy import pi\nfrom . import x\nimport os\n# import no\n"
    assert read_source(text).libraries == ("numpy", "os")
    assert read_source(text).lines == 4


@pytest.mark.parametrize(
    "code",
    [
        "plt.savefig('a.png', dpi=5)",
        "fig.write_image(file='a.png')",
        "name = 'a.png'\nimg.save(name)",
        "plt.savefig(Path('out') / 'a.png')",
        "plt.savefig(os.path.join('out', 'a.png'))",
    ],
)
def test_an_image_that_a_source_saves_is_found_by_its_literal_name(code: str) -> None:
    (image,) = read_source(code).images
    assert image.endswith("a.png")


@pytest.mark.parametrize("code", ["open('a.png')", "plt.savefig(f'{n}.png')", "x = 'a.png'",
                                  "df.save('a.csv')"])  # fmt: skip
def test_an_image_that_is_not_saved_or_has_no_literal_name_is_none(code: str) -> None:
    assert read_source(code).images == ()


@pytest.mark.parametrize("text", ["(" * 50_000, "-" * 90_000 + "1", "a" + ".a" * 50_000, "\0",
                                  "not " * 20_000 + "1", "\ud800"])  # fmt: skip
def test_no_text_crashes_the_parser(text: str) -> None:
    read_source(text)


lines = st.sampled_from(["x = 1", "if x:\n    y = 2", "def f():\n    return 3", "import os", "# c"])


@given(st.lists(lines, max_size=8))
def test_statements_are_the_statement_nodes_of_the_tree(parts: list[str]) -> None:
    text = "\n".join(parts) + "\n"
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    assert read_source(text).statements == len(nodes)


@given(st.lists(st.integers(0, 9), max_size=30))
def test_texts_of_scripts_stay_within_their_limit(files: list[int]) -> None:
    texts = ScriptTexts(limit=100)
    for number, file in enumerate(files):
        text = f"x = {number}\n" + "#" * 30
        assert texts.apply(Effect("write", f"/w/{file}.py", text)) == text
        assert texts.of(f"{file}.py") == text
    assert sum(len(texts.of(f"/w/{n}.py") or "") for n in range(10)) <= 100
