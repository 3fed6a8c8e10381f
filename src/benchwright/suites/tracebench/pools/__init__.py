"""Pools: from a policy to a table of candidates with the verdict on each of them.

A policy says how configurations and steps are drawn; a pool is what came out, one Parquet dataset
written block by block. The same policy gives the same table wherever it is computed.
"""
