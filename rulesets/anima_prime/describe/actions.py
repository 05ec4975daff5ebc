"""What is said of maneuvers, strikes, achievements and powers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulesets.anima_prime.describe.phrase import Phrase
from rulesets.anima_prime.describe.words import (
    faces,
    goal_name,
    listed,
    made_of,
    many,
    name_of,
    pool_dice,
    power_name,
    quoted,
)
from rulesets.anima_prime.events import (
    AchievementDeclared,
    AchievementResolved,
    ActionEvent,
    CharacterDefeated,
    ChargePaid,
    DefenseChanged,
    DiceGained,
    DiceLost,
    DiceRerolled,
    DiceReturned,
    DiceRolled,
    GiftGiven,
    GoalAchieved,
    GoalUnlocked,
    ManeuverDeclared,
    ManeuverEarned,
    ManeuverFailed,
    PowerUsed,
    RerollDeclined,
    StrikeDeclared,
    StrikeResolved,
    TokensSpent,
    WoundsHealed,
    WoundsInflicted,
)
from rulesets.anima_prime.sheet import StoryEffect
from rulesets.anima_prime.state import State, defense_of


def said_of_action(state: State, event: ActionEvent, rolled: DiceRolled | None) -> Iterator[Phrase]:  # noqa: C901 - a table of facts
    """Phrases for one fact of an action. `rolled` are the dice of a declaration, told in the same breath."""
    match event:
        case ManeuverDeclared() | StrikeDeclared() | AchievementDeclared() | PowerUsed():
            yield _declared(state, event, rolled)
        case DiceRolled(actor=actor):
            yield Phrase(name_of(state, actor), f"rolls {_dice(state, event)}")
        case DiceRerolled(actor=actor, roll=roll, trait=trait, text=text):
            again = f"unmarks {trait} and rerolls {many(len(roll.dice), 'die')}: {faces(roll)}"
            yield Phrase(name_of(state, actor), again, quoted(text))
        case RerollDeclined(actor=actor):
            yield Phrase(name_of(state, actor), "does not reroll")
        case ManeuverEarned():
            yield Phrase(name_of(state, event.actor), _earned(event))
        case ManeuverFailed(actor=actor):
            yield Phrase(name_of(state, actor), "fails totally")
        case StrikeResolved():
            yield from _struck(state, event)
        case AchievementResolved(actor=actor, successes=successes, difficulty=difficulty, achieved=achieved):
            against = f"{many(successes, 'success')} against {difficulty}"
            yield Phrase(name_of(state, actor), f"{'achieves it' if achieved else 'fails'}: {against}")
        case GiftGiven(giver=giver, to=to, dice=dice):
            yield Phrase(name_of(state, giver), f"gives {many(dice, 'gift die')} to {name_of(state, to)}")
        case ChargePaid(character=who, charge=charge, source=source):
            yield Phrase(name_of(state, who), f"pays {charge} charge for {power_name(state, who, source)}")
        case TokensSpent():
            yield _tokens(state, event)
        case _:
            yield _came_of(state, event)


def _came_of(  # noqa: PLR0911 - a table of facts
    state: State,
    event: WoundsInflicted
    | WoundsHealed
    | CharacterDefeated
    | DiceReturned
    | DiceGained
    | DiceLost
    | DefenseChanged
    | GoalAchieved
    | GoalUnlocked,
) -> Phrase:
    """What happens to somebody or something, with the new number."""
    match event:
        case WoundsInflicted(character=who, wounds=wounds):
            return Phrase(name_of(state, who), _wounds(state, who, wounds))
        case WoundsHealed(character=who, wounds=wounds):
            return Phrase(name_of(state, who), _wounds(state, who, -wounds))
        case CharacterDefeated(character=who):
            return Phrase(name_of(state, who), "is defeated")
        case DiceReturned(character=who, dice=dice, pool=pool):
            return Phrase(name_of(state, who), f"gets {pool_dice(dice, pool)} back")
        case DiceGained(character=who, dice=dice, pool=pool):
            return Phrase(name_of(state, who), f"gains {pool_dice(dice, pool)}")
        case DiceLost(character=who, dice=dice, pool=pool, cause=cause):
            return Phrase(
                name_of(state, who), f"loses {pool_dice(dice, pool)}" + (f" ({cause})" if cause else "")
            )
        case DefenseChanged(character=who, change=change):
            now = f" (now {defense_of(state, state.characters[who])})" if who in state.characters else ""
            return Phrase(name_of(state, who), f"defense {change:+d}{now}")
        case GoalAchieved(goal=goal):
            effects = state.goals[goal].effects if goal in state.goals else ()
            story = (effect.text for effect in effects if isinstance(effect, StoryEffect))
            return Phrase(f"the goal {goal_name(state, goal)}", "is achieved", quoted(" ".join(story)))
        case GoalUnlocked(goal=goal):
            return Phrase(f"the goal {goal_name(state, goal)}", "is open now")
        case _:
            assert_never(event)


def _declared(
    state: State,
    event: ManeuverDeclared | StrikeDeclared | AchievementDeclared | PowerUsed,
    rolled: DiceRolled | None,
) -> Phrase:
    match event:
        case ManeuverDeclared(target=target):
            verb = "maneuvers" if target is None else f"maneuvers against {name_of(state, target)}"
        case StrikeDeclared(targets=targets):
            verb = f"strikes at {listed(name_of(state, target) for target in targets)}"
        case AchievementDeclared(goal=goal):
            verb = f"tries for {goal_name(state, goal)}"
        case PowerUsed(power=power, targets=targets):
            on = f" on {listed(name_of(state, target) for target in targets)}" if targets else ""
            verb = f"uses {power_name(state, event.actor, power)}{on}"
    dice = "" if rolled is None else f" with {_dice(state, rolled)}"
    return Phrase(name_of(state, event.actor), verb + dice, quoted(event.text))


def _dice(state: State, event: DiceRolled) -> str:
    count, origins = many(len(event.roll.dice), "die"), made_of(state, event.actor, event.roll)
    return f"{count} ({origins}): {faces(event.roll)}"


def _earned(event: ManeuverEarned) -> str:
    gains = [f"{event.strike} strike"] * bool(event.strike) + [f"{event.charge} charge"] * bool(event.charge)
    gains += [many(event.tokens, "Awesome Token")] * bool(event.tokens)
    return f"gains {listed(gains)}" if gains else "gains nothing"


def _struck(state: State, event: StrikeResolved) -> Iterator[Phrase]:
    for result in event.results:
        hit = "hits" if result.wounds or result.surplus else "misses"
        told = f"{hit} {name_of(state, result.target)} ({result.successes} against {result.defense})"
        yield Phrase(name_of(state, event.actor), told)


def _wounds(state: State, who: str, change: int) -> str:
    if who not in state.characters:
        return f"wounds {change:+d}"
    one = state.characters[who]
    return f"wounds {one.wounds - change} -> {one.wounds} of {one.max_wounds}"


def _tokens(state: State, event: TokensSpent) -> Phrase:
    use = {
        "free": " for a free action",
        "double": " for a second target",
        "both": " for a free strike at two",
        "other": "",
    }
    other = event.beneficiary not in (None, event.character)
    lent = f" for {name_of(state, event.beneficiary)}" if other and event.beneficiary else ""
    spent = f"spends {many(event.tokens, 'Awesome Token')}{lent}{use[event.use]}"
    return Phrase(name_of(state, event.character), spent, quoted(event.text))
