"""One conversation of every family, as the proof has them."""

from __future__ import annotations

from tests.telemetry.proof.conftest import cases

__all__ = ["cases"]
