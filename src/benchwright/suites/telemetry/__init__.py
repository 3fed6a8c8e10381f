"""The suite telemetry: from raw logs and metadata to conversations whose golds are computed.

Takes a corpus, one TOML that says how files are to be read and which rules hold; gives a read-only
store with nine operations on it, and a task set of conversations with a scripted operator. Knows no
corpus by name: what is special about one stands in its TOML. Data flow, each folder knowing only
those above it, but for `audit`, which knows none:

    corpora/*.toml    shipped corpora: sources, classes, metadata, contract
    bts/              archives of pickles -> Parquet with lineage, never unpickled; a seeded writer
    corpus/           TOML -> Corpus; files -> readings with lineage, per stream in order of time;
                      metadata (table or Brick graph) -> points; which stream belongs to which point
    contract/         TOML -> Contract: calendar, policies, quality, families, what is held out;
                      measures of a window and the outcome answer, caution or abstain
    store/            readings and points -> DuckDB and Parquet beside it; thresholds; exports
    operations/       store -> the nine operations, each result with a handle
    drafting/         a folder of CSV files -> a corpus file with remarks for a person
    families/         store -> every question that can be asked, and the choice that becomes rows
    rows/             a chosen question -> words, canonical calls, alternatives, gold, evidence
    dialogue/         a row -> a script, stage by stage; the operator that speaks it
    text/             sentences -> fields of a reply, for conversations in words
    obligations/      a script -> all that it asks of an agent, frozen
    evaluation/       obligations and the record of a session -> what became of each
    preflight.py      a row and its script -> reasons not to release them
    episode.py        a candidate -> all of the above; a gold -> a session that can be had
    build.py  score.py  baselines.py    as in every suite; worker.py and zoo.py are agents
    diagnosed/        scored conversations -> the first broken link, invariants, views, failures
    pages.py  telling.py  findings.py   the same for people
    proof/            that the evaluator is right: mutations, controls, what a scorer observes
    audit/            raw files and documents -> everything again, by the standard library alone
    audited.py  stored.py  soundness.py    what `check` asks

Values are float64 whose decimal text is known: a stream all of whose values are decimals of k
places carries k, and sums over it are sums of integers; over any other stream sums are exact and
rounded once. Times are integer milliseconds in UTC; windows are half-open.
"""
