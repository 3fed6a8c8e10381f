"""The public fakes, for tests of agents, suites and runs; nothing here replaces a real part.

The scripted model is used by name (`--model scripted/module:function`); a policy is a function from
the conversation and the names of the offered tools to a `Reply`. It may raise `Busy`, to be tried
again after a wait, or `Refused`.
"""

from __future__ import annotations

from benchwright.running.scripted import Busy, Policy, Refused, Reply, Said

__all__ = ["Busy", "Policy", "Refused", "Reply", "Said"]
