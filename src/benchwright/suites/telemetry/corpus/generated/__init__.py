"""Files that a corpus makes itself, from a seed.

Takes the table `generate` of a corpus file and a folder; gives files there, which the sources then
read like any other. Knows nothing of points and stores.
"""
