"""benchwright: make, run, score and diagnose benchmarks for LLM agents on analytical work."""

__version__ = "0.1.0"
