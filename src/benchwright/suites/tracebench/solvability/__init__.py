"""Which candidates are kept: the two ratio tests and the rules of each system (paper, appendix B).

Arrays of runs in, codes and ratios out, one candidate after the other in compiled loops, so that a
pool of a hundred thousand families needs no more memory than one of ten.
"""
