"""A client for programs: open a session, act, read, and follow its feed.

`Client` waits for each answer, `AsyncClient` is awaited; both have the same methods. Everything that can go
wrong is one exception, `Problem`.

    from tabletape.client import Client, Problem

    with Client("http://127.0.0.1:8000", token) as client:
        client.act(session, "roll", count=2, purpose="the weather")
        for event in client.feed(session, after=0):
            print(event.seq, event.type)
"""

from tabletape.client.awaiting import AsyncClient
from tabletape.client.blocking import Client
from tabletape.client.call import Call
from tabletape.client.feed import AsyncFeed, Feed
from tabletape.client.patience import Patience
from tabletape.client.problem import Problem, Unreachable
from tabletape.client.shapes.checked import Statistics, Verification
from tabletape.client.shapes.corrections import Corrected, Difference, Touched
from tabletape.client.shapes.events import Accepted, By, Event, EventPage, Receipt
from tabletape.client.shapes.replay import ReplayFrame
from tabletape.client.shapes.sessions import Imported, Invited, Opened, Session, Settings
from tabletape.client.shapes.table import Choice, Choices, Odds, Outcome, Table
from tabletape.client.shapes.timeline import Entry, Timeline

__all__ = [
    "Accepted",
    "AsyncClient",
    "AsyncFeed",
    "By",
    "Call",
    "Choice",
    "Choices",
    "Client",
    "Corrected",
    "Difference",
    "Entry",
    "Event",
    "EventPage",
    "Feed",
    "Imported",
    "Invited",
    "Odds",
    "Opened",
    "Outcome",
    "Patience",
    "Problem",
    "Receipt",
    "ReplayFrame",
    "Session",
    "Settings",
    "Statistics",
    "Table",
    "Timeline",
    "Touched",
    "Unreachable",
    "Verification",
]
