#!/usr/bin/env python3
"""Check a copy of a Tabletape log with Python alone, without Tabletape; `--help` says how."""

import argparse
import hmac
import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

ENDS = "It ends with 0 where all that could be checked holds, with 1 at the first fault, with 2 where nothing is checked."
HASHED = ("action", "at", "audience", "by", "data", "revision", "slot", "type", "v")
RECEIPT, SEED = re.compile("([0-9]{1,15}):([0-9a-f]{64})").fullmatch, re.compile("[0-9a-f]{64}").fullmatch


def need(holds: bool, words: str) -> None:
    """Stop here unless something holds."""
    if not holds:
        raise ValueError(words)


def read(line: bytes) -> Any:
    """A line of JSON in which no name stands twice and every number is whole."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "it says one thing twice")
        return dict(pairs)

    return json.loads(line, object_pairs_hook=once, parse_float=int, parse_constant=int)


def link(previous: bytes, seq: int, event: dict[str, Any]) -> bytes:
    """The hash of an event, which follows from all before it; of one that is hidden or lost its words the digest is given."""
    digest = bytes.fromhex(event.get("digest", ""))
    if event.get("data") is not None:
        said = {name: event[name] for name in HASHED}
        text = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        digest = sha256(bytes.fromhex(event["salt"]) + text.encode()).digest()
    return sha256(previous + seq.to_bytes(8, "big") + digest).digest()


def face(seed: bytes, label: str, roll: int, index: int, sides: int) -> int:
    """What the die at the address `roll.index` shows."""
    message = f"tabletape-dice-1|{label}|{roll}|{index}|{sides}".encode()
    return 1 + int.from_bytes(hmac.new(seed, message, sha256).digest(), "big") % sides


class Log:
    """A log as far as it was read; `seq` is where to look when something is wrong."""

    def __init__(self, header: dict[str, Any], lines: list[bytes], receipts: dict[int, str]) -> None:
        self.header, self.lines, self.receipts, self.seq = header, lines, receipts, 1
        self.next_roll, self.hidden, self.closed, self.shared, self.before = 1, 0, False, 0, dict[str, Any]()
        self.removed, self.redacted, self.redrawn = set[int](), set[int](), set[int]()
        self.faces: dict[tuple[int, int], tuple[int, int, int, bool]] = {}  # address: seq, sides, face, typed
        self.promises: list[tuple[int, str, str]] = []  # first roll, label of its dice, SHA-256 of the seed
        self.seeds, self.typed = dict[str, bytes](), dict[int, bool]()  # by their SHA-256; by action

    def check(self) -> None:
        """Go through the log. Its chain starts at the id of its first session: this, or one it was forked from."""
        marked = [read(line) for line in self.lines if b'"core.session-forked"' in line]
        forks = [each["data"] for each in marked if each.get("type") == "core.session-forked"]
        first = read(self.lines[0])
        self.sessions = [first.get("session", self.header["session"]), *(each["parent"] for each in forks)]
        starts = {each: sha256(each.encode()).digest() for each in self.sessions}
        fits = [each for each in starts if link(starts[each], 1, first).hex() == first["hash"]]
        self.label = (fits or self.sessions)[0]
        self.hash = starts[self.label]
        self.sessions.append(forks[-1]["session"] if forks else self.label)
        need(self.header["session"] == self.sessions[-1], "the header is of another session")
        for self.seq, line in enumerate(self.lines, 1):
            self.see(read(line))
        last, end = max(self.receipts, default=0), (self.header["version"], self.header["head_hash"])
        need(last <= self.seq, f"the log ends here, and your receipt is for event {last}: its end is gone")
        need((self.seq, self.hash.hex()) == end, "the log ends here, and not as its header says")
        for self.seq in sorted(each for each in self.removed - self.redacted if each > self.shared):
            need(self.hidden > 0, "its words are gone, and no event says that they were removed")

    def see(self, event: dict[str, Any]) -> None:
        """Check the next event: its number, its hash, its place, and what it throws."""
        need(event["seq"] == self.seq, f"it is missing; event {event['seq']} stands in its place")
        self.hash = link(self.hash, self.seq, event)
        need(self.hash.hex() == event["hash"], "it is not what was recorded there: its hash does not follow")
        kept = self.receipts.get(self.seq, event["hash"]) == event["hash"]
        need(kept, "your receipt is for another event: this one, or one before it, was changed")
        if "type" in event:
            self.in_order(event, self.before or event)
            self.before = event
            self.removed |= {self.seq} if event["data"] is None else set()
            self.told(event["type"], event["data"] or {}, event)
        else:
            may_be = self.seq > 1 and self.header["copy"] != "complete" and not self.closed
            need(may_be, "it is hidden; the ends of a log never are, and nothing is in a complete copy")
            self.hidden += 1

    def in_order(self, event: dict[str, Any], before: dict[str, Any]) -> None:
        """Check what is shown against what was shown before; in between whole actions may be hidden."""
        step, apart = event["action"] - before["action"], event["seq"] > before["seq"] + 1
        need(event["session"] in self.sessions, f"it is of another session, {event['session']}")
        need(step in (0, 1) or (step > 1 and apart), f"action {event['action']} does not follow")
        need(before["at"] <= event["at"], "its time is before that of an earlier event")
        need((event["slot"] or 0) <= event["action"], "it belongs to a place that was not made yet")
        need(not self.closed or event["type"] == "core.session-forked", "the session was closed before it")
        need((event["type"] == "core.session-opened") == (self.seq == 1), "a log opens once, with event 1")

    def told(self, kind: str, said: dict[str, Any], event: dict[str, Any]) -> None:
        """Take in what an event says of seeds, of removed words and of dice."""
        if kind in ("core.session-opened", "core.session-imported", "core.session-forked"):
            first, self.label = said.get("first_roll", self.next_roll), said.get("session", self.label)
            need(first >= self.next_roll, "the fork claims rolls thrown before it")
            self.promises.append((first, self.label, said["dice_commitment"]))
            self.shared = said.get("version", self.shared)
        self.closed = kind == "core.session-closed"
        if self.closed:
            self.learn(said["seed"], self.promises[-1:])
        elif kind == "core.text-redacted":
            self.redacted.add(said["seq"])
        elif kind == "core.action-taken":
            self.typed[event["action"]] = said.get("source") == "table"
            self.redrawn |= {event["slot"]} if said.get("redraws") is not None else set()
        if said.get("roll") is not None:
            self.thrown(said["roll"], event, again=event["revision"] > 1 or event["slot"] in self.redrawn)

    def learn(self, seed: str, promises: list[tuple[int, str, str]]) -> None:
        """Take a seed, which must be one that was promised."""
        promise = sha256(bytes.fromhex(seed)).hexdigest()
        need(promise in [each[2] for each in promises], "the seed is not the one promised before its dice")
        self.seeds[promise] = bytes.fromhex(seed)

    def take(self, number: int) -> None:
        """Take the number of a roll: one that was taken before, or the next."""
        need(number <= self.next_roll or self.hidden > 0, f"roll {self.next_roll} was skipped")
        self.next_roll = max(self.next_roll, number + 1)

    def thrown(self, roll: dict[str, Any], event: dict[str, Any], *, again: bool) -> None:
        """Check a roll: its number comes next, or its dice fell before; an address has one face for ever."""
        number, table, here = roll["number"], roll.get("source") == "table", set[tuple[int, int]]()
        need(number >= self.next_roll or again or self.hidden > 0, f"roll {number} was thrown before")
        need(again or self.typed.get(event["action"], table) == table, "its action was taken with other dice")
        self.take(number)
        for place, die in enumerate(roll["dice"], 1):
            sides, shown, address = die.get("sides", 6), die["face"], die.get("address", f"{number}.{place}")
            of, index = map(int, address.split("."))
            fell = again or self.hidden > 0 or (of, index) == (number, place)
            need(fell and min(of, index) > 0 and (of, index) not in here, f"no die can lie at {address}")
            need(1 <= shown <= sides, f"the die at {address} shows {shown}, and has {sides} sides")
            self.take(of)
            here |= {(of, index)}
            follows = index == 1 or self.hidden > 0 or (of, index - 1) in self.faces
            need(follows, f"the die before the one at {address} was skipped")
            first, *was = self.faces.setdefault((of, index), (self.seq, sides, shown, table))
            need(was == [sides, shown, table], f"the die at {address} was another at event {first}")

    def throw_again(self) -> dict[str, list[int]]:
        """By promise how many dice hold, thrown again; how many wait for their seed; how many people typed in."""
        counts = {promise: [0, 0, 0] for _, _, promise in self.promises}
        for at, (self.seq, sides, shown, table) in self.faces.items():
            _, label, promise = [each for each in self.promises if each[0] <= at[0]][-1]
            seed = None if table else self.seeds.get(promise)
            right = face(seed, label, *at, sides) if seed else shown
            need(shown == right, f"the die at {at[0]}.{at[1]} shows {shown}, and its seed gives {right}")
            counts[promise][2 if table else 0 if seed else 1] += 1
        return counts


def main() -> int:
    """Check the file the command line names, say how it went, and answer the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(";")[0], epilog=ENDS)
    parser.add_argument("log", type=Path, help="the copy, as `export` wrote it")
    kept = "the version and head hash of an answer you kept; as often as needed"
    parser.add_argument("--receipt", action="append", type=RECEIPT, metavar="SEQ:HASH", help=kept)
    seed = "the seed of a session this one was forked from; as often as needed"
    parser.add_argument("--seed", action="append", type=SEED, metavar="HEX", help=seed)
    asked, log = parser.parse_args(), None
    if None in (asked.receipt or []) + (asked.seed or []):
        parser.error("a receipt is SEQ:HASH, a seed is HEX, and both of these are 64 digits 0-9 a-f")
    try:
        header, *lines = [*filter(bytes.strip, asked.log.read_bytes().splitlines())] or [b"{}"]
        need(dict(read(header)).get("tabletape") == 1, "it is no copy of a log, or one of a newer form")
        log = Log(read(header), lines, {int(each[1]): each[2] for each in asked.receipt or []})
        log.check()
        for log.seq, known in ((0, each[0]) for each in asked.seed or []):
            log.learn(known, log.promises)
        counts = log.throw_again()
    except Exception as error:
        where = f"FAULT at event {log.seq}" if log and log.seq else f"{asked.log} is not checked"
        print(f"{where}: {error if type(error) is ValueError else f'it cannot be read, {error!r}'}")
        return 1 if log and log.seq else 2
    print(f"Checked: {len(lines)} events; each follows from the one before, up to the head {log.hash.hex()}.")
    print(f"Not checked: what {log.hidden} hidden events say, and {len(log.removed)} whose words are gone.")
    for promise, (held, waiting, typed) in counts.items():
        print(f"Checked: {held} server dice, each thrown again from the seed promised as {promise};")
        print(f"not checked: {waiting} dice whose seed is not out, {typed} typed in by people.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
