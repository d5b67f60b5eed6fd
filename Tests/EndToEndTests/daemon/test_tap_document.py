"""`action/tap` with `document`: a script needs one call for the outcome and the state after it."""

from __future__ import annotations

from harness import Daemon

GOOD = {"email": "kim@example.com", "password": "hunter2"}


def test_the_answer_has_the_document_at_the_outcome(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        session = connection.call("session/open", {"form": "login"})["session"]
        connection.call("field/change", {"session": session, "values": GOOD})
        answer = connection.call("action/tap", {"session": session, "action": "login", "await": True, "document": True})
        assert answer["event"]["kind"] == "succeeded"
        now = connection.call("session/get", {"session": session})
        assert answer["document"] == now["document"] and answer["revision"] == now["revision"]
        assert answer["document"]["actions"]["login"]["result"] == {"name": "Kim"}


def test_it_needs_no_await_and_a_rejected_tap_shows_its_messages(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        session = connection.call("session/open", {"form": "login", "locale": "en"})["session"]
        for more in ({}, {"await": True}):
            answer = connection.call("action/tap", {"session": session, "action": "login", "document": True, **more})
            assert set(answer["document"]["messages"]) == {"email", "password"}
        assert "document" not in connection.call("action/tap", {"session": session, "action": "login", "await": True})


def test_a_public_client_gets_the_public_document(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        session = connection.call("session/open", {"form": "login", "onlyPublic": True})["session"]
        answer = connection.call("action/tap", {"session": session, "action": "login", "document": True})
        assert answer["document"] == connection.call("session/get", {"session": session})["document"]
