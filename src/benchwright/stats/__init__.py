"""Intervals, accuracy tables and confusion: the only folder that averages over episodes.

Takes score rows and checks; gives tables as records. Knows nothing of pages, suites or running.
"""
