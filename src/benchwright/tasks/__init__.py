"""Tasks and golds, and the two halves of a task set on disk.

Takes what a suite has made (instruction, files, contract, gold); gives `Task` records without a
path to their gold, and `Gold` records from the held half. Knows no suite, runs nothing.
"""
