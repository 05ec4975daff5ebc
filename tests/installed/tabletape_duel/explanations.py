"""What each refusal means, for whoever writes a bot or a form."""

from __future__ import annotations

EXPLANATIONS = {
    "already-attacked": "One attack a turn; end the turn.",
    "down": "Whoever is down neither attacks nor is attacked.",
    "duel-not-begun": "The duel begins first.",
    "duel-running": "The duel has begun.",
    "duplicate-id": "The id is taken; choose another.",
    "has-dagger": "One dagger is enough.",
    "no-dagger": "There is no dagger up this sleeve.",
    "no-opposition": "A duel needs somebody on both sides.",
    "no-such-question": "Nothing of that id is asked.",
    "not-asked": "Somebody else is asked; `asks` names whom.",
    "not-secret": "Everybody sees the duellist already.",
    "not-your-turn": "It is the turn of `current`.",
    "order-incomplete": "Name every duellist in sight once.",
    "reserved-id": "The id means somebody already; choose another.",
    "same-side": "Nobody attacks their own side.",
    "same-target": "Nobody attacks themselves.",
    "still-secret": "The duellist is hidden; reveal them first.",
    "too-tired": "It takes more stamina than is left.",
    "unknown-duellist": "There is no duellist of that id, as far as you may know.",
    "wrong-answer": "The question waits for another kind of answer.",
}
