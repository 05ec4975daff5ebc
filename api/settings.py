"""How a server is set up: where its log is, where it listens, and whom it lets in."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Literal

import msgspec

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]", "testserver", "testserver.local"})
"""Host headers that mean this machine; the last two are what test clients call it."""

LONGEST_SILENCE = 15.0
"""Seconds a feed may say nothing: proxies and phones take a longer silence for a broken line."""


class AdminKeyMissing(ValueError):
    """A server other machines can reach has nobody who may say who opens sessions on it."""


class NetworkMalformed(ValueError):
    """What should name a network for webhooks names none."""


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of one server process.

    `db` is the database file (`:memory:` is gone when the server stops). `admin_key` is the secret of whoever
    runs it; without one the server has to stay on this machine. `allowed_origins` are web pages elsewhere that
    may call the server from a browser, `allowed_hosts` further names it is reached under. `webhook_networks` are
    networks webhooks may reach though they are not public, such as `192.168.1.0/24`, over plain HTTP too.

    `heartbeat` is how many seconds a feed may be silent, at most 15; `patience` how many a reader may take for
    what was sent; `feeds_per_token` how many feeds one token may have open.

    Raises `AdminKeyMissing` where the host is not this machine and there is no admin key, `NetworkMalformed`.
    """

    db: str = "tabletape.db"
    host: str = "127.0.0.1"
    port: int = 8000
    admin_key: str = ""
    allowed_origins: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] = ()
    webhook_networks: tuple[str, ...] = ()
    log: Literal["json", "console", "off"] = "console"
    heartbeat: float = LONGEST_SILENCE
    patience: float = 20.0
    feeds_per_token: int = 1024

    def __post_init__(self) -> None:
        for network in self.webhook_networks:
            _check_network(network)
        if not self.admin_key and not self.on_loopback:
            raise AdminKeyMissing(
                f"A server on {self.host} can be reached from other machines, so it needs an admin key: "
                "set TABLETAPE_ADMIN_KEY to a long random word, or listen on 127.0.0.1"
            )

    def __repr__(self) -> str:
        return f"ServerSettings(db={self.db!r}, host={self.host!r}, port={self.port})"

    @property
    def on_loopback(self) -> bool:
        """Whether only people on this machine can reach the server."""
        return self.host == "localhost" or _is_loopback(self.host)

    @property
    def open_to_this_machine(self) -> bool:
        """Whether anybody who reaches the server may open sessions: it is on loopback and has no admin key."""
        return self.on_loopback and not self.admin_key

    def knows_host(self, host: str) -> bool:
        """Whether a `Host` header names this server: its own names, and its addresses if others can reach it."""
        name = _without_port(host).lower()
        if name in LOOPBACK_NAMES or name in {self.host.lower(), *map(str.lower, self.allowed_hosts)}:
            return True
        return not self.on_loopback and _is_address(name.strip("[]"))


def _check_network(network: str) -> None:
    try:
        ip_network(network)
    except ValueError as error:
        raise NetworkMalformed(
            f"Webhooks are allowed to a network such as 192.168.1.0/24 or 127.0.0.1, and {error}"
        ) from None


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and (port.isdecimal() or not port) and not name.endswith(":") else host


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return _is_address(host) and ip_address(host).is_loopback
