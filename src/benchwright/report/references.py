"""The papers that benchwright follows, as every report and the README name them."""

from __future__ import annotations

PAPERS = (
    (
        "TraceBench: Controlled Evaluation of LLM Agents for Time-Series Root-Cause Attribution",
        "the systems, noise, tasks and scores of the suite tracebench",
    ),
    (
        "BTS-AgentBench: A Deterministic, Replayable Pipeline from Read-Only Telemetry Logs to "
        "Agent Benchmarks",
        "sets that can be made again, and scores that follow from records alone",
    ),
    (
        "How Do Agents Fail on AutoResearch: End-to-End Diagnostic Evaluation on 100 Real-World "
        "Frontier Research Tasks",
        "looking at what an agent did and left behind, and not only at its answer",
    ),
)
"""Title, and what is taken from it."""
