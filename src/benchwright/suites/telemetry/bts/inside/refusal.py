"""`Refused`: why an archive or a member is not read, in the parts of an error of benchwright."""

from __future__ import annotations

DAMAGED = "Fetch the archive again, and compare its checksum with the published one."
HOSTILE = "Do not open this file with other tools; fetch the archive from its publisher."
LONGEST = 120


class Refused(Exception):
    """Problem, value and next step; the place is the archive, and `member` where there is one."""

    def __init__(self, problem: str, value: object, hint: str, *, member: str = "") -> None:
        super().__init__(problem, str(value)[:LONGEST], hint, member)
        self.problem, self.value, self.hint = problem, str(value)[:LONGEST], hint
        self.member = member
