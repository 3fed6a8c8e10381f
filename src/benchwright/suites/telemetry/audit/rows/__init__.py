"""Rows: what each must hold, made from its identity and the raw files, against its gold."""
