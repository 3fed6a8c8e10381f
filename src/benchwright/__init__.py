"""benchwright: make, run, score and diagnose benchmarks for LLM agents on analytical work."""
