"""Shortcuts: can a learner tell the class of a sample from what must not tell it?

Takes views (arrays with a class and a configuration per sample); gives verdicts with exact chances.
Knows arrays only: what is cut out of a task set, and why it must tell nothing, a suite says. Needs
the extra `baselines`, which is imported when the first learner is asked.
"""
