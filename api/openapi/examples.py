"""Examples of the description, each checked against its schema."""

from __future__ import annotations

from typing import Any

Examples = dict[str, dict[str, Any]]

HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

REQUESTS: Examples = {
    "open_session": {
        "A conflict under the recommended readings": {"ruleset": "anima-prime", "title": "The caravan"},
        "With dice from the table and rulings by default": {
            "ruleset": "anima-prime",
            "title": "The caravan",
            "settings": {"table_dice": "all", "rulings": "default"},
        },
    },
    "fork_session": {
        "What if she had not thrown again?": {"at": 7, "title": "The caravan, without the reroll"},
        "Next week": {"as": "sequel", "title": "The caravan, second evening"},
    },
    "take_action": {
        "Roll for a random target": {
            "command": {"type": "roll", "count": 1, "sides": 6, "purpose": "whom the bull charges"}
        },
        "Dice thrown at the table": {
            "command": {"type": "roll", "count": 2, "purpose": "the weather"},
            "dice": [3, 5],
        },
        "A note only the GM sees": {
            "command": {"type": "note", "text": "The bull is the baron's"},
            "visible_to": "gm",
        },
    },
    "write_note": {"About an action": {"text": "Rasheem wants to talk first", "about": 3}},
    "redact": {"A name that slipped in": {"seq": 14, "reason": "somebody's real name"}},
    "change_settings": {"Faces from everybody's dice": {"table_dice": "all"}},
    "close": {"The end of the evening": {"text": "To be continued"}},
    "invite": {"A player": {"role": "player", "name": "Mina", "characters": ["zadie"]}},
    "register_webhook": {
        "A bot that hears of everything": {"url": "https://bot.example/tabletape", "name": "The bot"},
        "A channel of Discord": {
            "url": "https://discord.com/api/webhooks/1049/s3cr3t",
            "format": "discord",
            "audience": {"role": "observer"},
        },
    },
    "register_server_webhook": {
        "A statistics page": {"url": "https://stats.example/in", "types": ["core.dice-rolled"]}
    },
    "redeliver_webhook": {"From the beginning": {"after": "0"}},
    "show_odds": {"A roll": {"command": {"type": "roll", "count": 1, "purpose": "a random target"}}},
}

ANSWERS: Examples = {
    "open_session": {
        "Opened": {
            "id": "mfrggzdfmztwq2lk",
            "ruleset": "anima-prime",
            "title": "The caravan",
            "version": 1,
            "head_hash": HASH,
            "dice_commitment": HASH,
            "gm_token": "tt_m3Xb0nq2Yw8Jt5c1r7Zs9dQ4uVhKfLpEaGiTyRwOxNk",
            "links": {"self": "/sessions/mfrggzdfmztwq2lk"},
        }
    },
    "fork_session": {
        "Forked": {
            "id": "nfxhe3lbn5xgs43f",
            "ruleset": "anima-prime",
            "title": "The caravan, without the reroll",
            "version": 32,
            "head_hash": HASH,
            "dice_commitment": HASH,
            "gm_token": "tt_m3Xb0nq2Yw8Jt5c1r7Zs9dQ4uVhKfLpEaGiTyRwOxNk",
            "links": {"self": "/sessions/nfxhe3lbn5xgs43f"},
        }
    },
    "list_sessions": {
        "One page": {
            "sessions": [
                {
                    "id": "mfrggzdfmztwq2lk",
                    "title": "The caravan",
                    "ruleset": "anima-prime",
                    "opened_at": "2026-12-01T19:00:00.000000Z",
                    "changed_at": "2026-12-01T22:14:09.120000Z",
                    "closed_at": None,
                }
            ],
            "next": None,
        }
    },
    "take_action": {
        "Recorded": {"action": 5, "version": 14, "head_hash": HASH, "events": [], "choices": []},
        "Ignored, since nothing was left to do": {
            "action": 5,
            "version": 14,
            "head_hash": HASH,
            "events": [],
            "choices": [],
            "ignored": True,
        },
    },
    "invite": {
        "Invited": {
            "id": "nbswy3dpeb3w64tm",
            "role": "player",
            "name": "Mina",
            "characters": ["zadie"],
            "token": "tt_m3Xb0nq2Yw8Jt5c1r7Zs9dQ4uVhKfLpEaGiTyRwOxNk",
        }
    },
    "list_rulesets": {
        "Installed": {
            "rulesets": [
                {
                    "slug": "anima-prime",
                    "name": "Anima Prime",
                    "version": "1",
                    "summary": "Fast conflicts told by their players",
                }
            ]
        }
    },
}
