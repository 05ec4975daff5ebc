"""Telling others what happens: each hook is sent what its viewer may see, in order, until it has it."""
