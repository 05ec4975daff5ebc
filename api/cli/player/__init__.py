"""The player: a replay at a terminal, stepped through with keys."""
