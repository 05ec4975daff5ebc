"""Proof that a log is the one that was recorded: its chain, its order, its dice, its decisions."""

from eventlog.verification.report import Checked, Fault, Verification
from eventlog.verification.seen import verify_for
from eventlog.verification.verifying import verify, verify_envelopes

__all__ = ["Checked", "Fault", "Verification", "verify", "verify_envelopes", "verify_for"]
