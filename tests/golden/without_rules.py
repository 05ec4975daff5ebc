"""Folds golden logs in an interpreter that cannot import any rules half; prints each file that holds."""

import sys
from contextlib import suppress
from importlib.abc import MetaPathFinder
from pathlib import Path

FORBIDDEN = ("commands", "rules", "decide", "refusals", "permits", "choices", "odds", "default_answer")


class NoRules(MetaPathFinder):
    """Refuses the modules of every ruleset's rules half."""

    def find_spec(self, name, *_):
        package, _, rest = name.partition(".anima_prime." if ".anima_prime." in name else ".")
        if package in ("rulesets", "tabletape_duel") and rest.partition(".")[0] in FORBIDDEN:
            raise ImportError(f"The rules are gone: {name}")


sys.meta_path.insert(0, NoRules())

import msgspec  # noqa: E402 - only after the rules are gone

from eventlog.archive import read_archive  # noqa: E402 - as above
from eventlog.history.copied import CopiedLog  # noqa: E402 - as above
from eventlog.history.points import tape_at  # noqa: E402 - as above
from rulesets.installed import ruleset_named  # noqa: E402 - as above
from rulesets.people import GM, OBSERVER  # noqa: E402 - as above

for file in map(Path, sys.argv[1:]):
    header, events = read_archive(file.read_bytes().splitlines())
    ruleset = ruleset_named(header.ruleset)
    with suppress(ImportError):
        ruleset.rules[header.rules]()
        raise SystemExit("The rules can still be imported: this proves nothing")
    state = tape_at(CopiedLog(header.session, events), header.session).state
    golden = file.with_suffix(".state.json").read_bytes()
    assert msgspec.json.format(msgspec.json.encode(state, order="sorted")) + b"\n" == golden, file
    assert ruleset.record.view(state, GM) is not None
    assert ruleset.record.view(state, OBSERVER) is not None
    sys.stdout.write(f"{file.name}\n")
