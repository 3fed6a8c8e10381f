"""The Corpus Contract: every rule that decides what a question on a corpus has as its answer.

Takes the table `contract` of a corpus file; gives a `Contract`, measures of windows, and judgements
by thresholds. Knows readings and points; does not know where they are stored.
"""
