"""Shell scripts as data: the commands of a script, unquoted, with redirects and here-documents.

Takes text; gives `Command`s. Runs nothing and knows nothing of logs.
"""
