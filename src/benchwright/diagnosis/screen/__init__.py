"""The screen: failures that trajectory and artifacts alone show, found without a model.

Takes a log and the folder that the run left; gives findings, each a verdict or a lead, with
Evidence that resolves. Knows no gold, no score and no task set, and runs nothing that it reads.
"""
