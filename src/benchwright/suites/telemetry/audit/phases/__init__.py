"""The turns of a row's conversation, by the rules of docs/dialogue.md."""
