"""Where the texts are silent or contradict themselves: the question, how it is played, and what changes it.

One row for each open point. A row with a `parameter` is a reading a table can change; the others are rulings
built into the rules. Sources: 6.1 to 6.7 and 7.1 to 7.5 of the text with Group Competence, and the first edition.
"""

from __future__ import annotations

import msgspec


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """One open point of the texts and how it is played here."""

    section: str
    question: str
    answer: str
    parameter: str | None = None


def _row(section: str, question: str, answer: str, parameter: str | None = None) -> Ruling:
    return Ruling(section=section, question=question, answer=answer, parameter=parameter)


RULINGS: tuple[Ruling, ...] = (
    # 6.1 and 6.3: conflicts and turns
    _row(
        "6.3", "What if the two dice for who begins are equal?", "They are thrown again until one is higher."
    ),
    _row(
        "6.3",
        "Who decides the order within a side?",
        "Nobody but the players: any order, another one each round.",
    ),
    _row(
        "6.3",
        "Is catching one's breath an action, as in the first edition?",
        "No; the GM may write it on sheets as an action power, or adjust the pool.",
    ),
    _row(
        "6.3",
        "Does an empty Action Pool cost wounds, as in the first edition?",
        "No; it only keeps one from maneuvering.",
    ),
    _row(
        "6.3",
        "Does somebody who comes back into a conflict act again?",
        "Not in a round in which they have acted.",
    ),
    # 6.4: maneuvers
    _row("6.4", "The solo example builds four dice, speaks of six and lists four results.", "Four dice."),
    _row(
        "6.4",
        "The combined example keeps two strike and three charge of four and two.",
        "Nobody keeps more of a kind than was rolled; the recommended choice is three and two.",
    ),
    _row(
        "6.4",
        "Which die of the solo example was whose?",
        "It matters in a total failure alone; the origin of every die is recorded.",
    ),
    _row(
        "6.4",
        "Is one of the other two who give in the combined example the GM?",
        "No, two more players; nothing hangs on it.",
    ),
    _row("6.4", "Once successes are gained, once dice.", "The same: each success is a die."),
    _row(
        "6.4",
        "Who is the player of Rasheem, who has a name of her own in the examples?",
        "Whoever holds the seat of a character pays and answers for them.",
    ),
    _row("6.4", "May one keep fewer than the limit allows?", "No, exactly as many.", "maneuver.keep"),
    _row(
        "6.4",
        "What comes first, the reroll or the choice of five?",
        "The reroll; then counting, then choosing.",
    ),
    _row(
        "6.4",
        "Is a token earned by dice rolled or dice kept?",
        "By dice kept, before the maximum of the Charge Pool.",
        "token.counts",
    ),
    _row(
        "6.4",
        "Which dice are the GM's that a total failure loses?",
        "Group Competence dice and the GM's gift die; both come from the supply.",
    ),
    _row("6.4", "Whose dice come back after a combined total failure?", "Each die to the pool it came from."),
    _row(
        "6.4",
        "Does a trait unmarked for a reroll that failed stay unmarked?",
        "Yes, as 6.6 says of achievements.",
    ),
    _row("6.4", "Are all failed dice rerolled, or some?", "All of them."),
    _row("6.4", "How many traits for one roll?", "One.", "reroll.max_per_roll"),
    _row(
        "6.4",
        "Must the trait fit what is described?",
        "Yes, at the table; the words may be recorded, nothing checks them.",
        "reroll.needs_text",
    ),
    _row(
        "6.4", "May a helper put in no die?", "No, one to three like the leader.", "maneuver.action_dice.min"
    ),
    _row("6.4", "When may somebody help?", "In the leader's turn, if they have not acted this round."),
    _row(
        "6.4",
        "Who rerolls and uses powers in a combined action?",
        "The leader alone, with their own traits, powers and charge dice.",
    ),
    # 6.4: gifts and Group Competence
    _row(
        "6.4",
        "May the GM give a gift die, and from where?",
        "One for each maneuver, from the supply, at no cost.",
        "gift.gm_max",
    ),
    _row("6.4", "May a helper give a gift die as well?", "No.", "gift.from_helpers"),
    _row("6.4", "May somebody defeated give?", "Yes: the text speaks of players.", "gift.from_defeated"),
    _row("6.4", "Does a gift die that came back count for Group Competence?", "Yes: it was given."),
    _row(
        "6.4", "Does Group Competence rise each turn or each round?", "Once a round, at its end.", "gc.policy"
    ),
    _row("6.4", "Does Group Competence start anew in each conflict?", "Yes.", "gc.start"),
    # 6.4: tokens
    _row(
        "6.4",
        "When exactly may tokens be spent?",
        "Whenever a conflict runs and no roll waits for an answer.",
    ),
    _row("6.4", "Does a free action use up the action of the round?", "No.", "token.free_keeps_action"),
    _row(
        "6.4",
        "Does a free achievement cover its helpers?",
        "No, they spend an action of their own.",
        "token.free_covers_helpers",
    ),
    _row("6.4", "May several players pay for one use?", "No.", "tokens.pooling"),
    _row("6.4", "One of two targets is hit: do the strike dice come back?", "No, only when both are missed."),
    _row(
        "6.4",
        "Does one trait reroll dice thrown apart for a type too?",
        "Yes, all failed dice of the strike.",
    ),
    # 6.3: powers; conditions
    _row(
        "6.3",
        "May Heroics join a maneuver?",
        "No: 6.6 and the first edition know it for achievements.",
        "power.heroics.joins",
    ),
    _row(
        "6.6",
        "Does a power the GM lets join an achievement cost charge dice?",
        "Yes, its cost; the GM sets only the number of dice.",
    ),
    _row(
        "8",
        "Which dice does a condition take that takes dice from a roll?",
        "Competence dice first, then helpers', bonus and gift dice, the actor's own last; without a die left nothing succeeds.",
    ),
    _row(
        "8", "What is a skill less, where there are no skills?", "One Group Competence die less in maneuvers."
    ),
    _row(
        "8",
        "How long does a condition last?",
        "Until removed, or until the conflict ends; the GM may say turn, round or always.",
        "end.conditions",
    ),
    # 6.5: strikes
    _row("6.5", "How many strike dice make a strike?", "One to six.", "strike.min_strike_dice"),
    _row(
        "6.5",
        "How many wounds does a hit make?",
        "As often as the successes beat the whole defense.",
        "strike.wounds",
    ),
    _row("6.5", "Must successes exceed the defense?", "Yes.", "strike.compare"),
    _row(
        "6.5",
        "What comes back from a miss?",
        "The strike dice; bonus and charge dice are lost.",
        "strike.on_miss",
    ),
    _row("6.5", "Is there a combined strike?", "No; only powers of the table's own could make one."),
    # 6.6 and 7: achievements and goals
    _row(
        "6.6",
        "Does a goal of 5 take five successes or six?",
        "Six: more than the difficulty, as the example and 7.1 have it.",
        "achievement.compare",
    ),
    _row(
        "6.6",
        "Do eight dice and two for each further player contradict ten for two?",
        "No; the limit counts strike dice, bonus dice are extra.",
    ),
    _row(
        "6.6",
        "Most dice of one participant?",
        "No limit but the common one; helpers at least one, the leader may put in none.",
        "achievement.min_helper_dice",
    ),
    _row("6.6", "Does the limit of five apply to a combined achievement, called a maneuver there?", "No."),
    _row(
        "6.6",
        "How low can a defense fall?",
        "To 1; the change is for everybody's strikes until the conflict ends.",
        "defense.min",
    ),
    _row("6.6", "Which wounds are still needed?", "The circles not marked at that time."),
    _row(
        "7.4",
        "When is an individual goal done?",
        "For each character alone; for all when everybody of that side in the conflict has achieved it. Effects that name nobody are for whoever achieves it.",
    ),
    _row("7.1", "Does reopening a goal take its effects back?", "No; the GM adjusts what has to change."),
    # adversity
    _row(
        "6.1",
        "How do opponents act?",
        "Like player characters: own pools, competence 2 unless set, one action each and turn.",
        "adversity.competence",
    ),
    _row("6.1", "Do opponents get gifts, tokens or help?", "No.", "adversity.gifts"),
    _row("6.1", "What does an ally use for competence?", "Their own if set, else Group Competence."),
    # 6.7: the end
    _row("6.7", "What becomes of the Charge Pool?", "Halved, rounded down.", "end.charge"),
    _row("6.7", "What becomes of the Strike Pool?", "Emptied.", "end.strike"),
    _row("6.7", "Are tokens kept?", "No; they expire after the uses at the end.", "end.tokens"),
    _row("6.7", "How does one withdraw?", "In words, without dice."),
    _row(
        "6.2",
        "Are there pool maxima?",
        "None but what the sheet says; the Action Pool holds what it starts with.",
        "pc.action_max",
    ),
)
"""Every open point, in the order of the rule book."""
