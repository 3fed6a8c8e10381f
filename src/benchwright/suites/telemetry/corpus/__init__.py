"""Corpora: how files of others are read, by configuration alone.

Takes a corpus TOML and the folder with its files; gives points, and readings with lineage. Knows
neither contract nor store.
"""
