from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import BenchwrightError, SpecError, TaskSetError


@given(st.text(), st.text() | st.integers() | st.binary(), st.text(), st.text())
def test_any_error_is_one_line(problem: str, value: object, where: str, hint: str) -> None:
    line = str(BenchwrightError(problem, value=value, where=where, hint=hint))
    assert len(line.splitlines()) <= 1


def test_the_line_holds_the_four_parts_in_their_order() -> None:
    line = str(SpecError("unknown key", value="sede", where="set.toml", hint="Use seed."))
    assert line == "unknown key: 'sede' (set.toml). Use seed."


def test_one_clause_catches_the_family() -> None:
    try:
        raise TaskSetError("digest differs", value="0a", where="set", hint="Build it again.")
    except BenchwrightError as error:
        assert error.problem == "digest differs"
