"""Pure scoring: from the records of a closed episode to sheets and rows.

Takes a task, its gold and an episode folder; gives score sheets, one check per sample, and one
row per owed episode and metric. Knows no clock, network, model or sandbox of the agent; averages
nothing.
"""
