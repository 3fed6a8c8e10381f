"""Tools of the house: what tests and benchmarks read from the sources. Not in the wheel."""
