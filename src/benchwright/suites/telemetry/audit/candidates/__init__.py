"""Candidates of the nine families, by the rules of docs/families.md."""
