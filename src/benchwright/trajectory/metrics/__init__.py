"""Figures of a log: what an agent did, printed, read, spent (tracebench paper, appendix G).

Takes events; gives one record `Metrics`. `measure(log)` does it in one pass; memory holds counts,
ids and names, never texts of the whole log.
"""
