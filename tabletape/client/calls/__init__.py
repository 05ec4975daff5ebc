"""Every call of the API, by topic: functions that make a `Call`, which either client sends."""
