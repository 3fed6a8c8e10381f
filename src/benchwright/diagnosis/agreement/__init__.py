"""Agreement of raters on labels: of any number among each other, and of each against one.

Takes labels of several raters; gives kappa, alpha, precision, recall and F1 at the level of
patterns, pillars, stages and findings, with intervals over tasks. Knows no file and asks no model.
"""
