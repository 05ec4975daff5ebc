"""Decides every action of golden logs again with the dice that fell; prints what was checked, or the first difference."""

import sys
from pathlib import Path

from eventlog.archive import read_archive
from eventlog.verification import verify_envelopes
from rulesets.installed import ruleset_named

for file in map(Path, sys.argv[1:]):
    header, events = read_archive(file.read_bytes().splitlines())
    found = verify_envelopes(
        ruleset_named(header.ruleset),
        header.session,
        events,
        end=(header.version, bytes.fromhex(header.head_hash)),
    )
    sys.stdout.write(f"{file.name} {found.ok} {found.checked} {found.first_fault}\n")
