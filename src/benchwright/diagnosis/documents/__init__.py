"""The check of a diagnosis document: six gates, none of which asks a model."""
