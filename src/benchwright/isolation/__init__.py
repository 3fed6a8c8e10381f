"""How anything untrusted runs: a box, one command, one file of rules.

Takes limits, argument lists, files and frames; gives bounded output, bytes and labels, or an
IsolationError. Does not know tasks, answers, agents or Inspect.
"""
