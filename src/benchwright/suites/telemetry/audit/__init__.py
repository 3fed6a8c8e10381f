"""The audit: a second implementation of the rules, which knows documents and raw files only.

It imports nothing but the standard library and shares no line with what it checks.
"""

from benchwright.suites.telemetry.audit.entry import Audited, audit
from benchwright.suites.telemetry.audit.findings import Finding, UnusableInput

__all__ = ["Audited", "Finding", "UnusableInput", "audit"]
