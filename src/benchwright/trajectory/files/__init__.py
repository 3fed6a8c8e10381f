"""File histories from a log: every change with its call, and what a file held in the end.

Takes events; gives changes and answers that are exact, partial or unavailable, with the reason.
Runs nothing and opens no file that the log names.
"""
