"""Read models shared by all rulesets: the table, the timeline, statistics."""
