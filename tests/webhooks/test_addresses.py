"""Where messages may go: public addresses, whatever they are called, and what the operator allows."""

import asyncio
import ssl
import subprocess
from collections.abc import Iterable
from ipaddress import ip_address
from pathlib import Path

import pytest
from receiving import Receiver

from api.settings import NetworkMalformed, ServerSettings
from api.webhooks.addresses import Reach, TargetRefused, masked, may_be_reached, networks, target_of
from api.webhooks.sending import Post

NOT_PUBLIC = (
    "127.0.0.1",
    "127.255.255.254",
    "::1",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.255.255",
    "169.254.169.254",
    "169.254.0.1",
    "0.0.0.0",  # noqa: S104 - nothing binds to it
    "0.1.2.3",
    "::",
    "100.64.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "fd00::1",
    "fc00::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "2001:db8::1",
)
PUBLIC = (
    "8.8.8.8",
    "172.15.255.255",
    "172.32.0.1",
    "192.167.255.255",
    "11.0.0.1",
    "2606:4700::1111",
    "2a00::1",
)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_public_is_not_reached(address: str) -> None:
    assert not may_be_reached(ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(TargetRefused) as refused:
        asyncio.run(Reach().check(f"https://{host}/hook"))
    assert refused.value.reason == "not-public"


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_reached(address: str) -> None:
    assert may_be_reached(ip_address(address))
    host = f"[{address}]" if ":" in address else address
    assert asyncio.run(Reach().check(f"https://{host}/hook")).host == address


@pytest.mark.parametrize(
    "spelling",
    [
        "2130706433",
        "017700000001",
        "0x7f000001",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "127.1",
        "127.0.1",
        "0",
        "0x0",
        "3232235521",
        "0xa9fea9fe",
        "localhost",
        "LOCALHOST",
        "localhost.",
    ],
)
def test_no_spelling_of_an_address_is_another_address(spelling: str) -> None:
    """Decimal, octal, hexadecimal, shortened: this machine's own look-up says what they are."""
    with pytest.raises(TargetRefused) as refused:
        asyncio.run(Reach().check(f"https://{spelling}/hook"))
    assert refused.value.reason in {"not-public", "not-found"}


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hooks.example",
        "https://",
        "https:///path",
        "https://user:secret@hooks.example/",
        "https://@hooks.example/",
        "https://hooks.example:0/",
        "https://hooks.example:99999/",
        "https://hooks.example:port/",
        "https://hooks.exämple/",
        "https://hooks.example/\n",
        "https://hooks example/",
        "https:\\\\hooks.example\\",
        "https://hooks.example\\@127.0.0.1/",
        "https://hooks..example/",
        "https://[::1%25eth0]/",
        "https://[::1/",
        "https://127.0.0.1%2f.hooks.example/",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "gopher://hooks.example/",
        "javascript:alert(1)",
        "https://hooks.example/" + "x" * 2000,
    ],
)
def test_what_is_no_address_or_could_be_read_in_two_ways_is_refused(url: str) -> None:
    with pytest.raises(TargetRefused) as refused:
        target_of(url)
    assert refused.value.reason == "malformed"


async def _somewhere(host: str, port: int) -> Iterable[str]:
    return {
        "inside.example": ["10.0.0.7"],
        "half.example": ["8.8.8.8", "127.0.0.1"],
        "hooks.example": ["8.8.8.8", "2606:4700::1111"],
        "mapped.example": ["::ffff:10.0.0.7"],
    }.get(host, [])


@pytest.mark.parametrize(
    "url,reason",
    [
        ("https://inside.example/", "not-public"),
        ("https://half.example/", "not-public"),
        ("https://mapped.example/", "not-public"),
        ("https://nowhere.example/", "not-found"),
        ("http://hooks.example/", "not-https"),
        ("https://hooks.example/", None),
        ("HTTPS://HOOKS.EXAMPLE/", None),
    ],
)
def test_a_name_is_as_good_as_every_address_behind_it(url: str, reason: str | None) -> None:
    found = None
    try:
        asyncio.run(Reach(look_up=_somewhere).check(url))
    except TargetRefused as refused:
        found = refused.reason
    assert found == reason


def test_the_operator_allows_networks_and_plain_http_there() -> None:
    reach = Reach(allowed=networks(["10.0.0.0/24", "127.0.0.1"]), look_up=_somewhere)
    assert asyncio.run(reach.check("http://inside.example:8080/hook")).authority == "inside.example:8080"
    assert asyncio.run(reach.check("https://[2606:4700::1111]:444/hook")).authority == "[2606:4700::1111]:444"
    for url in ("https://10.0.1.1/", "https://127.0.0.2/", "https://[::ffff:127.0.0.1]/"):
        with pytest.raises(TargetRefused):
            asyncio.run(reach.check(url))
    with pytest.raises(TargetRefused, match="https"):
        asyncio.run(reach.check("http://hooks.example/"))
    with pytest.raises(NetworkMalformed, match=r"192\.168\.1\.0/24"):
        ServerSettings(webhook_networks=("home",))


def test_a_name_is_looked_up_once_and_what_was_checked_is_connected_to(receiver: Receiver) -> None:
    """A name that answers otherwise the second time leads nowhere: nobody asks it a second time."""
    asked = []

    async def turncoat(host: str, port: int) -> Iterable[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.7"]

    async def send() -> tuple[int | None, str | None, str | None]:
        post = Post(Reach(allowed=networks(["127.0.0.1"]), look_up=turncoat))
        first = await post.send("POST", f"http://turncoat.example:{receiver.port}/in", {}, b"{}")
        await post.aclose()
        second = await post.send("POST", f"http://turncoat.example:{receiver.port}/in", {}, b"{}")
        await post.aclose()
        return first.status, first.error, second.error

    assert asyncio.run(send()) == (200, None, "address not-public")
    assert asked == ["turncoat.example"] * 2
    (got,) = receiver.got
    assert got.headers["host"] == f"turncoat.example:{receiver.port}"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for hooks.example and its key in one file."""
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", "key.pem", "-out", "cert.pem", "-days", "2", "-subj", "/CN=hooks.example",
            "-addext", "subjectAltName=DNS:hooks.example",
        ],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    (folder / "both.pem").write_text((folder / "key.pem").read_text() + (folder / "cert.pem").read_text())
    return folder / "both.pem"


@pytest.mark.parametrize(
    "host,error", [("hooks.example", None), ("other.example", "tls"), ("127.0.0.1", "tls")]
)
def test_the_name_in_the_certificate_is_checked_though_an_address_is_connected_to(
    certificate: Path, host: str, error: str | None
) -> None:
    async def here(_host: str, _port: int) -> Iterable[str]:
        return ["127.0.0.1"]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n{}")
        writer.write(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    async def send() -> tuple[int | None, str | None]:
        served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        served.load_cert_chain(certificate)
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=served)
        port = server.sockets[0].getsockname()[1]
        post = Post(
            Reach(allowed=networks(["127.0.0.1"]), look_up=here),
            ssl.create_default_context(cafile=certificate),
        )
        answered = await post.send("POST", f"https://{host}:{port}/in", {}, b"{}")
        await post.aclose()
        server.close()
        await server.wait_closed()
        return answered.status, answered.error

    assert asyncio.run(send()) == (None if error else 204, error)


def test_a_long_answer_is_not_read_to_its_end() -> None:
    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n{}")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n")
        sent = 0
        try:
            while sent < 50_000_000:
                writer.write(b"x" * 65536)
                await writer.drain()
                sent += 65536
        except ConnectionError:
            pass
        flooded.append(sent)
        writer.close()

    flooded: list[int] = []

    async def send() -> None:
        server = await asyncio.start_server(flood, "127.0.0.1", 0)
        post = Post(Reach(allowed=networks(["127.0.0.1"])))
        answered = await post.send(
            "POST", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", {}, b"{}"
        )
        assert (answered.status, answered.body, answered.error) == (200, b"", None)
        await post.aclose()
        while not flooded:  # noqa: ASYNC110 - the other side of the connection says so
            await asyncio.sleep(0.01)
        server.close()
        await server.wait_closed()

    asyncio.run(send())
    assert flooded[0] < 50_000_000


def test_an_address_is_shown_without_what_makes_it_secret() -> None:
    assert masked("https://discord.com/api/webhooks/1/token-word?thread_id=2") == "https://discord.com/…"
    assert masked("http://127.0.0.1:8080/in") == "http://127.0.0.1:8080/…"
