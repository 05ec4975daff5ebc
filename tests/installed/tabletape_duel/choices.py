"""What can be done now, by whom, and with which chances."""

from __future__ import annotations

from itertools import product

from rulesets.contract import Choice, Field, Outcome, Question
from rulesets.people import Viewer
from tabletape_duel import commands as ask
from tabletape_duel.decide import blow_of, defense_number
from tabletape_duel.showing import questions, visible
from tabletape_duel.state import Duellist, State

_NEWCOMER = Choice(
    type="add_duellist",
    text="Add a duellist",
    fields=(
        Field(name="id", kind="text", required=True),
        Field(name="side", kind="text", required=True),
        Field(name="skill", kind="number", required=True, minimum=3, maximum=18),
        Field(name="secret", kind="flag"),
    ),
)


def default_answer(state: State, question: Question) -> ask.Answer:
    """A low blow is ruled as the table agreed, friends let it come, the target parries, damage is thrown."""
    match question.kind:
        case "low-blow":
            return ask.Rule(question=question.id, counts=state.parameters.low_blows_count)
        case "interpose":
            return ask.PassBy(question=question.id, ally=question.asks[0])
        case "defense":
            return ask.Defend(question=question.id, defense="parry")
        case _:
            return ask.ThrowDamage(question=question.id)


def choices(state: State, viewer: Viewer) -> tuple[Choice, ...]:
    """For the game master all, for a player their own: answers while something is asked, else actions."""
    gm = viewer.role == "gm"
    books = (_NEWCOMER, *_books(state)) if gm else ()
    if state.waiting is not None:
        return (*_answers(state, viewer), *books)
    begin = (Choice(type="begin", text="Begin the duel"),) if gm and _may_begin(state) else ()
    return (*_actions(state, viewer), *_daggers(state, viewer), *begin, *books)


def _may_begin(state: State) -> bool:
    return state.current is None and len({state.duellists[who].side for who in state.order}) > 1


def _books(state: State) -> tuple[Choice, ...]:
    reveal = tuple(
        Choice(type="reveal", text=f"Reveal {who.name}", actor=who.id)
        for who in state.duellists.values()
        if who.secret
    )
    ids = Field(name="duellist", kind="one", required=True, options=tuple(state.duellists))
    reason = Field(name="reason", kind="text", required=True)
    pools = (Field(name="hp", kind="number"), Field(name="stamina", kind="number"))
    adjust = Choice(type="adjust", text="Correct the books", fields=(ids, *pools, reason))
    return (*reveal, adjust) if state.duellists else ()


def _answers(state: State, viewer: Viewer) -> tuple[Choice, ...]:
    """One choice for each option of the question, for those asked and the game master."""
    return tuple(
        Choice(
            type=option.command["type"],
            text=option.text,
            actor=option.command.get("ally", open_question.asks[0]),
            by=("gm", option.command.get("ally", open_question.asks[0])),
            fields=tuple(
                Field(name=name, kind="one", required=True, options=(str(value),))
                for name, value in option.command.items()
                if name != "type"
            ),
        )
        for open_question in questions(state)
        for option in open_question.options
        if viewer.plays(option.command.get("ally", open_question.asks[0]))
    )


def _actions(state: State, viewer: Viewer) -> tuple[Choice, ...]:
    who = state.duellists.get(state.current or "")
    if who is None or not viewer.plays(who.id):
        return ()
    end = Choice(type="end_turn", text="End the turn", by=("gm", who.id))
    targets = tuple(other.id for other in state.duellists.values() if _may_be_struck(who, other))
    ready = not who.attacked and not who.down and who.stamina >= state.parameters.attack_cost
    if not ready or not targets:
        return (end,)
    fields = (
        Field(name="attacker", kind="one", required=True, options=(who.id,)),
        Field(name="target", kind="one", required=True, options=targets),
        Field(name="low", kind="flag"),
    )
    return (Choice(type="attack", text="Attack", actor=who.id, by=("gm", who.id), fields=fields), end)


def _may_be_struck(who: Duellist, other: Duellist) -> bool:
    return other.side != who.side and not other.down and not other.secret


def _daggers(state: State, viewer: Viewer) -> tuple[Choice, ...]:
    kinds = {"none": ("conceal_dagger", "Hide a dagger"), "concealed": ("draw_dagger", "Draw the dagger")}
    return tuple(
        Choice(type=kinds[who.dagger][0], text=kinds[who.dagger][1], actor=who.id, by=("gm", who.id))
        for who in state.duellists.values()
        if viewer.plays(who.id) and visible(who, viewer) and who.dagger != "drawn" and not who.secret
    )


def odds(state: State, command: ask.DuelCommand) -> tuple[Outcome, ...]:
    """Chances of an attack to land, of a defense to stop it, and of each face of the damage."""
    match command:
        case ask.Attack(attacker=who):
            return _at_most(state.duellists[who].skill, "The blow lands", "A miss")
        case ask.Defend(defense="parry" | "dodge" as defense):
            target = state.duellists[blow_of(state).target]
            return _at_most(defense_number(state, target, defense), "Stopped", "The blow goes home")
        case ask.ThrowDamage():
            return tuple(
                Outcome(text=f"{face}", result={"face": face}, numerator=1, denominator=6)
                for face in range(1, 7)
            )
        case _:
            return ()


def _at_most(number: int, success: str, failure: str) -> tuple[Outcome, ...]:
    ways = sum(sum(faces) <= number for faces in product(range(1, 7), repeat=3))
    return tuple(
        Outcome(text=text, result={"success": int(won)}, numerator=count, denominator=216)
        for text, won, count in ((success, True, ways), (failure, False, 216 - ways))
    )
