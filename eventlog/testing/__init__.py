"""The contract test of stores: whoever writes a store runs it, with pytest or without.

`PROMISES` are functions that take an empty store; `LASTING_PROMISES` take a function that opens the same
storage again and again, for stores that outlive their process. A broken promise raises `AssertionError`:

    @pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__)
    def test_the_store_keeps(promise, tmp_path):
        promise(MyStore.open(tmp_path / "log"))
"""

from eventlog.testing.appending import APPENDING
from eventlog.testing.building import followed, forked, opened, sealed, token
from eventlog.testing.forking import FORKING
from eventlog.testing.hooks import HOOKS
from eventlog.testing.keys import KEYS
from eventlog.testing.lasting import LASTING_PROMISES
from eventlog.testing.leases import LEASES
from eventlog.testing.reading import READING
from eventlog.testing.removing import REMOVING
from eventlog.testing.revising import REVISING
from eventlog.testing.tokens import TOKENS

PROMISES = (*APPENDING, *FORKING, *KEYS, *READING, *REMOVING, *REVISING, *TOKENS, *HOOKS, *LEASES)

__all__ = ["LASTING_PROMISES", "PROMISES", "followed", "forked", "opened", "sealed", "token"]
