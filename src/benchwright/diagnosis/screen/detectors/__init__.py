"""The detectors, one question a file. Each takes a `Story`; gives what it found, or nothing."""
