"""Checks: is a task set sound on the path that real agents take?

Takes an opened set, its held half and its suite; gives problems, each with a place and a next step.
Knows how to run agents and how to search a sandbox; knows no suite by name.
"""
