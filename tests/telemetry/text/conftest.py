"""The demo set in both channels: fixtures of the proof serve here too."""

from __future__ import annotations

from tests.telemetry.proof.conftest import cases, demo, desk, folder, held

__all__ = ["cases", "demo", "desk", "folder", "held"]
