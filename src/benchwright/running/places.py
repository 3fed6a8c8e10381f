"""Where code of somebody's own broke: the innermost line that is theirs, from a raised error.

Takes an error and the code that acted; gives `solve.py:12`. Of a file only its last part is told,
as everywhere in records.
"""

from __future__ import annotations

import traceback
from pathlib import Path

from benchwright.running.agents import Code


def place_in(error: BaseException, code: Code) -> str:
    """File and line of `code` at which `error` was raised; empty where none of it is on the way.

    Modules beside a file, and all of the package of a registered solver, belong to the code.
    """
    found = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = Path(frame.f_code.co_filename)
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if file.parent == code.file.resolve().parent if code.file else package == _package(code):
            found = f"{file.name}:{line}"
    return found


def _package(code: Code) -> str:
    return code.name.partition("/")[0]
