"""Clients that answer for the daemon: registered, asked, failing, late and gone."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import harness
from harness import PATIENCE_SECONDS, Daemon, formd

PROVIDER = """
import asyncio, sys
sys.path.insert(0, sys.argv[2])
import formd

async def stock(arguments):
    item = arguments["item"]
    if item == "vanish":
        sys.exit(0)
    if item == "never":
        await asyncio.Event().wait()
    if item == "broken":
        raise formd.ProviderError("out of order")
    return {"left": len(item)}

async def main():
    async with formd.AsyncClient(sys.argv[1]) as client:
        await client.provider("stock", stock)
        print("registered", flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


class Provider:
    """A provider in a process of its own."""

    def __init__(self, daemon: Daemon) -> None:
        clients = str(Path(formd.__file__).parent.parent)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROVIDER, str(daemon.path), clients], stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Provider:
        assert self.process.stdout is not None and self.process.stdout.readline() == "registered\n"
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()


def look(client: Any, item: str) -> Any:
    session = client.open("stock")
    session.change("item", item)
    return session.tap("look", wait=True, timeout=PATIENCE_SECONDS).event


def test_a_provider_in_another_process_answers_fails_and_is_late(daemon: Daemon) -> None:
    with Provider(daemon), formd.Client(str(daemon.path)) as client:
        event = look(client, "tea")
        assert (event.kind, event.result) == ("succeeded", {"left": 3})
        assert look(client, "broken").error == "error"
        assert look(client, "never").error == "timeout"
        assert look(client, "coffee").result == {"left": 6}, "a provider that was late once is asked no more"


def test_without_a_provider_the_run_fails_at_once_and_a_dead_one_is_gone(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        assert look(client, "tea").error == "noProvider"
        with Provider(daemon):
            assert look(client, "tea").kind == "succeeded"
            assert look(client, "vanish").error == "gone"
        harness.eventually(lambda: look(client, "tea").error == "noProvider", "the end of the provider")
        with Provider(daemon):
            assert look(client, "tea").kind == "succeeded", "a provider cannot come back"


def test_the_first_to_register_has_the_name(daemon: Daemon) -> None:
    with Provider(daemon), formd.Client(str(daemon.path)) as second:
        with pytest.raises(formd.DuplicateProvider):
            second.provider("stock", lambda arguments: {"left": 0})
        with pytest.raises(formd.UnknownProvider):
            second.call("provider/unregister", {"name": "stock"})
        assert look(second, "tea").result == {"left": 3}


def test_a_client_can_answer_for_its_own_session_while_it_waits(daemon: Daemon) -> None:
    async def both() -> None:
        async with formd.AsyncClient(str(daemon.path)) as client:
            async def stock(arguments: Any) -> Any:
                # It may ask the daemon while the daemon waits for it.
                await client.ping()
                return {"left": 7}

            await client.provider("stock", stock)
            session = await client.open("stock")
            await session.change("item", "tea")
            assert (await session.tap("look", wait=True, timeout=PATIENCE_SECONDS)).event.result == {"left": 7}
            await client.withdraw_provider("stock")
            event = (await session.tap("look", wait=True, timeout=PATIENCE_SECONDS)).event
            assert event.error == "noProvider"

    asyncio.run(asyncio.wait_for(both(), 2 * PATIENCE_SECONDS))


def test_a_definition_brought_along_reaches_its_own_provider(daemon: Daemon) -> None:
    own = {
        "form": "own",
        "schema": {"type": "object", "properties": {"n": {"type": "integer"}}},
        "actions": {
            "double": {
                "timeout": "5s",
                "run": {"provider": {"name": "doubling", "arguments": {"n": "values.n"}}},
                "outcomes": [
                    {"when": "response.kind == 'ok'", "success": "response.body"},
                    {"failure": "response.kind"},
                ],
            }
        },
    }
    with formd.Client(str(daemon.path)) as client:
        client.provider("doubling", lambda arguments: {"n": 2 * arguments["n"]})
        session = client.open(definition=own, values={"n": 21})
        event = session.tap("double", wait=True, timeout=PATIENCE_SECONDS).event
        assert (event.kind, event.result) == ("succeeded", {"n": 42}), event


def test_a_provider_that_was_not_named_for_secrets_gets_none(daemon: Daemon) -> None:
    own = {
        "form": "own",
        "schema": {"type": "object", "properties": {"pin": {"type": "string", "writeOnly": True}}},
        "actions": {
            "go": {
                "timeout": "5s",
                "run": {"provider": {"name": "curious", "arguments": {"pin": "values.pin"}}},
                "outcomes": [{"when": "response.kind == 'ok'", "success": "true"}, {"failure": "response.kind"}],
            }
        },
    }
    heard: list[Any] = []
    with formd.Client(str(daemon.path)) as other:
        other.provider("curious", lambda arguments: heard.append(arguments))
        with formd.Client(str(daemon.path)) as client:
            try:
                session = client.open(definition=own, values={"pin": "kanarienvogel"})
            except formd.InvalidParams:
                pass
            else:
                assert session.tap("go", wait=True, timeout=PATIENCE_SECONDS).event.kind == "failed"
    assert "kanarienvogel" not in str(heard)


def ask(client: harness.Connection, provider: harness.Connection) -> tuple[int, Any]:
    """A tap of `client` that `provider` is asked about: the session, and the daemon's question."""
    provider.call("provider/register", {"name": "stock"})
    session = client.call("session/open", {"form": "stock", "values": {"item": "tea"}})["session"]
    assert client.call("action/tap", {"session": session, "action": "look"})["outcome"] == "started"
    question = provider.read()
    assert (question["method"], question["params"]) == ("provider/evaluate", {"name": "stock", "arguments": {"item": "tea"}})
    return session, question["id"]


def test_a_question_that_nobody_waits_for_any_more_is_taken_back(daemon: Daemon) -> None:
    with daemon.connect() as provider, daemon.connect() as client:
        session, number = ask(client, provider)
        client.call("session/close", {"session": session})
        assert provider.read() == harness.notification("$/cancelRequest", {"id": number})
        provider.send({"jsonrpc": "2.0", "id": number, "result": {"left": 1}})
        assert provider.call("server/stats")["unknownResponses"] >= 1


def test_an_event_too_large_to_be_kept_for_a_slow_reader_ends_in_a_desync(start: Any, backend: harness.Backend) -> None:
    config = harness.configuration(backend) | {"limits": {"outputHardBytes": 4096}, "providers": {}}
    daemon = start(config)
    with daemon.connect() as provider, daemon.connect() as slow:
        session, number = ask(slow, provider)
        discover = harness.encode(harness.request(1, "rpc.discover")) + b"\n"
        sent = harness.send_until_blocked(slow.socket, discover, 256 * 1024 * 1024)
        provider.send({"jsonrpc": "2.0", "id": number, "result": {"left": "x" * 10_000}})
        harness.eventually(lambda: provider.call("server/stats")["updatesHeldBack"] == 1, "the update that is held back")
        slow.socket.setblocking(True)
        sender = harness.threading.Thread(target=slow.send_bytes, args=(sent.rest,))
        sender.start()
        while (message := slow.read()).get("method") != "session/desync":
            assert message.get("method") != "session/update", message
        sender.join()
        assert message["params"] == {"session": session, "revision": 2, "eventsLost": 1}
        slow.send(harness.request("last", "session/get", {"session": session}))
        answer, updates = slow.read_until_answer("last")
        assert not [update for update in updates if "method" in update], "what is lost is not told twice"
        assert answer["result"]["document"]["actions"]["look"]["result"] == {"left": "x" * 10_000}


def test_a_blocking_client_takes_no_coroutine_function(daemon: Daemon) -> None:
    async def answer(arguments: Any) -> Any:
        return arguments

    with formd.Client(str(daemon.path)) as client:
        with pytest.raises(TypeError, match="'one' is a coroutine function: the blocking Client calls plain functions"):
            client.provider("one", answer)
        client.provider("one", lambda arguments: arguments)
