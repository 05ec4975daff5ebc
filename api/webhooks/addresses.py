"""Where a message may go: public addresses, and the networks the operator allows. Nothing else, by any name.

An address is taken apart once, here; its name is looked up once, and what was looked up is what is connected
to. So no second look-up can lead elsewhere, and no spelling of a number means another machine later.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias
from urllib.parse import urlsplit

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network
LookUp: TypeAlias = Callable[[str, int], Awaitable[Iterable[str]]]

LONGEST = 2000
PORTS = {"https": 443, "http": 80}
WRITTEN = re.compile(r"[\x21-\x7e]+", re.ASCII)
HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?", re.ASCII)
NEVER_PUBLIC = tuple(
    map(
        ip_network,
        ("::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "fec0::/10"),
    )
)
"""Addresses that hold an address of the old kind, which would have to be judged again, and old local ones."""


class TargetRefused(Exception):
    """Nothing is sent there. `reason` is `malformed`, `not-https`, `not-found` or `not-public`."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An address taken apart: what to look up, what to connect to, what to ask for."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """What the `Host` header says."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == PORTS[self.scheme] else f"{name}:{self.port}"


def target_of(url: str) -> Target:
    """An address taken apart. Raises `TargetRefused` where it is none, or could be read in two ways."""
    if len(url) > LONGEST or not WRITTEN.fullmatch(url) or "\\" in url:
        raise _malformed("write it in plain letters without blanks, at most 2000 of them")
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise _malformed("its host or port cannot be read") from None
    if parts.scheme.lower() not in PORTS:
        raise _malformed("it begins with https://")
    if "@" in parts.netloc or port == 0:
        raise _malformed("it holds no user name or password, and a port is 1 to 65535")
    if not (HOST.fullmatch(host) or _is_ipv6(host)):
        raise _malformed("it has no host such as hooks.example")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    scheme = parts.scheme.lower()
    return Target(scheme=scheme, host=host, port=port or PORTS[scheme], path=path)


def masked(url: str) -> str:
    """An address as it may be shown: whoever knows the rest of it could send there too."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/…"


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Networks as the operator writes them: `192.168.1.0/24`, or one address. Raises `ValueError`."""
    return tuple(ip_network(text) for text in texts)


def may_be_reached(address: Address, allowed: Iterable[Network] = ()) -> bool:
    """Whether an address is public, or in a network the operator allows."""
    return any(address in network for network in allowed) or _is_public(address)


def _is_public(address: Address) -> bool:
    if any(address in network for network in NEVER_PUBLIC):
        return False
    local = address.is_private or address.is_link_local or address.is_loopback or address.is_unspecified
    return address.is_global and not (local or address.is_multicast or address.is_reserved)


async def look_up(host: str, port: int) -> Iterable[str]:
    """The addresses of a name, as this machine knows it. Raises `OSError` where it knows none."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return dict.fromkeys(str(where[0]) for *_, where in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far messages may go: to public addresses over TLS, and to allowed networks over plain HTTP too."""

    allowed: tuple[Network, ...] = ()
    look_up: LookUp = look_up

    async def addresses(self, host: str, port: int, *, plain: bool) -> list[Address]:
        """Where to connect to, all of it allowed. Raises `TargetRefused` where any of it is not."""
        found = await self._found(host, port)
        for address in found:
            if not may_be_reached(address, self.allowed):
                raise TargetRefused(
                    "not-public", f"{host} is not a public address; whoever runs the server can allow it"
                )
            if plain and not any(address in network for network in self.allowed):
                raise TargetRefused("not-https", f"{host} is reached over https:// only")
        return found

    async def check(self, url: str) -> Target:
        """The address taken apart, after looking whether it may be reached. Raises `TargetRefused`."""
        target = target_of(url)
        await self.addresses(target.host, target.port, plain=target.scheme == "http")
        return target

    async def _found(self, host: str, port: int) -> list[Address]:
        try:
            found = (
                [ip_address(host)] if _is_ipv6(host) else [*map(ip_address, await self.look_up(host, port))]
            )
        except (OSError, ValueError, UnicodeError):
            found = []
        if not found:
            raise TargetRefused("not-found", f"There is no machine called {host}: check the address")
        return found


def _is_ipv6(host: str) -> bool:
    try:
        return IPv6Address(host).scope_id is None
    except ValueError:
        return False


def _malformed(what: str) -> TargetRefused:
    return TargetRefused("malformed", f"This is no address of a webhook: {what}")
