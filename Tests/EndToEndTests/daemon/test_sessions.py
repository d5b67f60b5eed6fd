"""Requests and messages of a session other than inputs.

They are opening, watching, resetting, cancelling and one-shot validation.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from harness import PATIENCE_SECONDS, Daemon, Replica, formd, notification, request

GOOD = {"email": "kim@example.com", "password": "hunter2"}


def test_initial_values_make_a_clean_session(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        opened = connection.call("session/open", {"form": "login", "values": {**GOOD, "email": "  kim@example.com "}})
        assert opened["document"]["isValid"] is True and opened["document"]["isDirty"] is False
        assert opened["values"] == {"email": "kim@example.com"}, "normalized, and without the secret"
        connection.call("field/change", {"field": "email", "value": "x"})
        connection.call("field/change", {"field": "email", "value": "kim@example.com"})
        assert connection.call("session/get")["document"]["isDirty"] is False, "set back is clean"


def test_show_always_shows_every_message_at_once(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        opened = connection.call("session/open", {"form": "login", "locale": "en", "show": "always"})
        assert set(opened["document"]["messages"]) == {"email", "password"}


@pytest.mark.parametrize(
    ("locale", "message"),
    [
        ("ko", "이메일 형식이 아닙니다."),
        ("en", "That is not an email address."),
        ("en-GB", "That is not an email address."),
        ("fr", "이메일 형식이 아닙니다."),
    ],
)
def test_a_locale_falls_back_to_its_language_and_then_to_the_form_s_own(
    daemon: Daemon, locale: str, message: str
) -> None:
    with formd.Client(str(daemon.path)) as client:
        session = client.open("login", locale=locale)
        session.change("email", "kim", commit=True)
        assert session.messages == {"email": message}


def test_watching_narrows_what_is_sent_and_never_the_events(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        opened = connection.call("session/open", {"form": "login", "watch": ["/actions/login/isEnabled"]})
        assert "isEnabled" in opened["document"]["actions"]["login"]
        _, before = connection.exchange("field/change", {"field": "email", "value": "kim"})
        assert before == [], "a turn that is hidden was sent"
        _, before = connection.exchange("field/change", {"values": GOOD})
        assert [message["params"]["patch"] for message in before] == [{"actions": {"login": {"isEnabled": True}}}]
        answer, before = connection.exchange("action/tap", {"action": "login", "await": True})
        events = [event for message in before for event in message["params"].get("events", [])]
        assert events == [answer["result"]["event"]]


def test_a_reset_can_keep_the_values(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        session = client.open("login")
        session.change(GOOD, commit=True)
        session.tap("login", wait=True, timeout=PATIENCE_SECONDS)
        session.reset(keep_values=True)
        assert session.is_valid and not session.is_dirty
        assert session.action("login") == {"isEnabled": True, "isLoading": False, "attempts": 0}
        session.reset()
        assert session.is_valid, "the kept values are the initial ones"


def test_a_reset_tells_the_values_that_it_restores(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("login", values={"email": "kim@example.com"}) as session:
        updates: list[formd.Update] = []
        session.on_update(updates.append)
        session.change({"email": "lee@example.com", "password": "x"})
        session.reset()
        session.change("email", "park@example.com")
        session.change("email", "choi")
        assert [(dict(update.values), update.absent) for update in updates] == [
            ({}, ()), ({"email": "kim@example.com"}, ("password",)), ({"email": "park@example.com"}, ()), ({}, ()),
        ]  # fmt: skip
        assert session.values == {"email": "park@example.com"}, "only what moved by itself is told"


def test_a_reset_and_a_close_end_what_is_under_way(daemon: Daemon) -> None:
    async def story() -> None:
        async with formd.AsyncClient(str(daemon.path)) as client:
            session = await client.open("login")
            await session.change({"email": "slow-20000@example.com", "password": "x"})
            waiting = asyncio.ensure_future(session.tap("login", wait=True))
            await session.wait_until(lambda s: s.action("login")["isLoading"], PATIENCE_SECONDS)
            await session.reset()
            assert session.action("login")["isLoading"] is False
            # Every accepted request is answered: here with an event, or an error that says what became of the tap.
            done, _ = await asyncio.wait([waiting], timeout=PATIENCE_SECONDS)
            assert done, "a tap whose run was cancelled is never answered"
            waiting.exception()
            await session.close()

    asyncio.run(story())


def test_a_waiting_tap_can_be_cancelled_and_the_session_goes_on(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        replica = Replica(connection.call("session/open", {"form": "login"}))
        connection.call("field/change", {"values": {"email": "slow-700@example.com", "password": "x"}})
        connection.send(request("tap", "action/tap", {"action": "login", "await": True}))
        connection.send(notification("$/cancelRequest", {"id": "tap"}))
        connection.send(notification("$/cancelRequest", {"id": "never was"}))
        answer, _ = connection.read_until_answer("tap")
        assert answer["error"]["code"] == -32800
        # Work in the session goes on: only the waiting was cancelled.
        while True:
            message = connection.read()
            if message["params"].get("events"):
                break
        assert message["params"]["events"][0]["kind"] == "failed"
        assert connection.call("session/get")["session"] == replica.session


def test_a_session_can_be_left_out_only_where_there_is_one(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        first = connection.call("session/open", {"form": "login"})["session"]
        connection.call("field/change", {"field": "email", "value": "x"})
        second = connection.call("session/open", {"form": "nickname"})["session"]
        assert "code" in connection.refused("field/change", {"field": "email", "value": "y"})
        assert {first, second} <= {one["session"] for one in connection.call("session/list")["sessions"]}
        connection.call("session/close", {"session": second})
        connection.call("field/change", {"field": "email", "value": "z"})
        assert connection.call("session/get")["values"] == {"email": "z"}
        assert connection.refused("session/get", {"session": second})["code"] == 1001


def test_a_change_of_several_fields_is_one_turn(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        session = client.open("login")
        enabled: list[Any] = []
        session.on_change("/actions/login/isEnabled", lambda change: enabled.append(change.value))
        assert session.change(GOOD) == 1
        assert session.change({"email": "lee@example.com", "password": "y"}) in (1, 2)
        assert enabled == [True], "the button flickered between two valid states"


def test_values_are_validated_at_once_without_a_session(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        assert client.validate("login", GOOD)["document"]["isValid"] is True
        refused = client.validate("login", {"email": "kim"}, locale="en")["document"]
        assert refused["isValid"] is False
        codes = {name: [error["code"] for error in field["errors"]] for name, field in refused["fields"].items()}
        assert codes == {"email": ["email.shape"], "password": ["required"]}
        # The schema decides about names that are not fields.
        assert client.validate("login", {**GOOD, "emial": "x"})["isValid"] is True
        closed = {"schema": {"properties": {"email": {}}, "additionalProperties": False}}
        verdict = client.call("form/validate", {"definition": closed, "values": {"emial": "x"}})
        [error] = verdict["document"]["errors"]
        assert (verdict["isValid"], error["code"], error["path"]) == (False, "additionalProperties", "/emial")


def test_the_daemon_says_what_it_is_and_can_do(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        info = client.info()
        assert info["pid"] == daemon.pid and info["instanceId"]
        described = client.call("rpc.discover")
        methods = {method["name"] for method in described["methods"]}
        assert {"session/open", "field/change", "action/tap", "form/list", "server/ping", "rpc.discover"} <= methods
        assert isinstance(client.call("server/stats"), dict)


def test_empty_params_may_be_written_as_a_list(daemon: Daemon) -> None:
    """PHP and Lua encode an empty map as `[]`."""
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        connection.call("server/ping", [])
        assert connection.call("session/get", []) == connection.call("session/get", {})


def test_a_session_changes_its_language(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("login", locale="ko") as session:
        session.change("email", "kim", commit=True)
        assert session.messages == {"email": "이메일 형식이 아닙니다."}
        session.set_locale("en")
        assert session.messages == {"email": "That is not an email address."}
        assert session.field("email")["errors"][0]["message"] == session.messages["email"]
        with pytest.raises(formd.InvalidParams):
            session.set_locale("x" * 257)


def test_every_form_explains_its_document(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        for form in connection.call("form/list")["forms"]:
            context = {"context": {"role": "clerk"}} if form["form"] == "approval" else {}
            session = connection.call("session/open", {"form": form["form"], "show": "always", **context})["session"]
            state = connection.call("session/get", {"session": session, "explain": True})
            assert set(state["explanation"]["actions"]) == set(state["document"].get("actions", {}))
            connection.call("session/close", {"session": session})
