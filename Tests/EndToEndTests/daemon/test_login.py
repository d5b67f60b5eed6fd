"""The login form, live: the Python client, nc, socat and an LSP client library against the real server."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import threading
from typing import Any, Callable

import pytest
from pylsp_jsonrpc.dispatchers import MethodDispatcher
from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter

import harness
from harness import PATIENCE_SECONDS, ROOT, Backend, Daemon, Replica, formd

GOOD = {"email": "kim@example.com", "password": "hunter2"}


def test_a_session_from_the_first_key_to_the_name(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        opened = connection.call("session/open", {"form": "login", "locale": "ko"})
        assert opened["revision"] == 0 and opened["values"] == {}
        login = Replica(opened)
        assert login.document["isValid"] is False and login.document["isDirty"] is False
        assert login.document["actions"]["login"] == {"isEnabled": False, "isLoading": False, "attempts": 0}
        assert login.document["outputs"] == {"buttonColor": "systemGray4"}
        assert login.document.get("messages", {}) == {}

        answer, before = connection.exchange("field/change", {"field": "email", "value": "kim"})
        assert len(before) == 1 and before[0]["params"]["cause"] == "field/change"
        login.apply(before)
        assert answer["result"] == {"revision": login.revision}
        [error] = login.document["fields"]["email"]["errors"]
        assert (error["code"], error["severity"], error["source"]) == ("email.shape", "error", "rule")
        assert login.document.get("messages", {}) == {}, "shown before the end of editing"

        _, before = connection.exchange("field/change", {"field": "email", "value": "kim"})
        assert before == [], "a change that changes nothing was pushed"

        _, before = connection.exchange("field/blur", {"field": "email"})
        assert before[0]["params"]["cause"] == "field/blur"
        login.apply(before)
        assert login.document["messages"] == {"email": "이메일 형식이 아닙니다."}

        _, before = connection.exchange("field/change", {"values": GOOD})
        assert len(before) == 1, "one turn is one update"
        login.apply(before)
        assert login.document["isValid"] is True and login.document["messages"] == {}
        assert login.document["actions"]["login"]["isEnabled"] is True
        assert login.document["outputs"] == {"buttonColor": "systemPink"}

        answer, before = connection.exchange("action/tap", {"action": "login", "await": True})
        login.apply(before)
        event = answer["result"]["event"]
        assert (event["kind"], event["result"]) == ("succeeded", {"name": "Kim"})
        assert event["message"] == "Kim님 환영합니다."
        assert login.document["outputs"] == {"buttonColor": "systemPink", "resultTitle": "로그인 성공"}
        assert login.events == [event]
        assert login.document["actions"]["login"] == {
            "isEnabled": True, "isLoading": False, "attempts": 1, "result": {"name": "Kim"},
            "message": "Kim님 환영합니다.",
        }  # fmt: skip

        fresh = connection.call("session/get")
        assert fresh["document"] == login.document and fresh["revision"] == login.revision
        assert fresh["values"] == {"email": "kim@example.com"}, "the password came back"

        _, before = connection.exchange("action/tap", {"action": "login", "await": True})
        login.apply(before)
        assert [event["kind"] for event in login.events] == ["succeeded", "succeeded"], "two successes are two events"


FAILURES = [
    ("a wrong password", {"email": "kim@example.com", "password": "wrong"}, "badRequest"),
    ("400", {"email": "status-400@example.com", "password": "x"}, "badRequest"),
    ("500", {"email": "status-500@example.com", "password": "x"}, "serverError"),
    ("404", {"email": "status-404@example.com", "password": "x"}, "notFound"),
    ("503", {"email": "status-503@example.com", "password": "x"}, "serverError"),
    ("another status", {"email": "status-418@example.com", "password": "x"}, "unexpected"),
    ("a redirect", {"email": "redirect@example.com", "password": "x"}, "unexpected"),
    ("garbage", {"email": "garbage@example.com", "password": "x"}, "badBody"),
    ("too late", {"email": "slow-3000@example.com", "password": "x"}, "timeout"),
    ("an answer of another shape", {"email": "text@example.com", "password": "x"}, "unexpected"),
]


@pytest.mark.parametrize(("values", "error"), [case[1:] for case in FAILURES], ids=[case[0] for case in FAILURES])
def test_after_a_failure_the_same_session_logs_in(daemon: Daemon, values: dict[str, str], error: str) -> None:
    with formd.Client(str(daemon.path)) as client:
        session = client.open("login-quick")
        session.change(values)
        assert session.is_valid
        event = session.tap("login", wait=True, timeout=PATIENCE_SECONDS).event
        assert (event.kind, event.error) == ("failed", error)
        login = session.action("login")
        assert (login["error"], login["isLoading"], login["isEnabled"]) == (error, False, True)
        assert login["message"] and session.outputs["resultTitle"] == "로그인 실패"
        assert session.is_valid, "a failure made the form invalid"
        session.change(GOOD)
        event = session.tap("login", wait=True, timeout=PATIENCE_SECONDS).event
        assert (event.kind, event.result) == ("succeeded", {"name": "Kim"})
        assert "error" not in session.action("login")


@pytest.mark.parametrize("email", ["hangup@example.com", "huge@example.com"])
def test_a_server_that_hangs_up_or_floods_is_a_failure_like_another(daemon: Daemon, email: str) -> None:
    with formd.Client(str(daemon.path)) as client:
        session = client.open("login")
        session.change({"email": email, "password": "x"})
        event = session.tap("login", wait=True, timeout=PATIENCE_SECONDS).event
        assert event.kind == "failed" and event.error in ("error", "tooLarge", "refused"), event
        session.change(GOOD)
        assert session.tap("login", wait=True, timeout=PATIENCE_SECONDS).event.kind == "succeeded"


def test_a_server_that_is_not_there_is_refused_and_found_when_it_is_back(
    start: Callable[..., Daemon], folder: harness.Path
) -> None:
    backend = Backend(folder / "own.sqlite")
    daemon = start(harness.configuration(backend))
    assert backend.end() == 0
    with formd.Client(str(daemon.path)) as client:
        session = client.open("login")
        session.change(GOOD)
        event = session.tap("login", wait=True, timeout=PATIENCE_SECONDS).event
        assert (event.kind, event.error) == ("failed", "refused")
        again = Backend(folder / "own.sqlite", backend.port)
        assert session.tap("login", wait=True, timeout=PATIENCE_SECONDS).event.kind == "succeeded"
        assert again.end() == 0


def test_a_double_tap_is_one_login(daemon: Daemon) -> None:
    async def taps() -> None:
        async with formd.AsyncClient(str(daemon.path)) as client:
            session = await client.open("login")
            kinds: list[str] = []
            session.on_event(lambda event: kinds.append(event.kind))
            await session.change({"email": "slow-200@example.com", "password": "x"})
            first, second = await asyncio.gather(session.tap("login"), session.tap("login"))
            assert (first.outcome, second.outcome) == ("started", "dropped")
            assert second.run is None
            await session.wait_until(lambda s: not s.action("login")["isLoading"], PATIENCE_SECONDS)
            assert kinds == ["dropped", "failed"]
            assert session.action("login")["attempts"] == 1

    asyncio.run(taps())


def test_a_tap_while_disabled_answers_with_its_blockers_and_shows_the_messages(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        session = client.open("login")
        session.change("email", "kim")
        tap = session.tap("login")
        assert tap.outcome == "rejected" and tap.run is None
        assert [(blocker["field"], blocker["code"]) for blocker in tap.blockers] == [
            ("email", "email.shape"), ("password", "required"),
        ]  # fmt: skip
        assert session.action("login")["attempts"] == 0
        assert set(session.messages) == {"email", "password"}


def test_the_asyncio_client_holds_a_hundred_sessions_on_one_connection(daemon: Daemon) -> None:
    async def crowd() -> None:
        async with formd.AsyncClient(str(daemon.path)) as client:
            sessions = await asyncio.gather(*(client.open("login") for _ in range(100)))
            assert len({session.id for session in sessions}) == 100
            for session in sessions[::2]:
                await session.change(GOOD)
            assert [session.is_valid for session in sessions] == [True, False] * 50
            await sessions[0].close()
            with pytest.raises(formd.SessionClosed):
                await sessions[0].change("email", "kim")
            assert (await client.call("session/list")) is not None

    asyncio.run(crowd())


CARRIERS = ["nc", "socat"]


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize(
    ("password", "status", "words"), [("hunter2", 0, "Kim님 환영합니다."), ("wrong", 1, "badRequest")]
)
def test_the_shell_example_logs_in(daemon: Daemon, carrier: str, password: str, status: int, words: str) -> None:
    assert shutil.which(carrier) and shutil.which("jq"), "run scripts/setup"
    run = subprocess.run(
        [str(ROOT / "protocol/clients/shell/login.sh"), "kim@example.com", password],
        env={**os.environ, "FORMD_SOCKET": str(daemon.path), "FORMD_CARRIER": carrier},
        capture_output=True, text=True, timeout=PATIENCE_SECONDS,
    )  # fmt: skip
    assert run.returncode == status, run
    assert words in run.stdout


@pytest.mark.parametrize("command", [["nc", "-N", "-U"], ["socat", "-t30", "-"]], ids=CARRIERS)
def test_a_conversation_typed_into_a_carrier(daemon: Daemon, command: list[str]) -> None:
    target = str(daemon.path) if command[0] == "nc" else f"UNIX-CONNECT:{daemon.path}"
    lines = [
        harness.request(1, "session/open", {"form": "login"}),
        harness.request(2, "field/change", {"field": "email", "value": "kim@example.com"}),
        harness.notification("field/change", {"field": "password", "value": "hunter2"}),
        harness.request(3, "action/tap", {"action": "login", "await": True}),
    ]
    # The last line has no newline: it counts, and is answered before the connection ends.
    typed = b"\n".join(harness.encode(line) for line in lines)
    run = subprocess.run([*command, target], input=typed, capture_output=True, timeout=PATIENCE_SECONDS)
    answers = [harness.json.loads(line) for line in run.stdout.splitlines()]
    assert [answer["id"] for answer in answers if "method" not in answer] == [1, 2, 3]
    assert answers[-1]["result"]["event"]["result"] == {"name": "Kim"}


def test_an_lsp_client_library_connects_unchanged(daemon: Daemon) -> None:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(PATIENCE_SECONDS)
    connection.connect(str(daemon.path))
    updates: list[Any] = []

    class Notifications(MethodDispatcher):
        """The messages that the daemon sends without a request."""

        def m_session__update(self, **params: Any) -> None:
            updates.append(params)

    writer = JsonRpcStreamWriter(connection.makefile("wb"))
    reader = JsonRpcStreamReader(connection.makefile("rb"))
    endpoint = Endpoint(Notifications(), writer.write)
    listening = threading.Thread(target=reader.listen, args=(endpoint.consume,), daemon=True)
    listening.start()

    def ask(method: str, params: Any = None) -> Any:
        return endpoint.request(method, params).result(PATIENCE_SECONDS)

    initialized = ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert isinstance(initialized, dict)
    endpoint.notify("initialized", {})
    opened = ask("session/open", {"form": "login"})
    assert ask("field/change", {"values": GOOD})["revision"] == 1
    event = ask("action/tap", {"action": "login", "await": True})["event"]
    assert (event["kind"], event["result"]) == ("succeeded", {"name": "Kim"})
    document = opened["document"]
    for update in updates:
        document = formd.merge_patch(document, update["patch"])
    assert document["actions"]["login"]["result"] == {"name": "Kim"}
    ask("shutdown")
    endpoint.notify("exit")
    listening.join(PATIENCE_SECONDS)
    assert not listening.is_alive(), "exit did not end the connection"
    endpoint.shutdown()
    connection.close()
    with daemon.connect() as other:
        other.call("server/ping")


def test_inputs_as_notifications_take_effect_and_failed_ones_are_told(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        session = connection.call("session/open", {"form": "login"})["session"]
        connection.send(harness.notification("field/change", {"session": session, "field": "email", "value": "a@b.c"}))
        connection.send(harness.notification("field/change", {"session": session, "field": "emial", "value": "x"}))
        connection.send(harness.notification("no/such/method", {}))
        fresh, before = connection.exchange("session/get", {"session": session})
        assert [message["method"] for message in before] == ["session/update", "server/rejected"]
        assert fresh["result"]["values"] == {"email": "a@b.c"}
        assert "1004" in harness.json.dumps(before[1]["params"])


def test_a_client_that_brings_its_form_cannot_reach_a_service(daemon: Daemon) -> None:
    own = {
        "form": "own",
        "schema": {"type": "object", "required": ["age"], "properties": {"age": {"type": "integer", "minimum": 18}}},
    }
    with formd.Client(str(daemon.path)) as client:
        session = client.open(definition=own)
        session.change("age", 17)
        assert not session.is_valid
        session.change("age", 18)
        assert session.is_valid
        run = {"http": {"service": "accounts", "method": "GET", "path": "/health"}}
        go = {"run": run, "timeout": "1s", "outcomes": [{"failure": "'x'"}]}
        with pytest.raises(formd.InvalidParams) as caught:
            client.open(definition={**own, "actions": {"go": go}})
        assert caught.value.data["errors"]
