"""Episodes on disk: what is owed, what is closed, and how each ended.

Takes planned episodes and closing records; gives a run folder that can be resumed after any kill.
Knows no runner: nothing here starts anything.
"""
