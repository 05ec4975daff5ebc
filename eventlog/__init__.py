"""The append-only log and the one write path: envelopes, chain, dice, stores, fold, recorder, verification."""
