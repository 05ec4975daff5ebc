"""Why a command is illegal now, in the order a game master would check."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.contract import RESERVED_IDS, RuleViolation
from rulesets.people import Viewer
from tabletape_duel import commands as ask
from tabletape_duel.showing import visible
from tabletape_duel.state import State


def permits(state: State, command: ask.DuelCommand, viewer: Viewer) -> None:
    """Players ask for their own; the game master for all. Those in wait are unknown to everybody else."""
    for who in named(command):
        if who not in state.duellists or not visible(state.duellists[who], viewer):
            raise unknown(who)
    allowed = viewer.role == "gm" or (viewer.role == "player" and viewer.plays(_for_whom(state, command)))
    if not allowed:
        raise RuleViolation("not-allowed", "This is for the game master or for whoever plays the duellist.")


def refusals(state: State, command: ask.DuelCommand) -> Iterator[RuleViolation]:
    """Every reason to refuse, before any die is thrown."""
    for who in named(command):
        if who not in state.duellists:
            yield unknown(who)
    if isinstance(command, ask.Answer):
        yield from _no_answer(state, command)
    else:
        yield from _against(state, command)


def _against(state: State, command: ask.Action) -> Iterator[RuleViolation]:
    match command:
        case ask.AddDuellist(id=new):
            yield from _taken(state, new)
        case ask.Reveal(duellist=who) if not state.duellists[who].secret:
            yield RuleViolation("not-secret", "Everybody sees this duellist already.", duellist=who)
        case ask.ConcealDagger(duellist=who) if state.duellists[who].dagger != "none":
            yield RuleViolation("has-dagger", "One dagger is enough.", overrulable=False)
        case ask.DrawDagger(duellist=who) if state.duellists[who].secret:
            yield _still_secret(who)
        case ask.DrawDagger(duellist=who) if state.duellists[who].dagger != "concealed":
            yield RuleViolation("no-dagger", "There is no dagger up this sleeve.")
        case ask.Begin(order=order):
            yield from _cannot_begin(state, order)
        case ask.Attack():
            yield from _cannot_attack(state, command)
        case ask.EndTurn() if state.current is None:
            yield _not_begun()
        case ask.Adjust(duellist=who):
            yield from _below_zero(state, command)
        case _:
            return


def named(command: ask.DuelCommand) -> tuple[str, ...]:
    """The duellists a command names, who must exist."""
    match command:
        case ask.Attack(attacker=attacker, target=target):
            return (attacker, target)
        case ask.Begin(order=order):
            return order
        case ask.Interpose(ally=who) | ask.PassBy(ally=who):
            return (who,)
        case ask.Reveal() | ask.ConcealDagger() | ask.DrawDagger() | ask.Adjust():
            return (command.duellist,)
        case _:
            return ()


def unknown(who: str) -> RuleViolation:
    """Nobody of that id, as far as the one who asks may know."""
    return RuleViolation("unknown-duellist", f"There is no duellist {who!r}; check the id.", duellist=who)


def _for_whom(state: State, command: ask.DuelCommand) -> str:
    """Whose player may issue this; nobody's (`gm`) for what is the game master's."""
    match command:
        case ask.Attack(attacker=who) | ask.ConcealDagger(duellist=who) | ask.DrawDagger(duellist=who):
            return who
        case ask.Interpose(ally=who) | ask.PassBy(ally=who):
            return who
        case ask.EndTurn():
            return state.current or "gm"
        case ask.Defend() | ask.ThrowDamage():
            return state.waiting.asks[0] if state.waiting else "gm"
        case _:
            return "gm"


def _taken(state: State, new: str) -> Iterator[RuleViolation]:
    if new in RESERVED_IDS:
        yield RuleViolation("reserved-id", f"{new!r} already means somebody; choose another id.", id=new)
    if new in state.duellists:
        yield RuleViolation(
            "duplicate-id", f"There is a duellist {new!r} already; choose another id.", id=new
        )


def _cannot_begin(state: State, order: tuple[str, ...]) -> Iterator[RuleViolation]:
    if state.current is not None:
        yield RuleViolation("duel-running", "The duel has begun.")
    if len({state.duellists[who].side for who in state.order}) < 2:
        yield RuleViolation("no-opposition", "Add somebody of another side first.")
    if order and sorted(order) != sorted(state.order):
        yield RuleViolation(
            "order-incomplete", "Name every duellist in sight once.", expected=list(state.order)
        )


def _cannot_attack(state: State, command: ask.Attack) -> Iterator[RuleViolation]:
    attacker, target = state.duellists[command.attacker], state.duellists[command.target]
    if state.current is None:
        yield _not_begun()
    for who in (attacker, target):
        if who.secret:
            yield _still_secret(who.id)
        if who.down:
            yield RuleViolation("down", f"{who.name} is down.", overrulable=True, duellist=who.id)
    if attacker.id == target.id:
        yield RuleViolation("same-target", "Nobody attacks themselves.")
    if state.current != attacker.id:
        yield RuleViolation("not-your-turn", "Wait for your turn.", overrulable=True, current=state.current)
    if attacker.attacked:
        yield RuleViolation("already-attacked", "One attack a turn; end the turn.", overrulable=True)
    if attacker.side == target.side:
        yield RuleViolation("same-side", "They are on one side.", overrulable=True)
    if attacker.stamina < state.parameters.attack_cost:
        yield RuleViolation(
            "too-tired", "An attack takes more stamina than is left.", halves=attacker.stamina
        )


def _below_zero(state: State, command: ask.Adjust) -> Iterator[RuleViolation]:
    who = state.duellists[command.duellist]
    if who.hp + command.hp < 0 or who.stamina + command.stamina < 0:
        yield RuleViolation("pool-below-zero", "That is more than is left.", hp=who.hp, stamina=who.stamina)


def _no_answer(state: State, answer: ask.Answer) -> Iterator[RuleViolation]:
    kinds = {"low-blow": (ask.Rule,), "interpose": (ask.Interpose, ask.PassBy), "defense": (ask.Defend,)}
    waiting = state.waiting
    if waiting is None or waiting.question != answer.question:
        yield RuleViolation("no-such-question", "Nothing of that id is asked.", question=answer.question)
    elif not isinstance(answer, kinds.get(waiting.kind, (ask.ThrowDamage,))):
        yield RuleViolation("wrong-answer", f"This does not answer the question ({waiting.kind}).")
    elif isinstance(answer, (ask.Interpose, ask.PassBy)) and answer.ally not in waiting.asks:
        yield RuleViolation("not-asked", f"{answer.ally!r} is not asked.", asks=list(waiting.asks))
    elif isinstance(answer, ask.Defend) and answer.defense not in waiting.defenses:
        yield RuleViolation(
            "too-tired", "A dodge takes more stamina than is left.", can=list(waiting.defenses)
        )


def _still_secret(who: str) -> RuleViolation:
    return RuleViolation("still-secret", "Reveal the duellist first.", duellist=who)


def _not_begun() -> RuleViolation:
    return RuleViolation("duel-not-begun", "Begin the duel first.")
