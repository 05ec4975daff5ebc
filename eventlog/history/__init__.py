"""History: slots and their revisions, corrections of them, and what corrections do to later actions."""
