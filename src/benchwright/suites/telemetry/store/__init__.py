"""The store: all that operations may know, built once and only read afterwards.

Takes a corpus that has been read and its contract; gives DuckDB tables, and observations in Parquet
beside them. `store.toml` names the parts and their digests. Knows no operation and no task.

    store.toml                      format, digests of exports and of the contract, versions
    store.duckdb                    the tables of `tables.py`
    observations/part-*.parquet     stream number, instant, value, marks, lineage; sorted
"""
