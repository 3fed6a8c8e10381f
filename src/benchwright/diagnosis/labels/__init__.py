"""Labels: what a rater, a judge or the screen holds against one trajectory, and its run verdict.

Takes label files; gives `Labels`. Knows no agent and asks no model.
"""
