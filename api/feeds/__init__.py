"""Live feeds: what happens at the table, told to tools as it happens, from any point and without a gap."""
