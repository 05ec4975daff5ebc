"""Measurements for operators, in a registry of their own, so that two servers in one process do not mix."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

CONTENT_TYPE = CONTENT_TYPE_LATEST
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class Metrics:
    """How many requests were answered, how, and how fast. Nothing tells one session or person from another."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "tabletape_requests",
            "Requests answered, by route and status.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "tabletape_request_seconds",
            "How long requests took, by route.",
            ("method", "route"),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self._deliveries = Counter(
            "tabletape_webhook_deliveries",
            "Messages sent to webhooks, by format and by what became of them.",
            ("format", "outcome"),
            registry=self.registry,
        )
        self._delivery_seconds = Histogram(
            "tabletape_webhook_seconds",
            "How long receivers of webhooks took to answer.",
            ("format",),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.feeds_open = Gauge(
            "tabletape_feeds_open", "Feeds that are open at the moment.", registry=self.registry
        )
        self.feed_frames = Counter("tabletape_feed_frames", "Frames sent by feeds.", registry=self.registry)
        self.feeds_cut_off = Counter(
            "tabletape_feeds_cut_off",
            "Feeds ended because their reader was too slow.",
            registry=self.registry,
        )
        self._counted: dict[tuple[str, str, int], Counter] = {}
        self._timed: dict[tuple[str, str], Histogram] = {}

    def answered(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """Count one answered request; `None` for one that lasts as long as its reader likes."""
        try:
            counted, timed = self._counted[method, route, status], self._timed[method, route]
        except KeyError:
            method = method if method in {"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"} else "other"
            counted = self._counted[method, route, status] = self._requests.labels(method, route, str(status))
            timed = self._timed[method, route] = self._seconds.labels(method, route)
        counted.inc()
        if seconds is not None:
            timed.observe(seconds)

    def delivered(self, form: str, outcome: str, seconds: float) -> None:
        """Count one attempt to send a message to a webhook."""
        self._deliveries.labels(form, outcome).inc()
        self._delivery_seconds.labels(form).observe(seconds)

    def text(self) -> bytes:
        """Everything measured, as Prometheus reads it."""
        return generate_latest(self.registry)
