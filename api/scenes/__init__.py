"""Scene files: a session written down in TOML, played against a table and checked on the way."""
