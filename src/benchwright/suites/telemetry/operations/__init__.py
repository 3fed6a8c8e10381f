"""The nine operations on a store, each declared once; the shells around them are thin.

Takes a store; gives `Operation`s whose call answers with a result or a `Refusal`, never with an
exception and never by guessing. Times may carry an offset, or be wall-clock times of the corpus's
zone. Windows are half-open. Every result has a handle: a digest of operation, canonical arguments
and the content of what was read. Knows no task and no agent.
"""

from benchwright.suites.telemetry.operations.declare import operations
from benchwright.suites.telemetry.operations.refusals import Refusal

__all__ = ["Refusal", "operations"]
