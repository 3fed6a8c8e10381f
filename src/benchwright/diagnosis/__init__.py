"""Diagnosis of trajectories against a taxonomy of failure patterns, as far as no model is needed.

Takes documents and the trajectories and files that they are about; gives verdicts by named gates.
Knows no suite, averages nothing and starts no model.
"""
