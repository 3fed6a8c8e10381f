"""The suite telemetry: from raw logs and equipment metadata to a store that only answers questions.

Takes a corpus, one TOML that says how files are to be read and which rules hold; gives a read-only
store and nine operations on it. Knows no corpus by name: what is special about one stands in its
TOML. Data flow, each folder knowing only those above it:

    corpora/*.toml    shipped corpora: sources, classes, metadata, contract
    bts/              archives of pickles -> Parquet with lineage, never unpickled; a seeded writer
    corpus/           TOML -> Corpus; files -> readings with lineage, per stream in order of time;
                      metadata (table or Brick graph) -> points; which stream belongs to which point
    contract/         TOML -> Contract: calendar, policies, quality, families, what is held out;
                      measures of a window and the outcome answer, caution or abstain
    store/            readings and points -> DuckDB and Parquet beside it; thresholds; exports
    operations/       store -> the nine operations, each result with a handle
    diagnosed/        scored conversations -> the first broken link, invariants, views, failures

Values are float64 whose decimal text is known: a stream all of whose values are decimals of k
places carries k, and sums over it are sums of integers; over any other stream sums are exact and
rounded once. Times are integer milliseconds in UTC; windows are half-open.
"""
