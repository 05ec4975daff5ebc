"""Discord: a message for each line of the timeline, edited when the line changes.

Shapes and limits are those of the webhook and embed pages of Discord's documentation for developers
(discord.com/developers/docs/resources/webhook).
"""

from api.webhooks.discord.format import DiscordFormat

__all__ = ["DiscordFormat"]
