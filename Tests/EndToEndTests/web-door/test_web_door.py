"""The door for browsers: what it lets through, what it refuses and how, and what it costs."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
import signal
import socket
import sys
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest

import harness
import web
from harness import ROOT, Daemon, Replica, eventually
from web import BINARY, CLOSE, ORIGIN, PING, PONG, TEXT, WEB, Browser, Close, Door, frame, kept


@pytest.fixture(scope="module")
def door(scratch: Path, daemon: Daemon) -> Iterator[Door]:
    """One door for the module's tests. Afterwards it is still the same process, and ends as it should."""
    folder = scratch / "web-door"
    folder.mkdir()
    door = Door(folder, daemon.path)
    yield door
    assert door.process.poll() is None, f"the door ended by itself; its log:\n{door.output}"
    assert door.end() == 0, door.output


@pytest.fixture
def start_door(folder: Path) -> Iterator[Callable[..., Door]]:
    """Starts doors that only one test uses."""
    started: list[Door] = []

    def start_door(daemon: Path, *rest: Any, **options: Any) -> Door:
        started.append(Door(folder, daemon, *rest, **options))
        return started[-1]

    yield start_door
    for door in started:
        if door.process.poll() is None:
            door.process.kill()
            door.wait()


# What goes through


def test_a_browser_attaches_to_a_session_and_changes_it(door: Door, daemon: Daemon) -> None:
    with door.browser() as browser:
        assert browser.response.headers["sec-websocket-protocol"] == "formd.1"
        assert "sec-websocket-extensions" not in browser.response.headers
        attached = browser.call("session/attach", {"key": kept(daemon), "seq": 0})
        assert attached["form"] == "login" and attached["events"] == []
        replica = Replica(attached)
        answer, before = browser.exchange("field/change", {"field": "email", "value": "kim@example.com"})
        assert answer["result"] == {"revision": 1}
        replica.apply(before)
        assert browser.call("session/get", {"session": attached["session"]})["document"] == replica.document


def test_a_browser_opens_a_session_of_an_open_form(door: Door) -> None:
    with door.browser() as browser:
        opened = browser.call("session/open", {"form": "login", "locale": "en", "zone": "UTC"})
        assert "key" not in opened
        assert browser.call("form/describe", {"session": opened["session"]})["form"] == "login"
        assert browser.call("form/describe", {"form": "login"})["form"] == "login"
        assert browser.call("server/ping")["instanceId"]


def test_the_door_keeps_the_sessions_of_a_form_as_the_configuration_says(door: Door) -> None:
    with door.browser() as browser:
        key = browser.call("session/open", {"form": "feedback"})["key"]
        browser.call("field/change", {"field": "message", "value": "Hello", "commit": True})
    with door.browser() as browser:
        assert browser.call("session/attach", {"key": key, "seq": 0})["values"]["message"] == "Hello"


def test_text_of_all_kinds_arrives_unchanged(door: Door, daemon: Daemon) -> None:
    text = "한국어 \u2028 😀 \"quoted\" \\ \n\t " + "x" * 3_000
    with door.browser() as browser:
        browser.call("session/open", {"form": "feedback"})
        browser.call("field/change", {"field": "message", "value": text, "commit": True})
        assert browser.call("session/get")["values"]["message"] == text.strip()


def test_a_message_with_line_breaks_is_one_message(door: Door) -> None:
    with door.browser() as browser:
        browser.send_text(
            '{"jsonrpc":"2.0","id":1,\r\n"method":\n"session/open","params":{"form":"login"}}\n'
        )
        assert browser.read()["id"] == 1
        browser.send_text('\n{"jsonrpc":"2.0","id":2,\n"method":"server/ping"\n}\n\n')
        assert browser.read()["id"] == 2


def test_a_message_in_frames_and_bytes_that_come_one_by_one(door: Door) -> None:
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "session/open", "params": {"form": "login"}}).encode()
    sent = frame(TEXT, message[:10], 0) + frame(PING, b"in between") + frame(0, message[10:20], 0)
    sent += frame(0, b"", 0) + frame(0, message[20:])
    with door.browser() as browser:
        browser.recording.sent(message)
        for index in range(len(sent)):
            browser.socket.sendall(sent[index : index + 1])
        assert browser.read_frame() == (PONG, b"in between")
        assert browser.read()["id"] == 1


def test_messages_that_come_with_the_first_call_are_answered_in_order(door: Door) -> None:
    with door.browser() as browser:
        texts = [
            {"jsonrpc": "2.0", "id": 1, "method": "session/open", "params": {"form": "login"}},
            {"jsonrpc": "2.0", "id": 2, "method": "field/change", "params": {"field": "email", "value": "kim"}},
            {"jsonrpc": "2.0", "id": 3, "method": "session/get"},
        ]
        sent = [json.dumps(text).encode() for text in texts]
        for text in sent:
            browser.recording.sent(text)
        browser.socket.sendall(b"".join(frame(TEXT, text) for text in sent))
        messages = [browser.read() for _ in range(4)]
        assert [message.get("id") for message in messages] == [1, None, 2, 3]
        assert messages[3]["result"]["values"] == {"email": "kim"}


def test_a_browser_that_closes_is_answered_and_its_session_ends(
    start_door: Callable[..., Door], start: Callable[..., Daemon]
) -> None:
    daemon = start()
    door = start_door(daemon.path)
    with daemon.connect() as operator, door.browser() as browser:
        browser.call("session/open", {"form": "login"})
        assert operator.call("server/stats")["sessions"] == 1
        browser.send_frame(CLOSE, (1001).to_bytes(2, "big") + b"going away")
        assert browser.closed() == Close(1000, "")
        eventually(lambda: operator.call("server/stats")["sessions"] == 0, "the end of the session")


# Upgrades that are refused


@pytest.mark.parametrize(
    "headers, status",
    [
        ({"Origin": ""}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://evil.example.com"}, 403),
        ({"Origin": "http://shop.example.com"}, 403),
        ({"Origin": "https://shop.example.com.evil.com"}, 403),
        ({"Origin": "https://shop.example.com:8443"}, 403),
        ({"Origin": ORIGIN + "\r\nOrigin: " + ORIGIN}, 403),
        ({"Host": ""}, 403),
        ({"Host": "evil.example.com"}, 403),
        ({"Host": "127.0.0.1"}, 403),
        ({"Sec_WebSocket_Protocol": ""}, 400),
        ({"Sec_WebSocket_Protocol": "formd.2"}, 400),
        ({"Sec_WebSocket_Version": "8"}, 426),
        ({"Sec_WebSocket_Version": ""}, 426),
        ({"Sec_WebSocket_Key": ""}, 400),
        ({"Sec_WebSocket_Key": "short"}, 400),
        ({"Sec_WebSocket_Key": "A" * 24}, 400),
        ({"Sec_WebSocket_Key": "!" * 22 + "=="}, 400),
        ({"Sec_WebSocket_Key": "A" * 10 + "=" * 14}, 400),
        ({"Sec_WebSocket_Key": "AAAAAAAAAAA AAAAAAAAAA=="}, 400),
        ({"Upgrade": ""}, 426),
        ({"Upgrade": "h2c"}, 426),
        ({"Connection": "close"}, 426),
    ],
)
def test_an_upgrade_that_is_refused(door: Door, headers: dict[str, str], status: int) -> None:
    response = door.refused(**headers)
    assert response.status == status, response
    assert "set-cookie" not in response.headers


def test_a_host_may_have_a_port_and_any_case(door: Door) -> None:
    for host in ("shop.example.com:443", "SHOP.example.com"):
        with door.browser(Host=host) as browser:
            assert browser.call("session/open", {"form": "login"})["session"]


def test_no_extension_is_agreed_on(door: Door) -> None:
    with door.browser(Sec_WebSocket_Extensions="permessage-deflate; client_max_window_bits") as browser:
        assert "sec-websocket-extensions" not in browser.response.headers


# First messages that are refused

FIRST = {"jsonrpc": "2.0", "id": 1}


@pytest.mark.parametrize(
    "message, reason",
    [
        ("hello", "a request of JSON-RPC"),
        ("[]", "a request of JSON-RPC"),
        ("", "a request of JSON-RPC"),
        (json.dumps([{**FIRST, "method": "session/open", "params": {"form": "login"}}]), "a request of JSON-RPC"),
        (json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}}), "must be a request"),
        (json.dumps({"jsonrpc": "2.0", "method": "session/open", "params": {"form": "login"}}), "must be a request"),
        (json.dumps({**FIRST, "method": "server/ping"}), "session/attach or session/open"),
        (json.dumps({**FIRST, "method": "session/get"}), "session/attach or session/open"),
        (json.dumps({**FIRST, "method": "session/open", "params": {"form": "signup"}}), "not open to browsers"),
        (json.dumps({**FIRST, "method": "session/open", "params": {"form": "no such form"}}), "not open to browsers"),
        (json.dumps({**FIRST, "method": "session/open", "params": {"form": "login", "keep": "1h"}}), "takes form, locale"),
        (json.dumps({**FIRST, "method": "session/open", "params": {"form": "login", "values": {}}}), "takes form, locale"),
        (json.dumps({**FIRST, "method": "session/open", "params": {"form": "login", "watch": []}}), "takes form, locale"),
        (json.dumps({**FIRST, "method": "session/open", "params": {"form": "login", "show": "always"}}), "takes form, locale"),
        (json.dumps({**FIRST, "method": "session/open", "params": {"definition": {"schema": {}}}}), "takes form, locale"),
        (json.dumps({**FIRST, "method": "session/attach", "params": {"key": "k", "rotate": True}}), "takes key and seq"),
        (json.dumps({**FIRST, "method": "session/attach", "params": {"key": "k", "take": True}}), "takes key and seq"),
    ],
)
def test_a_first_message_that_is_refused(door: Door, message: str, reason: str) -> None:
    with door.browser() as browser:
        browser.send_text(message)
        code, text = browser.closed()
        assert (code, reason in text) == (1008, True), text


def test_wrong_params_of_the_first_call_are_answered_and_may_be_mended(door: Door) -> None:
    with door.browser() as browser:
        error = browser.refused("session/open", {"form": "login", "locale": 7, "colour": "red"})
        assert (error["code"], [problem["path"] for problem in error["data"]["errors"]]) == (-32602, ["/locale", "/colour"])
        assert browser.refused("session/open", {"form": "login", "context": {}})["code"] == -32602
        assert browser.refused("session/open", {"form": "login", "zone": "Mars/Olympus"})["code"] == -32602
        assert browser.call("session/open", {"form": "login"})["session"]


def test_a_key_that_opens_nothing_is_answered_by_the_daemon(door: Door, daemon: Daemon) -> None:
    with door.browser() as browser:
        assert browser.refused("session/attach", {"key": "0" * 32, "seq": 0}) == {"code": 1001, "message": "Unknown session"}
        assert browser.call("session/attach", {"key": kept(daemon), "seq": 0})["form"] == "login"


def test_a_browser_that_says_nothing_is_sent_away(door: Door) -> None:
    with door.browser() as silent, door.browser() as pinging, door.browser() as half:
        pinging.send_frame(PING, b"")
        assert pinging.read_frame() == (PONG, b"")
        half.send_frame(TEXT, b'{"jsonrpc"', 0)
        for browser in (silent, pinging, half):
            assert browser.closed() == Close(1008, "no first message came in time")


# Later messages that are refused

ALLOWED = {
    "field/change", "field/focus", "field/blur", "field/insert", "field/remove", "field/move", "field/toggle", "field/fail",
    "step/show", "action/tap", "action/cancel", "session/get", "session/reset", "session/undo", "session/redo",
    "session/setLocale", "session/close", "form/describe", "server/ping",
}  # fmt: skip
"""The methods that a browser may call."""


def test_a_browser_that_calls_every_method(door: Door, daemon: Daemon) -> None:
    names = {method["name"] for method in web.every_method()}
    assert ALLOWED < names
    with daemon.connect() as program, door.browser() as browser:
        theirs = program.call("session/open", {"form": "login", "keep": "10m"})
        mine = browser.call("session/open", {"form": "login"})["session"]
        for name in sorted(names):
            if name not in ALLOWED:
                error = browser.refused(name, {})
                assert (error["code"], error["data"]["method"]) == (-32601, name)
                browser.send(name, {})
            elif name != "server/ping":
                for session in (theirs["session"], 0, mine + 1, str(mine), None, 1.0):
                    if session != mine:
                        error = browser.refused(name, {"session": session})
                        assert (error["code"], error["data"]["errors"][0]["path"]) == (-32602, "/session"), (name, session)
                for member in ("context", "definition", "explain"):
                    error = browser.refused(name, {"session": mine, member: {}})
                    assert (error["code"], error["data"]["errors"][0]["path"]) == (-32602, f"/{member}"), name
        assert program.call("session/get")["revision"] == 0
        assert browser.call("session/get")["revision"] == 0


SHOP = {
    "form": "shop",
    "schema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "maxLength": 40},
            "price": {"type": "number", "readOnly": True},
            "items": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
                "sku": {"type": "string", "maxLength": 40}, "price": {"type": "number", "readOnly": True}}}},
        },
    },
    "fields": {"city": {"options": "lookups.cities.value.map(c, c.name)"}},
    "lookups": {
        "cities": {"run": {"http": {"service": "shop", "path": "/cities"}}, "value": "response.body"},
        "motd": {"public": True, "run": {"http": {"service": "shop", "path": "/motd"}}, "value": "response.body"},
        "/items/*/cost": {"run": {"http": {"service": "shop", "path": "/cost", "query": {"sku": "row.sku"}}},
                          "value": "response.body"},
    },
    "actions": {
        "buy": {"scope": "none", "run": {"http": {"service": "shop", "path": "/buy"}},
                "outcomes": [{"success": "response.body", "message": "Bought."}]},
        "look": {"public": True, "scope": "none", "run": {"http": {"service": "shop", "path": "/look"}},
                 "outcomes": [{"success": "response.body"}]},
    },
    "outputs": {"count": "lookups.cities.value.size()"},
}  # fmt: skip
"""A form with results that browsers may see, and results with the word CANARY that they may not."""


@pytest.fixture
def shop(folder: Path, start: Callable[..., Daemon]) -> Daemon:
    forms = folder / "forms"
    forms.mkdir()
    (forms / "shop.form.json").write_text(json.dumps(SHOP), encoding="utf-8")
    bodies = {"cities": [{"name": "Seoul", "note": "CANARY 1"}], "motd": "seen", "cost": "CANARY 2", "buy": "CANARY 3",
              "look": "seen"}  # fmt: skip
    mock = [{"path": f"/{name}", "status": 200, "json": body} for name, body in bodies.items()]
    return start({"services": {"shop": {"mock": mock}}}, forms)


def texts(value: Any) -> list[str]:
    """All texts in a value, also names of members."""
    if isinstance(value, dict):
        return [text for member in value.items() for text in texts(list(member))]
    return [text for one in value for text in texts(one)] if isinstance(value, list) else [str(value)]


def test_a_browser_sees_only_what_is_public(start_door: Callable[..., Door], shop: Daemon) -> None:
    door = start_door(shop.path, {**WEB, "forms": {"shop": {"open": True, "keep": "1m"}}})
    heard: list[Any] = []

    def ask(browser: Browser, method: str, params: Any = None) -> Any:
        answer, before = browser.exchange(method, params)
        heard.extend([answer, *before])
        return answer

    with door.browser() as browser, shop.connect() as program:
        opened = ask(browser, "session/open", {"form": "shop"})["result"]
        attached = program.call("session/attach", {"key": opened["key"], "seq": 0})
        assert attached["form"] == "shop"
        # Every method at every address, in the words of the protocol's document and in others.
        addresses = ["city", "/city", "/items/0", "/items/-", "/items/0/sku", "/items/0/price", "price", "/lookups/cities",
                     "lookups.cities.value", "/lookups/cities/value", "/actions/buy/result", "", "/", "#"]  # fmt: skip
        ask(browser, "field/insert", {"field": "items", "value": {"sku": "a", "price": 7}})
        for name in sorted(ALLOWED - {"session/close"}):
            for address in addresses:
                ask(browser, name, {"field": address, "value": "CANARX", "action": address, "step": address, "to": 0,
                                    "locale": "en", "message": "m"})  # fmt: skip
        for params in ({"form": "shop"}, {"session": opened["session"]}, {"session": opened["session"], "explain": True}):
            for name in sorted(ALLOWED - {"session/close", "session/reset"}):
                ask(browser, name, params)
        for action in ("buy", "look"):
            for awaits in (True, False):
                ask(browser, "action/tap", {"action": action, "await": awaits})
        ask(browser, "action/tap", {"action": "buy", "await": True})
        document = ask(browser, "session/get")["result"]["document"]
        assert document["lookups"]["motd"]["value"] == "seen" and "value" not in document["lookups"]["cities"]
        assert document["fields"]["city"]["options"] == [{"value": "Seoul", "label": "Seoul"}]
        assert document["outputs"]["count"] == 1
        assert document["actions"]["buy"]["message"] == "Bought." and "result" not in document["actions"]["buy"]
        assert document["actions"]["look"]["result"] == "seen"
        with door.browser() as again:
            come_back = ask(again, "session/attach", {"key": opened["key"], "seq": 0, "onlyPublic": False})["result"]
            assert {event["action"] for event in come_back["events"]} == {"buy", "look"}
        assert not [text for text in texts(heard) if "CANARY" in text]
        # No read-only value came from the browser. A program sees everything.
        everything = program.call("session/get")
        assert "price" not in everything["values"] and all("price" not in item for item in everything["values"]["items"])
        assert {"CANARY 1", "CANARY 2", "CANARY 3"} <= set(texts(everything["document"]))


def test_another_form_is_not_described(door: Door) -> None:
    with door.browser() as browser:
        session = browser.call("session/open", {"form": "login"})["session"]
        for params in ({"form": "signup"}, {"session": session, "form": "signup"}, {"form": None}):
            assert browser.refused("form/describe", params)["data"]["errors"][0]["path"] == "/form"


def test_a_member_in_disguise_is_the_member(door: Door) -> None:
    with door.browser() as browser:
        browser.call("session/open", {"form": "login"})
        for text in (
            '{"jsonrpc":"2.0","id":7,"method":"field\\u002fchange","params":{"sess\\u0069on":99,"field":"email"}}',
            '{"jsonrpc":"2.0","id":7,"params":{"\\u0063ontext":{},"field":"email"},"method":"field/change"}',
        ):
            browser.send_text(text)
            assert browser.read()["error"]["code"] == -32602
        browser.send_text('{"jsonrpc":"2.0","id":7,"method":"session/get","params":{"session":1,"session":99}}')
        assert browser.read()["error"]["data"]["reason"] == "duplicateKey"
        browser.send_text('{"jsonrpc":"2.0","id":7,"method":"session/get","method":"server/stats"}')
        assert browser.read()["error"]["data"]["reason"] == "duplicateKey"
        browser.send_text('{"jsonrpc":"2.0","id":7,"method":"session/get"}\n{"jsonrpc":"2.0","id":8,"method":"server/stats"}')
        assert browser.read()["error"]["data"]["reason"] == "trailing"
        browser.send_text("Content-Length: 2\r\n\r\n{}")
        assert browser.read()["error"]["code"] == -32700


def test_a_batch_is_refused_as_a_whole(door: Door) -> None:
    with door.browser() as browser:
        browser.call("session/open", {"form": "login"})
        browser.send_text('[{"jsonrpc":"2.0","id":7,"method":"session/get"}]')
        assert browser.read()["error"] == {
            "code": -32010, "message": "The batch has too many members", "data": {"limit": "batchMax", "value": 0},
        }  # fmt: skip


def test_a_refused_notification_is_told_as_the_daemon_tells_it(door: Door) -> None:
    with door.browser() as browser:
        browser.call("session/open", {"form": "login"})
        browser.send("server/reload")
        browser.send("field/change", {"session": 99, "field": "email", "value": "x"})
        pushed = browser.read()
        assert (pushed["method"], pushed["params"]["method"]) == ("server/rejected", "field/change")
        assert pushed["params"]["error"]["code"] == -32602
        browser.send("field/change", {"field": "no such field", "value": "x"})
        assert browser.read()["params"]["error"]["code"] == 1004


# Frames


@pytest.mark.parametrize(
    "data, code",
    [
        (b"", 1000), (b"\x03\xe8", 1000), (b"\x03\xe9going", 1000), (b"\x0f\xa0", 1000), (b"\x03", 1002),
        ((999).to_bytes(2, "big"), 1002), ((1004).to_bytes(2, "big"), 1002), ((1005).to_bytes(2, "big"), 1002),
        ((1006).to_bytes(2, "big"), 1002), ((1015).to_bytes(2, "big"), 1002), ((2999).to_bytes(2, "big"), 1002),
        ((5000).to_bytes(2, "big"), 1002), (b"\x03\xe8\xff\xfe", 1007), (b"\x03\xe8\xed\xa0\x80", 1007),
    ],
)  # fmt: skip
def test_a_close_frame_is_judged(door: Door, data: bytes, code: int) -> None:
    with door.browser() as browser:
        browser.call("session/open", {"form": "login"})
        browser.send_frame(CLOSE, data)
        assert browser.closed().code == code


@pytest.mark.parametrize(
    "sent, code",
    [
        (frame(BINARY, b"{}"), 1003),
        (frame(TEXT, b"{}", mask=False), 1002),
        (frame(TEXT, b"{}", first=0xC0), 1002),
        (frame(0, b"{}"), 1002),
        (frame(TEXT, b"{", 0) + frame(TEXT, b"}"), 1002),
        (frame(3, b""), 1002),
        (frame(PING, b"", 0), 1002),
        (frame(PING, b"x" * 126), 1002),
        (frame(TEXT, b"\xff\xfe"), 1007),
        (frame(TEXT, b'{"jsonrpc":"2.0","id":"\xc3"}'), 1007),
        (frame(TEXT, b" " * 65_537), 1009),
        (frame(TEXT, b" " * 40_000, 0) + frame(0, b" " * 40_000), 1009),
        (frame(TEXT, b"")[:1] + b"\xff" + b"\x7f" + b"\xff" * 7, 1009),
        (frame(TEXT, b"", 0) + frame(0, b"", 0) * 1_000, 1008),
    ],
    # The key that masks a frame is random.
    ids=range(14),
)
def test_a_frame_that_is_refused(door: Door, sent: bytes, code: int) -> None:
    with door.browser() as browser:
        browser.socket.sendall(sent)
        assert browser.closed().code == code


@pytest.mark.parametrize("seed", [1, 2])
def test_random_requests_and_frames(seed: int) -> None:
    """A short version of `scripts/fuzz web`."""
    command = [sys.executable, ROOT / "scripts/bench.d/web/fuzz", "5", "--seed", str(seed)]
    run = harness.subprocess.run(
        [*command, "--programs", web.web_binary().parent], capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_message_of_the_largest_size(door: Door) -> None:
    with door.browser() as browser:
        browser.call("session/open", {"form": "feedback"})
        text = json.dumps({"jsonrpc": "2.0", "id": 9, "method": "server/ping"})
        browser.send_text(text + " " * (65_536 - len(text)))
        assert browser.read()["id"] == 9


# Limits


def test_too_many_connections_of_one_address(start_door: Callable[..., Door], daemon: Daemon) -> None:
    limits = {"connectionsMax": 5, "connectionsPerAddressMax": 2}
    door = start_door(daemon.path, {**WEB, "limits": limits, "trustedProxies": ["127.0.0.1"]})
    with contextlib.ExitStack() as stack:
        def browser(address: str) -> Browser:
            return stack.enter_context(door.browser(X_Forwarded_For=address))

        first = browser("192.0.2.1")
        browser("192.0.2.1")
        # What a client writes itself stands before what the proxy writes.
        assert browser("198.51.100.7, 192.0.2.1").closed() == Close(1013, "too many connections from this address")
        browser("2001:db8::1")
        browser("2001:db8::2")
        assert browser("2001:db8::3").closed().code == 1013
        browser("2001:db8:0:1::3")
        assert browser("192.0.2.9").closed() == Close(1013, "too many connections")
        assert first.call("session/open", {"form": "login"})["session"]
        first.send_frame(CLOSE, b"")
        first.closed()
        assert browser("192.0.2.1").call("session/open", {"form": "login"})["session"]


def test_one_address_keeps_so_many_sessions(start_door: Callable[..., Door], daemon: Daemon) -> None:
    limits = {"keptSessionsPerAddressMax": 2}
    door = start_door(daemon.path, {**WEB, "limits": limits, "trustedProxies": ["127.0.0.0/8"]})

    def open_one(address: str, form: str = "feedback") -> Any:
        with door.browser(X_Forwarded_For=address) as browser:
            browser.send("session/open", {"form": form}, 1)
            got = browser.read_frame()
            return got and (int.from_bytes(got[1][:2], "big") if got[0] == CLOSE else json.loads(got[1])["result"])

    opened = [open_one("192.0.2.1") for _ in range(2)]
    assert all(one["key"] for one in opened)
    assert open_one("192.0.2.1") == 1013
    # Sessions that are not kept, other addresses, and browsers that come back, are not concerned.
    assert open_one("192.0.2.1", "login")["session"] and open_one("192.0.2.2")["key"]
    with door.browser(X_Forwarded_For="192.0.2.1") as browser:
        assert browser.call("session/attach", {"key": opened[0]["key"], "seq": 0})["form"] == "feedback"


def test_an_address_is_believed_only_from_a_trusted_proxy(start_door: Callable[..., Door], daemon: Daemon) -> None:
    door = start_door(daemon.path, {**WEB, "limits": {"connectionsPerAddressMax": 1}})
    with door.browser(X_Forwarded_For="192.0.2.1"), door.browser(X_Forwarded_For="192.0.2.2") as second:
        assert second.closed().code == 1013


def test_the_log_names_the_browser_behind_a_trusted_proxy(start_door: Callable[..., Door], daemon: Daemon) -> None:
    door = start_door(daemon.path, {**WEB, "trustedProxies": ["127.0.0.1"]})
    door.refused(Origin="https://elsewhere.example", X_Forwarded_For="192.0.2.7")
    door.line_with("a request was refused", "peer=192.0.2.7")
    with door.browser(X_Forwarded_For="2001:db8::7") as browser:
        browser.send_frame(BINARY, b"")
        assert browser.closed().code == 1003
    door.line_with("a browser was sent away", "peer=2001:db8::7")


def test_too_many_messages(start_door: Callable[..., Door], daemon: Daemon) -> None:
    door = start_door(daemon.path, {**WEB, "limits": {"messagesPerSecond": 1}})
    with door.browser() as browser:
        browser.call("session/open", {"form": "login"})
        message = frame(TEXT, b'{"jsonrpc":"2.0","method":"session/reset"}')
        browser.socket.sendall(message * 100)
        assert browser.closed() == Close(1013, "too many messages")


def test_pings_count_as_messages(start_door: Callable[..., Door], daemon: Daemon) -> None:
    door = start_door(daemon.path, {**WEB, "limits": {"messagesPerSecond": 1}})
    with door.browser() as browser:
        browser.socket.sendall(frame(PING, b"") * 100)
        while (got := browser.read_frame()) == (PONG, b""):
            pass
        assert got and got[0] == CLOSE and int.from_bytes(got[1][:2], "big") == 1013


def test_a_thousand_browsers(start_door: Callable[..., Door], start: Callable[..., Daemon]) -> None:
    daemon = start()
    door = start_door(daemon.path, {**WEB, "limits": {"connectionsPerAddressMax": 2_000}})
    with contextlib.ExitStack() as stack:
        browsers = []
        for _ in range(1_000):
            browsers.append(stack.enter_context(door.browser()))
            # At once: a slow machine takes longer for all upgrades than a browser may wait with its first message.
            browsers[-1].send("session/open", {"form": "login"}, 1)
        for browser in browsers:
            assert browser.read()["result"]["document"]
        with door.browser() as late:
            assert late.closed() == Close(1013, "too many connections")
        for browser in browsers:
            browser.send("field/change", {"field": "email", "value": "kim@example.com"}, 2)
        for browser in browsers:
            assert browser.read()["method"] == "session/update"
            assert browser.read()["result"] == {"revision": 1}
        used = door.anonymous_kilobytes()
        assert used < 100 * 1024, f"{used} KB for a thousand browsers"


def test_a_request_that_comes_slowly_or_never_ends(door: Door) -> None:
    with door.connect() as slow, door.connect() as long:
        slow.sendall(b"GET /formd/client.js HTTP/1.1\r\nHost: shop.example.com\r\nX-Slow: ")
        long.sendall(b"GET /formd/client.js HTTP/1.1\r\n" + b"X: " + b"y" * 20_000)
        assert web.Response.of(long).status == 431
        # Another request is served in the meantime.
        assert door.ask("/formd/client.js").status == 200
        assert web.receive(slow) == b""


def test_connections_without_a_request_keep_no_browser_out(door: Door) -> None:
    with contextlib.ExitStack() as stack:
        silent = [stack.enter_context(door.connect()) for _ in range(300)]
        with door.browser() as browser:
            assert browser.call("session/open", {"form": "login"})["session"]
        assert web.receive(silent[0]) == b""


def test_a_browser_that_reads_late_gets_one_merged_update_and_is_not_cut(
    start_door: Callable[..., Door], start: Callable[..., Daemon]
) -> None:
    daemon = start()
    door = start_door(daemon.path)
    with daemon.connect() as program, door.browser() as slow:
        opened = program.call("session/open", {"form": "feedback", "keep": "10m"})
        slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        replica = Replica(slow.call("session/attach", {"key": opened["key"], "seq": 0}))
        for count in range(1_000):
            program.call("field/change", {"field": "message", "value": f"{count} " + "x" * 200_000})
            if program.call("server/stats")["updatesHeldBack"] > 20:
                break
        else:
            raise AssertionError("the browser's buffers took everything")
        answer, before = slow.exchange("session/get", {})
        replica.apply(before)
        assert len(before) < count - 10, "nothing was merged"
        assert answer["result"]["document"] == replica.document
        assert answer["result"]["values"]["message"].startswith(f"{count} ")
        assert program.call("server/stats")["connectionsStalled"] == 0


def open_files(process: harness.Process) -> int:
    return len(list(Path(f"/proc/{process.pid}/fd").iterdir()))


def test_ten_thousand_upgrades(start_door: Callable[..., Door], start: Callable[..., Daemon]) -> None:
    daemon = start()
    door = start_door(daemon.path, {**WEB, "limits": {"messagesPerSecond": 100_000}})
    with door.browser() as bystander:
        bystander.call("session/open", {"form": "login"})
        files = open_files(door)
        for number in range(10_000):
            with door.connect() as connection:
                connection.sendall(web.head("/formd/socket", "GET", web.upgrade_headers()))
                if number % 2:
                    # Others go before they have an answer.
                    assert web.receive(connection).startswith(b"HTTP/1.1 101 ")
            if number % 1_000 == 0:
                assert bystander.call("server/ping")["instanceId"]
        eventually(lambda: open_files(door) <= files, "the end of all connections")
        assert bystander.call("field/change", {"field": "email", "value": "kim"})["revision"] == 1
        assert door.anonymous_kilobytes() < 64 * 1024
    with daemon.connect() as operator:
        eventually(lambda: operator.call("server/stats")["sessions"] == 0, "the end of the session")


def test_a_browser_that_reads_nothing_costs_no_memory(start_door: Callable[..., Door], daemon: Daemon) -> None:
    door = start_door(daemon.path, {**WEB, "limits": {"messagesPerSecond": 100_000}})
    with door.browser() as browser, door.browser() as other:
        browser.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        browser.call("session/open", {"form": "feedback"})
        other.call("session/open", {"form": "login"})
        before = door.anonymous_kilobytes()
        ask = frame(TEXT, b'{"jsonrpc":"2.0","id":1,"method":"form/describe","params":{"form":"feedback"}}')
        harness.send_until_blocked(browser.socket, ask, 1 << 28)
        assert other.call("server/ping")["instanceId"]
        assert door.anonymous_kilobytes() - before < 16 * 1024


def test_a_browser_that_reads_no_refusals_is_sent_away(start_door: Callable[..., Door], daemon: Daemon) -> None:
    door = start_door(daemon.path, {**WEB, "limits": {"messagesPerSecond": 100_000}})
    with door.browser() as browser:
        browser.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        browser.call("session/open", {"form": "login"})
        refused = frame(TEXT, b'{"jsonrpc":"2.0","id":1,"method":"server/stats"}') * 1_000
        with contextlib.suppress(OSError):
            while True:
                browser.socket.sendall(refused)
        door.line_with("answers are not read", "code=1008")


# Files and health


def test_the_client_is_served(door: Door) -> None:
    content = (ROOT / "protocol" / "clients" / "web" / "client.js").read_bytes()
    response = door.ask("/formd/client.js")
    assert (response.status, response.body) == (200, content)
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "no-cache"
    tag = response.headers["etag"]
    again = door.ask("/formd/client.js", If_None_Match=tag)
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert door.ask("/formd/client.js", If_None_Match='"other"').status == 200
    only_head = door.ask("/formd/client.js?version=1", "HEAD")
    assert (only_head.status, only_head.body) == (200, b"")
    assert only_head.headers["content-length"] == str(len(content))
    for name in ("react.js", "vue.js", "standard-schema.js"):
        assert door.ask(f"/formd/{name}").body == (ROOT / "protocol" / "clients" / "web" / name).read_bytes()
    types = door.ask("/formd/client.d.ts")
    assert types.headers["content-type"] == "application/typescript; charset=utf-8"


@pytest.mark.parametrize(
    "path, method, status",
    [
        ("/", "GET", 404),
        ("/formd", "GET", 404),
        ("/formd/", "GET", 404),
        ("/formd/client.js/", "GET", 404),
        ("/formd/../etc/passwd", "GET", 404),
        ("/formd/%2e%2e/etc/passwd", "GET", 404),
        ("/formdx/client.js", "GET", 404),
        ("/formd/client.js", "POST", 405),
        ("/formd/client.js", "DELETE", 405),
        ("/formd/health", "PUT", 405),
        ("/formd/socket", "POST", 405),
        ("/formd/socket", "HEAD", 405),
    ],
)
def test_other_requests_are_refused(door: Door, path: str, method: str, status: int) -> None:
    headers = {"Origin": ORIGIN, "Content_Length": "0"} if method in ("POST", "PUT") else {"Origin": ORIGIN}
    response = door.ask(path, method, **headers)
    assert response.status == status
    assert (response.headers.get("allow") is not None) == (status == 405)
    assert response.headers["x-content-type-options"] == "nosniff"


def test_a_file_is_not_served_to_another_host(door: Door) -> None:
    assert door.ask("/formd/client.js", Host="evil.example.com").status == 403


def test_health_says_whether_the_daemon_answers(start_door: Callable[..., Door], start: Callable[..., Daemon]) -> None:
    daemon = start()
    door = start_door(daemon.path)
    assert door.ask("/formd/health", Host="10.0.0.1").status == 200
    only_head = door.ask("/formd/health", "HEAD")
    assert (only_head.status, only_head.body) == (200, b"")
    daemon.signal(signal.SIGKILL)
    daemon.wait()
    assert door.ask("/formd/health").status == 503


def test_integrity_prints_the_hash_of_each_file() -> None:
    run = harness.subprocess.run([web.web_binary(), "--integrity"], capture_output=True, text=True, check=True)
    content = (ROOT / "protocol" / "clients" / "web" / "client.js").read_bytes()
    digest = base64.b64encode(hashlib.sha384(content).digest()).decode()
    assert f"sha384-{digest}  client.js" in run.stdout.splitlines()


# The end of the daemon, and of the door


def test_the_daemon_is_killed_and_comes_back(start_door: Callable[..., Door], start: Callable[..., Daemon]) -> None:
    daemon = start()
    door = start_door(daemon.path)
    with door.browser() as open_, door.browser() as waiting:
        open_.call("session/open", {"form": "login"})
        daemon.signal(signal.SIGKILL)
        daemon.wait()
        assert open_.closed() == Close(1012, "the daemon has ended")
        waiting.send("session/open", {"form": "login"}, 1)
        assert waiting.closed() == Close(1013, "the daemon is not there")
    start()
    with door.browser() as browser:
        assert browser.call("session/open", {"form": "login"})["session"]


def test_the_daemon_drains(start_door: Callable[..., Door], start: Callable[..., Daemon]) -> None:
    daemon = start()
    door = start_door(daemon.path)
    with door.browser() as browser:
        browser.call("session/open", {"form": "login"})
        daemon.signal(signal.SIGTERM)
        assert browser.read()["method"] == "server/draining"
        assert browser.closed().code == 1012


def test_a_daemon_without_room_is_told(start_door: Callable[..., Door], start: Callable[..., Daemon]) -> None:
    daemon = start({"limits": {"connectionsMax": 1}})
    door = start_door(daemon.path)
    while True:
        with door.browser() as first, door.browser() as second:
            # The daemon may still have the connection that asked whether it is ready.
            if "error" in first.exchange("session/open", {"form": "login"})[0]:
                continue
            second.send("session/open", {"form": "login"}, 1)
            assert second.read()["error"]["code"] == 1011
            assert second.closed().code == 1013
            return


def test_sigterm_sends_browsers_away_and_ends(start_door: Callable[..., Door], daemon: Daemon) -> None:
    door = start_door(daemon.path)
    with door.browser() as polite, door.browser() as deaf, door.connect():
        polite.call("session/open", {"form": "login"})
        deaf.call("session/open", {"form": "login"})
        door.signal(signal.SIGTERM)
        assert polite.closed() == Close(1012, "the door has ended")
        assert door.wait() == 0
    door.line_with("ended")


def test_the_door_pings_a_browser(door: Door) -> None:
    with door.browser() as browser:
        browser.call("session/open", {"form": "login"})
        assert browser.read_frame() == (PING, b"")
        browser.send_frame(PONG, b"")
        assert browser.call("server/ping")["instanceId"]


# Starting


def checked(folder: Path, config: str, *arguments: str) -> Any:
    file = folder / "web.json"
    file.touch(mode=0o600)
    file.write_text(config, encoding="utf-8")
    command = [str(web.web_binary()), "--config", str(file), *arguments]
    return harness.subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    "config, words",
    [
        ("{}", ["there is no block \"web\"", "protocol/web.md"]),
        ('{"web": {}}', ["\"hosts\" is missing"]),
        ('{"web": {"hosts": ["a"]}}', ["\"origins\" is missing"]),
        ('{"web": {"hosts": [], "origins": ["https://a"]}}', ["1:19"]),
        ('{"web": {"hosts": ["a"], "origins": ["*"]}}', ["1:38"]),
        ('{"web": {"hosts": ["a"], "origins": ["https://a/"]}}', ["1:38", "without a slash at the end", 'write "https://a"']),
        ('{"web": {"hosts": ["a"], "origins": ["http://a:8000/b"]}}', ["1:38", "has a path", 'write "http://a:8000"']),
        ('{"web": {"hosts": ["a"], "origins": ["https://a"], "path": "formd"}}', ["1:60"]),
        ('{"web": {"hosts": ["a"], "origins": ["https://a"], "addres": "x"}}', ['did you mean "address"?']),
        (
            '{"web": {"hosts": ["a"], "origins": ["https://a"], "address": "0.0.0.0:80"}}',
            ["not a loopback address", '"insecure": true'],
        ),
        ('{"web": {"hosts": ["a"], "origins": ["https://a"], "address": "shop:80", "insecure": true}}', ["is not an address"]),
        ('{"web": {"hosts": ["a"], "origins": ["https://a"], "address": "127.0.0.1"}}', ["has no port"]),
        ('{"web": {"hosts": ["a"], "origins": ["https://a"], "trustedProxies": ["proxy"]}}', ["is not an IP address or network"]),
        ('{"web": {"hosts": ["a"], "origins": ["https://a"], "limits": {"messagesPerSecond": 0}}}', ["at least 1"]),
        ('{"web": {"hosts": ["a"], "origins": ["https://a"], "forms": {"a": {"keep": "soon"}}}}', ["300ms"]),
    ],
)
def test_a_configuration_that_cannot_be_used(folder: Path, config: str, words: list[str]) -> None:
    run = checked(folder, config, "--check")
    assert run.returncode == 2, run.stdout + run.stderr
    for word in words:
        assert word in run.stderr, run.stderr


def test_check_says_whether_the_door_can_be_opened(folder: Path, daemon: Daemon) -> None:
    config = json.dumps({"web": WEB})
    run = checked(folder, config, "--check", "--socket", str(daemon.path))
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        'web.forms is not checked: the configuration names no folder in "forms"',
        "the door can be opened, and the daemon answers",
    ]
    run = checked(folder, config, "--check", "--socket", str(folder / "none.sock"))
    assert run.returncode == 1 and "no daemon answers at" in run.stderr and "start formd" in run.stderr
    run = checked(folder, config, "--check", "--client", str(folder))
    assert run.returncode == 1 and f"there is no client.js in {folder}" in run.stderr
    run = checked(folder, config, "--check", "--integrity")
    assert run.returncode == 64


def test_check_knows_the_forms(folder: Path, shop: Daemon) -> None:
    def check(forms: Any, **more: Any) -> Any:
        web_ = {**WEB, "forms": forms, **more}
        return checked(folder, json.dumps({"forms": ["forms"], "web": web_}), "--check", "--socket", str(shop.path))

    run = check({"shop": {"open": True}})
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[0] == (
        'web.forms.shop: browsers do not get the results of the lookup "cities", the lookup "/items/*/cost", '
        'the action "buy", which are not "public" in the form'
    )
    # An action without a result has nothing that browsers could get.
    plain = {"form": "plain", "schema": {"properties": {}}, "actions": {"go": {}, "say": {"outcomes": [{"message": "Done."}]}}}
    (folder / "forms" / "plain.form.json").write_text(json.dumps(plain), encoding="utf-8")
    assert "web.forms.plain" not in check({"plain": {"open": True}}).stdout
    assert "browsers do not get" not in check({"shop": {}}).stdout
    run = check({"shpo": {"open": True}})
    assert run.returncode == 1
    assert 'web.forms.shpo: the folders in "forms" have no such form; did you mean "shop"?' in run.stderr
    run = check({"shop": {"keep": "1m"}}, origins=[ORIGIN, "https://shop.example.com:443"])
    assert run.returncode == 0
    assert '"keep" has no effect' in run.stdout and 'write "https://shop.example.com"' in run.stdout


def test_the_log_has_the_name_of_the_door_and_says_why_in_plain_words(
    start_door: Callable[..., Door], start: Callable[..., Daemon], folder: Path
) -> None:
    door = start_door(folder / "run" / "formd.sock")
    line = door.line_with("the daemon does not answer")
    assert " formd-web: " in line and 'why="the socket does not exist: no daemon has started there"' in line
    with door.browser() as browser:
        browser.send("session/open", {"form": "login"}, 1)
        assert browser.closed().code == 1013
    assert "no daemon has started there" in door.line_with("the daemon cannot be reached")
    daemon = start()
    daemon.signal(signal.SIGKILL)
    daemon.wait()
    with door.browser() as browser:
        browser.send("session/open", {"form": "login"}, 1)
        assert browser.closed().code == 1013
    door.line_with("the daemon cannot be reached", 'why="no daemon listens at the socket"')


def test_a_port_that_is_taken(folder: Path, door: Door, daemon: Daemon) -> None:
    config = json.dumps({"web": {**WEB, "address": f"127.0.0.1:{door.port}"}})
    run = checked(folder, config, "--socket", str(daemon.path))
    assert run.returncode == 1 and f"the address 127.0.0.1:{door.port} is in use" in run.stderr, run.stderr


def test_too_few_open_files(start_door: Callable[..., Door], daemon: Daemon) -> None:
    door = start_door(daemon.path, wait=False, files=500)
    assert door.wait() == 1
    assert "this process may have 500 files open" in door.output and "LimitNOFILE=" in door.output


def test_a_door_without_a_daemon_waits_for_it(
    start_door: Callable[..., Door], start: Callable[..., Daemon], folder: Path
) -> None:
    door = start_door(folder / "run" / "formd.sock")
    door.line_with("the daemon does not answer")
    with door.browser() as browser:
        browser.send("session/open", {"form": "login"}, 1)
        assert browser.closed() == Close(1013, "the daemon is not there")
    start()
    with door.browser() as browser:
        assert browser.call("session/open", {"form": "login"})["session"]


# The page

PAGE = (ROOT / "protocol" / "web.md").read_text(encoding="utf-8")


def test_the_configuration_on_the_page_can_be_used(folder: Path, daemon: Daemon) -> None:
    shown = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert shown
    run = checked(folder, shown[1], "--check", "--socket", str(daemon.path))
    assert run.returncode == 0, run.stderr
    schema = json.loads((ROOT / "protocol" / "schema" / "config.schema.json").read_text(encoding="utf-8"))
    described = schema["properties"]["web"]["properties"]
    assert set(json.loads(shown[1])["web"]) == set(described) - {"insecure"}
    defaults = {name: limit["default"] for name, limit in described["limits"]["properties"].items()}
    assert json.loads(shown[1])["web"]["limits"] == defaults
    for key in described:
        assert f"| `{key}` |" in PAGE, key


def test_the_page_lists_the_methods_that_browsers_may_call() -> None:
    rows = PAGE.split("**Later messages**")[1].split("\n\n")[1]
    assert set(re.findall(r"`(\w+/\w+)`", rows)) == ALLOWED


def test_the_page_lists_the_close_codes() -> None:
    source = (ROOT / "Sources" / "WebDoor" / "Conversation").glob("*.swift")
    codes = set(re.findall(r"code: (1\d\d\d)", "".join(file.read_text(encoding="utf-8") for file in source)))
    assert set(re.findall(r"^\| (1\d\d\d) \|", PAGE, re.MULTILINE)) == codes
