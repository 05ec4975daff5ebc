"""The formats by name."""

from __future__ import annotations

from typing import Final

from api.webhooks.discord import DiscordFormat
from api.webhooks.letters import Format
from api.webhooks.standard import StandardFormat
from eventlog import hooks

FORMATS: Final[dict[hooks.Format, Format]] = {"standard": StandardFormat(), "discord": DiscordFormat()}
"""How messages are written for each kind of receiver."""
