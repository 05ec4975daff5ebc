"""What a player writes finds out nothing: words equal to a hidden id change neither who sees a fact nor any refusal."""

import pytest

from anima_prime.table import foe, pc, running
from rulesets.anima_prime import RULESET
from rulesets.anima_prime.commands import Announce, Maneuver
from rulesets.people import EVERYONE, Viewer

ZADIES = Viewer(role="player", name="Zoe", characters=("zadie",))


@pytest.mark.parametrize("word", ["ghost", "nobody"])
@pytest.mark.parametrize(
    "command",
    [
        lambda word: Maneuver(actor="zadie", action_dice=1, text=word),
        lambda word: Announce(actor="zadie", kind=word, text=word),
    ],
    ids=["maneuver", "announce"],
)
def test_a_hidden_id_in_free_words_hides_nothing(command, word) -> None:
    table = running(pc("zadie"), foe("bull"), foe("ghost", secret=True))
    dice = (3, 3) if isinstance(command(word), Maneuver) else ()
    decided = table.when(command(word), dice=dice, by=ZADIES)
    assert {RULESET.record.audience(decided.state, event) for event in decided.events} == {EVERYONE}
