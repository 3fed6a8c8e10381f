"""Blind cards: trajectories for people to label, without a word on who acted or how it scored.

Takes closed episodes; gives a sample, masked texts, sheets to fill, the key, and the labels that
filled sheets hold. Opens no gold and no score.
"""
