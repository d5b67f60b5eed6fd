"""The login conversation however its bytes are cut, in both framings, over a raw socket."""

from __future__ import annotations

from typing import Any

import pytest

import harness
from harness import Connection, Daemon, Replica, request

FRAMINGS = ["lines", "headers"]


def conversation() -> list[Any]:
    # Names and values that no cut leaves whole by chance: Hangul is three bytes a syllable.
    return [
        request(1, "session/open", {"form": "login", "locale": "ko"}),
        request(2, "field/change", {"field": "email", "value": "김"}),
        request(3, "field/blur", {"field": "email"}),
        request(4, "field/change", {"values": {"email": "kim@example.com", "password": "비밀"}}),
        request(5, "session/close", {}),
    ]


def bytes_of(framing: str) -> bytes:
    return b"".join(harness.frame(harness.encode(message), framing) for message in conversation())


def check(connection: Connection) -> None:
    """Reads the answers to the whole conversation, and that they are the right ones."""
    opened, before = connection.read_until_answer(1)
    assert before == []
    login = Replica(opened["result"])
    for number in (2, 3, 4):
        answer, before = connection.read_until_answer(number)
        assert len(before) == 1, before
        login.apply(before)
        assert answer["result"] == {"revision": login.revision}
        if number == 3:
            assert login.document["messages"] == {"email": "이메일 형식이 아닙니다."}
    assert login.document["isValid"] is True
    answer, _ = connection.read_until_answer(5)
    assert "result" in answer


@pytest.mark.parametrize("framing", FRAMINGS)
def test_one_byte_at_a_time(daemon: Daemon, framing: str) -> None:
    with daemon.connect(framing) as connection:
        for byte in bytes_of(framing):
            connection.send_bytes(bytes([byte]))
        check(connection)


@pytest.mark.parametrize("framing", FRAMINGS)
def test_split_at_every_offset(daemon: Daemon, framing: str) -> None:
    for head, tail in harness.each_split(bytes_of(framing)):
        with daemon.connect(framing) as connection, daemon.connect() as witness:
            connection.send_bytes(head)
            # A round trip elsewhere: the daemon has had its chance to read the head alone.
            witness.call("server/ping")
            connection.send_bytes(tail)
            check(connection)


@pytest.mark.parametrize("framing", FRAMINGS)
def test_all_at_once_and_twice(daemon: Daemon, framing: str) -> None:
    with daemon.connect(framing) as connection:
        connection.send_bytes(bytes_of(framing) * 2)
        check(connection)
        check(connection)


def test_the_framing_is_undecided_while_it_could_be_either(daemon: Daemon) -> None:
    with daemon.connect("headers") as connection, daemon.connect() as witness:
        body = harness.encode(request(1, "server/ping"))
        for part in (b" ", b"\r\n", b"c", b"oNtEnT", b"-", b"Length: %d\r\n\r\n" % len(body), body):
            connection.send_bytes(part)
            witness.call("server/ping")
        assert connection.read()["id"] == 1
    with daemon.connect("lines") as connection:
        connection.send_bytes(b"Content\n")
        assert connection.read()["error"]["code"] == -32700
        assert connection.call("server/ping") is not None
