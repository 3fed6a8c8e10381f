"""Tools of the house: what tests and benchmarks read from the source tree. Not part of the wheel."""
