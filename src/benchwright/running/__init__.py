"""Running: which episodes are owed, how Inspect carries one, what is kept when it ends.

Takes a task set, agents and a run folder; gives closed episodes with score sheets. The only user of
Inspect, in `inspect_*.py`, which nothing imports until a run starts. Knows no suite.
"""
