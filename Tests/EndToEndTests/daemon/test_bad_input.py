"""Bad input: exactly one answer, the connection survives if it should, and no other client notices."""

from __future__ import annotations

import json
from typing import Any, Iterator, NamedTuple, Optional

import pytest

import harness
from harness import Connection, Daemon, encode, frame, request

MESSAGE_BYTES_MAX = 4 * 1024 * 1024


class Bad(NamedTuple):
    """Bytes, and the expected answer: the error's code, its id (or one of several), members of its data."""

    name: str
    text: bytes
    code: int
    id: Any = None
    data: tuple[str, ...] = ()
    closest: Optional[str] = None


def ping(**members: Any) -> bytes:
    return encode({"jsonrpc": "2.0", "id": 7, "method": "server/ping", **members})


def call(method: str, params: Any) -> bytes:
    return encode({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})


def nested(depth: int) -> bytes:
    """A ping whose params nest so that the whole text is `depth` deep."""
    inner = b"[" * (depth - 2) + b"]" * (depth - 2)
    return b'{"jsonrpc":"2.0","id":7,"method":"server/ping","params":{"x":' + inner + b"}}"


PARSE = ("reason", "offset")
WHY = ("reason",)

CASES = [
    # Not JSON.
    Bad("cut short", b'{"jsonrpc":"2.0","id":7', -32700, data=PARSE),
    Bad("a bare word", b'{"jsonrpc":"2.0","id":7,oops', -32700, data=PARSE),
    Bad("single quotes", b"{'id':7}", -32700, data=PARSE),
    Bad("NaN", b'{"jsonrpc":"2.0","id":7,"method":"server/ping","params":{"x":NaN}}', -32700, data=PARSE),
    Bad("invalid UTF-8", b'{"jsonrpc":"2.0","id":7,"method":"server/\xff"}', -32700, data=PARSE),
    Bad("overlong UTF-8", b'{"jsonrpc":"2.0","id":7,"method":"\xc0\xaf"}', -32700, data=PARSE),
    Bad("a surrogate in UTF-8", b'{"jsonrpc":"2.0","id":7,"method":"\xed\xa0\x80"}', -32700, data=PARSE),
    Bad("an escape that is no code point", b'{"jsonrpc":"2.0","id":7,"method":"\\ud80"}', -32700, data=PARSE),
    Bad("a NUL inside", b'{"jsonrpc":"2.0","id":7\x00,"method":"server/ping"}', -32700, data=PARSE),
    Bad("a NUL behind", ping() + b"\x00", -32700, data=PARSE),
    Bad("a byte order mark", b"\xef\xbb\xbf" + ping(), -32700, data=PARSE),
    Bad("trailing bytes", ping() + b" x", -32700, data=PARSE),
    Bad("two texts", ping() + ping(), -32700, data=PARSE),
    # Too much.
    Bad("65 deep", nested(65), -32600, (None, 7), ("reason", "path")),
    Bad("5,000 deep", nested(5000), -32600, (None, 7), ("reason",)),
    Bad("100,001 nodes", call("server/ping", {"x": [0] * 100_001}), -32600, (None, 7), ("reason", "path")),
    # Texts that the reader refuses although they are JSON.
    Bad("a key twice", b'{"jsonrpc":"2.0","id":7,"method":"server/ping","method":"server/ping"}', -32600, 7, WHY),
    Bad("a lone surrogate escape", b'{"jsonrpc":"2.0","id":7,"method":"\\ud800"}', -32600, 7, WHY),
    Bad("a lone surrogate escape in params", b'{"jsonrpc":"2.0","method":"m","params":{"x":["\\ud83d"]},"id":7}',
        -32600, 7, WHY),
    Bad("an integer beyond int64", b'{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":9223372036854775808}}',
        -32600, 7, WHY),
    Bad("a real beyond double", b'{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":1e999}}', -32600, 7, WHY),
    Bad("an id beyond int64", b'{"jsonrpc":"2.0","id":9223372036854775808,"method":"server/ping"}', -32600, None, WHY),
    # JSON, but no request.
    Bad("a number", b"7", -32600),
    Bad("a string", b'"server/ping"', -32600),
    Bad("null", b"null", -32600),
    Bad("true", b"true", -32600),
    Bad("an empty batch", b"[]", -32600),
    Bad("an empty object", b"{}", -32600),
    Bad("no version", encode({"id": 7, "method": "server/ping"}), -32600, 7),
    Bad("version 1.0", ping(jsonrpc="1.0"), -32600, 7),
    Bad("a version that is a number", ping(jsonrpc=2.0), -32600, 7),
    Bad("id null", ping(id=None), -32600),
    Bad("id fractional", ping(id=1.5), -32600),
    Bad("id boolean", ping(id=True), -32600),
    Bad("id an object", ping(id={}), -32600),
    Bad("a method that is a number", ping(method=7), -32600, 7),
    Bad("params a string", ping(params="x"), -32600, 7),
    Bad("no method", encode({"jsonrpc": "2.0", "id": 7}), -32600, 7),
    Bad("result and error", encode({"jsonrpc": "2.0", "id": 7, "result": 1, "error": {}}), -32600, 7),
    # A request that cannot be served.
    Bad("an unknown method", ping(method="server/pong"), -32601, 7, ("method", "closest"), "server/ping"),
    Bad("params an array", call("form/describe", ["login"]), -32602, 7),
    Bad("a missing param", call("form/describe", {}), -32602, 7, ("errors",)),
    Bad("an unknown param", call("form/describe", {"form": "login", "froms": 1}), -32602, 7, ("errors",)),
    Bad("a param of a wrong type", call("form/describe", {"form": 7}), -32602, 7, ("errors",)),
    Bad("an unknown form", call("session/open", {"form": "logni"}), 1003, 7, ("closest",), "login"),
    Bad("an unknown session", call("session/get", {"session": 4_000_000_000}), 1001, 7),
    Bad("no session at all", call("session/get", {}), 1001, 7),
]  # fmt: skip

FRAMINGS = ["lines", "headers"]


@pytest.fixture
def bystander(daemon: Daemon) -> Iterator[Connection]:
    """Another connection with a session. After the test it has received nothing, and is served as before."""
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        yield connection
        answer, before = connection.exchange("field/change", {"field": "email", "value": "kim@example.com"})
        assert [message["method"] for message in before] == ["session/update"]
        assert answer["result"] == {"revision": 1}


def assert_usable(connection: Connection) -> None:
    """The next message is the answer to a ping: the bad input had exactly one answer."""
    answer, before = connection.exchange("server/ping")
    assert "result" in answer and before == [], (answer, before)


def error_of(message: Any, bad: Bad) -> Any:
    assert isinstance(message, dict) and set(message) == {"jsonrpc", "id", "error"}, message
    assert message["jsonrpc"] == "2.0"
    error = message["error"]
    assert error["code"] == bad.code and isinstance(error["message"], str), message
    assert message["id"] in (bad.id if isinstance(bad.id, tuple) else (bad.id,)), message
    for member in bad.data:
        assert member in error["data"], message
    return error


@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize("bad", CASES, ids=lambda bad: bad.name)
def test_exactly_one_answer_and_the_connection_stays(
    daemon: Daemon, bystander: Connection, bad: Bad, framing: str
) -> None:
    with daemon.connect(framing) as connection:
        assert_usable(connection)
        connection.send_text(bad.text)
        error = error_of(connection.read(), bad)
        if "offset" in bad.data:
            assert 0 <= error["data"]["offset"] <= len(bad.text)
        if "errors" in bad.data:
            for one in error["data"]["errors"]:
                assert {"path", "code", "expected"} <= set(one), error
        if bad.closest:
            assert error["data"]["closest"] == bad.closest
        assert_usable(connection)


@pytest.mark.parametrize("framing", FRAMINGS)
def test_64_deep_and_100_000_nodes_are_allowed(daemon: Daemon, framing: str) -> None:
    with daemon.connect(framing) as connection:
        # Refused for what they are (the method knows no such params), not for their size.
        for text in (nested(64), call("form/describe", {"x": [0] * 99_000})):
            connection.send_text(text)
            error = connection.read().get("error", {"code": -32602})
            assert error["code"] == -32602
        assert_usable(connection)


@pytest.mark.parametrize("framing", FRAMINGS)
def test_unknown_fields_and_actions_name_the_closest(daemon: Daemon, framing: str) -> None:
    with daemon.connect(framing) as connection:
        connection.call("session/open", {"form": "login"})
        error = connection.refused("field/change", {"field": "emial", "value": "x"})
        assert (error["code"], error["data"]["closest"]) == (1004, "email")
        error = connection.refused("field/change", {"values": {"email": "x", "pasword": "y"}})
        assert (error["code"], error["data"]["closest"]) == (1004, "password")
        assert connection.call("session/get")["values"] == {}, "half of a refused change was done"
        error = connection.refused("action/tap", {"action": "logn"})
        assert (error["code"], error["data"]["closest"]) == (1005, "login")
        assert_usable(connection)


def test_a_foreign_session_is_as_unknown_as_one_that_never_was(daemon: Daemon) -> None:
    with daemon.connect() as owner, daemon.connect() as other:
        session = owner.call("session/open", {"form": "login"})["session"]
        foreign = other.refused("session/get", {"session": session})
        unknown = other.refused("session/get", {"session": 4_000_000_000})
        assert foreign["code"] == unknown["code"] == 1001
        assert foreign["message"] == unknown["message"]
        assert foreign.get("data", {}).keys() == unknown.get("data", {}).keys()
        assert other.refused("action/tap", {"session": session, "action": "login"})["code"] == 1001
        assert other.refused("session/close", {"session": session})["code"] == 1001
        owner.call("session/get", {"session": session})


HEADERS = [
    ("missing", b"Content-Type: application/json\r\n\r\n{}"),
    ("twice", b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"),
    ("negative", b"Content-Length: -2\r\n\r\n{}"),
    ("empty", b"Content-Length: \r\n\r\n{}"),
    ("no number", b"Content-Length: two\r\n\r\n{}"),
    ("signed", b"Content-Length: +2\r\n\r\n{}"),
    ("beyond 64 bits", b"Content-Length: 99999999999999999999999999\r\n\r\n{}"),
    ("2 to the 63rd", b"Content-Length: 9223372036854775808\r\n\r\n{}"),
]


@pytest.mark.parametrize("header", [case[1] for case in HEADERS], ids=[case[0] for case in HEADERS])
@pytest.mark.parametrize("first", [True, False], ids=["first", "later"])
def test_a_broken_content_length_is_answered_and_ends_the_connection(
    daemon: Daemon, bystander: Connection, header: bytes, first: bool
) -> None:
    with daemon.connect("headers") as connection:
        if not first:
            assert_usable(connection)
        connection.send_bytes(header)
        error_of(connection.read(), Bad("header", header, -32700))
        assert connection.read() is None


@pytest.mark.parametrize("framing", FRAMINGS)
def test_a_text_over_the_limit_is_answered_and_discarded(daemon: Daemon, bystander: Connection, framing: str) -> None:
    with daemon.connect(framing) as connection:
        before = daemon.anonymous_kilobytes()
        text = call("server/ping", {"x": "x" * (8 * MESSAGE_BYTES_MAX)})
        connection.send_text(text)
        error = error_of(connection.read(), Bad("too long", text, -32007))
        assert str(MESSAGE_BYTES_MAX) in json.dumps(error["data"])
        assert_usable(connection)
        assert daemon.anonymous_kilobytes() - before < 4 * MESSAGE_BYTES_MAX // 1024, "the rest was kept"


@pytest.mark.parametrize("framing", FRAMINGS)
def test_a_batch_over_50_is_refused_whole_and_one_of_50_is_served(daemon: Daemon, framing: str) -> None:
    with daemon.connect(framing) as connection:
        connection.send([request(number, "server/ping") for number in range(1, 52)])
        error_of(connection.read(), Bad("batch", b"", -32010))
        connection.send([request(number, "server/ping") for number in range(1, 51)])
        answers = connection.read()
        assert [answer["id"] for answer in answers] == list(range(1, 51))
        assert all("result" in answer for answer in answers)
        assert_usable(connection)


@pytest.mark.parametrize("framing", FRAMINGS)
def test_the_members_of_a_batch_are_answered_each_for_itself(daemon: Daemon, framing: str) -> None:
    with daemon.connect(framing) as connection:
        session = connection.call("session/open", {"form": "login"})["session"]
        change = {"session": session, "field": "email", "value": "kim@example.com"}
        connection.send(
            [request("a", "field/change", change), 1, request("b", "no/such"), {"jsonrpc": "2.0", "method": "x"},
             request("c", "session/get", {"session": session})]
        )  # fmt: skip
        update = connection.read()
        assert update["method"] == "session/update", "updates precede the array of answers"
        answers = connection.read()
        assert [answer["id"] for answer in answers] == ["a", None, "b", "c"]
        assert [answer.get("error", {}).get("code") for answer in answers] == [None, -32600, -32601, None]
        connection.send([harness.notification("field/blur", {"session": session, "field": "email"})])
        fresh, before = connection.exchange("session/get", {"session": session})
        assert [message["method"] for message in before] == ["session/update"], "a batch of notifications was answered"
        assert fresh["result"]["revision"] == 2


@pytest.mark.parametrize("framing", FRAMINGS)
def test_unknown_notifications_and_unknown_responses_are_ignored(daemon: Daemon, framing: str) -> None:
    with daemon.connect(framing) as connection:
        connection.send({"jsonrpc": "2.0", "method": "no/such"})
        connection.send({"jsonrpc": "2.0", "id": "formd:99", "result": {}})
        connection.send({"jsonrpc": "2.0", "id": "formd:98", "error": {"code": 1, "message": "x"}})
        connection.send({"jsonrpc": "2.0", "method": "$/whatever", "params": {"x": 1}})
        assert_usable(connection)


def test_extra_members_and_empty_params_are_let_pass(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        connection.send({**request(1, "server/ping"), "params": None, "trace": "x"})
        answer = connection.read()
        assert answer["id"] == 1 and "result" in answer
        # Some languages encode an empty map as an empty list.
        connection.send({**request(2, "server/ping"), "params": []})
        answer = connection.read()
        assert answer["id"] == 2 and "result" in answer
        connection.send(request("", "server/ping"))
        assert connection.read()["id"] == ""
        connection.send(request(-(2**63), "server/ping"))
        assert connection.read()["id"] == -(2**63)


def test_the_last_line_without_a_newline_is_processed_and_everything_accepted_is_answered(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        lines = [
            request(1, "session/open", {"form": "login"}),
            request(2, "field/change", {"values": {"email": "slow-300@example.com", "password": "x"}}),
            request(3, "action/tap", {"action": "login", "await": True}),
        ]
        connection.send_bytes(b"\n".join(map(encode, lines)))
        connection.half_close()
        messages = connection.read_to_end()
        assert [message["id"] for message in messages if "id" in message] == [1, 2, 3]
        assert messages[-1]["result"]["event"]["kind"] == "failed"


def test_blank_lines_and_carriage_returns_are_nothing(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        connection.send_bytes(b"\n\r\n  \n" + encode(request(1, "server/ping")) + b"\r\n\n")
        assert connection.read()["id"] == 1
        assert_usable(connection)


def test_header_names_are_of_any_case_and_other_headers_are_let_pass(daemon: Daemon) -> None:
    with daemon.connect("headers") as connection:
        body = encode(request(1, "server/ping"))
        kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8"
        connection.send_bytes(b"\r\n content-LENGTH: %d\r\n%s\r\n\r\n" % (len(body), kind) + body)
        assert connection.read()["id"] == 1
        connection.send_bytes(kind + b"\r\nCONTENT-length:%d\r\n\r\n" % len(body) + body)
        assert connection.read()["id"] == 1


def test_more_sessions_than_allowed_are_refused_with_the_limit(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        sessions_max = 20_000
        for _ in range(sessions_max):
            answer, before = connection.exchange("session/open", {"form": "nickname"})
            assert before == []
            if "error" in answer:
                assert answer["error"]["code"] == 1012
                assert any(isinstance(value, int) for value in answer["error"]["data"].values()), "it names no limit"
                break
        else:
            raise AssertionError(f"no quota within {sessions_max} sessions")
        assert_usable(connection)
        with daemon.connect() as other:
            other.call("session/open", {"form": "login"})


def test_frames_are_what_the_harness_says() -> None:
    assert frame(b"{}", "headers") == b"Content-Length: 2\r\n\r\n{}"
    assert frame(b"{}", "lines") == b"{}\n"
