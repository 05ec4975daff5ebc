"""The store of one laptop or one server: a single SQLite file, which any SQLite tool can read."""
