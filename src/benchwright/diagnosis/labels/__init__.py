"""Labels: what a rater, a judge or the screen holds against one trajectory, and its run verdict.

Takes label files, and the analysis and episode that they are about; gives `Labels`, the rules that
they break and proposals of run verdicts. Knows no agent, makes no number of a verdict and asks no
model.
"""
