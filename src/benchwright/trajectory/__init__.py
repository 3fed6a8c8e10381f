"""Trajectories: ATIF documents, and pointers into everything an episode left behind.

Takes plain steps; gives a validated ATIF v1.8 document. Knows no task and no runner.
"""
