"""A secret's value is nowhere: not in a message, an error, a document, a log line, or another connection."""

from __future__ import annotations

import base64
import json
from typing import Callable

import pytest

import harness
from harness import Backend, Daemon

CANARY = "kanarienvogel-7f3a91"
DISGUISES = [CANARY, CANARY.upper(), CANARY[::-1], base64.b64encode(CANARY.encode()).decode().rstrip("="),
             CANARY.encode().hex(), "".join(f"\\u{ord(letter):04x}" for letter in CANARY)]  # fmt: skip


@pytest.mark.parametrize("level", ["info", "trace"])
def test_the_canary_is_nowhere(start: Callable[..., Daemon], backend: Backend, level: str) -> None:
    daemon = start({**harness.configuration(backend), "log": {"level": level}})
    received = b""
    with daemon.connect() as other:
        other.call("session/open", {"form": "login"})
        for email in ("kim@example.com", "status-500@example.com", "garbage@example.com", "hangup@example.com"):
            with daemon.connect() as connection:
                session = connection.call("session/open", {"form": "login", "values": {"password": CANARY}})["session"]
                connection.call("field/change", {"values": {"email": email, "password": CANARY}})
                connection.call("field/change", {"field": "password", "value": CANARY * 60})
                connection.exchange("action/tap", {"action": "login", "await": True})
                connection.call("field/change", {"field": "password", "value": CANARY, "commit": True})
                assert connection.call("action/tap", {"action": "login", "await": True})["event"]["kind"] == "failed"
                # Wrong in every way that might be quoted back.
                connection.exchange("field/change", {"field": "password", "value": [CANARY]})
                connection.exchange("field/change", {"field": "password", "value": {CANARY: CANARY}})
                connection.exchange("field/change", {"field": "password", "value": CANARY, "origin": "nowhere"})
                connection.exchange("field/change", {"field": "password", "valeu": CANARY, "value": CANARY})
                connection.exchange("form/validate", {"form": "login", "values": {"password": CANARY * 60}})
                connection.exchange("form/validate", {"form": "login", "values": {"email": "x", "password": [CANARY]}})
                connection.exchange("session/get", {"session": session})
                connection.exchange("session/list")
                connection.exchange("session/reset", {"keepValues": True})
                connection.exchange("server/stats")
                connection.send_text(b'{"jsonrpc":"2.0","id":1,"method":"field/change","params":{"field":"password",'
                                     b'"value":"' + CANARY.encode() + b'"')  # fmt: skip
                connection.read()
                connection.half_close()
                connection.read_to_end()
                received += connection.received
        other.call("server/stats")
        received += other.received
    assert daemon.end() == 0
    told = received.decode() + daemon.output
    assert len(received) > 1000 and daemon.output
    for disguise in DISGUISES:
        assert disguise not in told, told[max(0, told.index(disguise) - 300) :][:600]


SECRET = {"properties": {"pin": {"writeOnly": True}}}


@pytest.mark.parametrize(
    "schema",
    [
        {"if": {}, "then": SECRET},
        {"anyOf": [SECRET, {}]},
        {"dependentSchemas": {"name": SECRET}},
        {"patternProperties": {"^p": {"writeOnly": True}}},
        {"allOf": [{"properties": {"pin": {"anyOf": [{"type": "string"}, {"writeOnly": True}]}}}]},
        {"oneOf": [{**SECRET, "minProperties": 2}, {"maxProperties": 1}, {"minProperties": 2}]},
    ],
    ids=["then", "anyOf", "dependentSchemas", "patternProperties", "one branch", "oneOf"],
)
def test_a_secret_by_its_place_in_the_schema_is_nowhere(
    start: Callable[..., Daemon], schema: dict[str, object]
) -> None:
    daemon = start({"log": {"level": "trace"}})
    properties = {"name": {"type": "string"}, "pin": {"type": "string", "maxLength": 40}}
    definition = {"form": "places", "schema": {"properties": properties, **schema}, "outputs": {"has": "values.pin != ''"},
                  "fields": {"pin": {"show": "always"}}}  # fmt: skip
    with daemon.connect() as connection:
        opened = connection.call("session/open", {"definition": definition, "values": {"pin": CANARY}})
        assert opened["values"] == {} and opened["document"]["outputs"] == {"has": True}
        connection.call("field/change", {"values": {"name": "Kim", "pin": CANARY * 2}})
        connection.call("field/change", {"values": {"pin": CANARY}})
        connection.exchange("field/change", {"field": "pin", "value": [CANARY]})
        assert connection.call("session/get")["values"] == {"name": "Kim"}
        connection.call("session/reset", {"keepValues": True})
        assert CANARY not in json.dumps(connection.call("session/get"))
        received = connection.received.decode()
    assert daemon.end() == 0
    assert CANARY not in received + daemon.output


def test_no_field_value_is_in_the_logs(start: Callable[..., Daemon], backend: Backend) -> None:
    daemon = start({**harness.configuration(backend), "log": {"level": "trace"}})
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        connection.call("field/change", {"values": {"email": f"{CANARY}@example.com", "password": "x"}})
        connection.call("action/tap", {"action": "login", "await": True})
        connection.exchange("field/change", {"field": "email", "value": [CANARY]})
        assert CANARY not in json.dumps(connection.call("session/get")["document"])
    assert daemon.end() == 0
    assert CANARY not in daemon.output


def test_a_form_that_lets_a_secret_out_is_refused(daemon: Daemon) -> None:
    schema = {"type": "object", "properties": {"pin": {"type": "string", "writeOnly": True}}}
    with daemon.connect() as connection:
        for outputs in ({"x": "values.pin"}, {"x": "size(values.pin)"}, {"x": "values.pin + '!'"}):
            leaking = {"form": "leak", "schema": schema, "outputs": outputs}
            assert connection.refused("session/open", {"definition": leaking})["code"] == -32602
        keeping = {"form": "keep", "schema": schema, "outputs": {"x": "values.pin != ''", "y": "fields.pin.isEmpty"}}
        opened = connection.call("session/open", {"definition": keeping, "values": {"pin": CANARY}})
        assert opened["document"]["outputs"] == {"x": True, "y": False} and opened["values"] == {}
    assert harness.json.dumps(opened).count(CANARY) == 0
