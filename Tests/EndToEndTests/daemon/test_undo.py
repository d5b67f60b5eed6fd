"""Users take back their edits, and repeat them: from the wire to the tools, and behind the end of a daemon."""

from __future__ import annotations

import asyncio
from typing import Any, Callable

import pytest

from harness import Backend, Daemon, configuration, formctl, formd
from stored import kill, stored

Start = Callable[..., Daemon]

RECEIPTS = {"from": "2026-04-05", "items": [{"day": "2026-04-06", "amount": 12.5}, {"day": "2026-04-07", "amount": 3}]}


def order(session: Any) -> list[str]:
    return [row.id for row in session.rows("items")]


def current(session: Any) -> Any:
    """The values as the daemon has them; the document that was kept must be the one that the daemon has."""
    answer = session.client.call("session/get", {"session": session.id})
    assert answer["document"] == session.document
    return answer["values"]


def test_a_removed_receipt_comes_back_with_its_identity_and_its_state(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("expenses", values=RECEIPTS, locale="de") as session:
        first, second = order(session)
        assert session.document["canUndo"] is False and session.document["canRedo"] is False
        session.change(f"/items/#{first}/amount", "1.250,50 €", commit=True)
        state = session.rows("items")[0].state
        session.remove(f"/items/#{first}")
        assert order(session) == [second] and session.document["canUndo"] is True
        causes: list[Any] = []
        session.on_update(lambda update: causes.append(update.cause))
        session.undo()
        assert order(session) == [first, second] and session.rows("items")[0].state == state
        assert causes == ["session/undo"] and current(session)["items"][0]["amount"] == 1250.5
        session.undo()
        receipts = [{name: value for name, value in one.items() if name != "soFar"} for one in current(session)["items"]]
        assert receipts == RECEIPTS["items"] and session.document["canUndo"] is False
        session.redo()
        session.redo()
        assert order(session) == [second] and causes[-1] == "session/redo"
        # A call without an edit changes nothing.
        revision = session.revision
        session.redo()
        assert session.revision == revision


def test_a_program_is_not_taken_back(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("expenses", values=RECEIPTS, locale="de") as session:
        session.change("distance", "10", commit=True)
        session.change("distance", 20, origin="program")
        assert session.document["canUndo"] is False
        session.undo()
        assert current(session)["distance"] == 20


def test_typing_is_one_edit(daemon: Daemon) -> None:
    async def story() -> None:
        async with formd.AsyncClient(str(daemon.path)) as client, await client.open("expenses", locale="de") as session:
            for text in ["1", "12", "12,", "12,5"]:
                await session.change("distance", text)
            await session.blur("distance")
            await session.undo()
            assert "distance" not in session.values and session.document["canRedo"] is True
            await session.redo()
            assert session.values["distance"] == 12.5 and session.field("distance")["text"] == "12,5"

    asyncio.run(story())


@pytest.mark.parametrize("method", ["session/undo", "session/redo"])
def test_a_form_without_undo(daemon: Daemon, method: str) -> None:
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        refused = connection.refused(method, {})
        assert refused["code"] == -32602 and refused["data"]["errors"][0]["path"] == "/session"


def test_a_bound_on_the_edits(start: Start, backend: Backend) -> None:
    daemon = start(configuration(backend) | {"limits": {"undoMax": 1}})
    with formd.Client(str(daemon.path)) as client, client.open("expenses", values=RECEIPTS) as session:
        assert client.call("server/info")["limits"]["undoMax"] == 1
        session.remove("/items/0")
        session.remove("/items/0")
        session.undo()
        session.undo()
        assert [item["amount"] for item in current(session)["items"]] == [3]


def test_the_edits_outlive_the_daemon(start: Start, backend: Backend) -> None:
    config = stored(configuration(backend))
    daemon = start(config)
    with daemon.connect() as connection:
        opened = connection.call("session/open", {"form": "expenses", "keep": "10m", "values": RECEIPTS, "locale": "de"})
        connection.call("field/change", {"field": "distance", "value": "10", "commit": True})
        connection.call("field/remove", {"field": "/items/0"})
    kill(daemon)
    daemon = start(config)
    with daemon.connect() as connection:
        attached = connection.call("session/attach", {"key": opened["key"]})
        assert attached["document"]["canUndo"] is True
        connection.call("session/undo", {})
        document = connection.call("session/get", {})["document"]
        assert document["fields"]["items"]["order"] == ["1", "2"] and document["canRedo"] is True
        connection.call("session/undo", {})
        assert "distance" not in connection.call("session/get", {})["values"]


def test_lines_of_formctl(daemon: Daemon) -> None:
    lines = "distance=10\nblur distance\nundo\nredo\n"
    done = formctl("run", "expenses", "--socket", str(daemon.path), standard_input=lines)
    assert any(line.split() == ["canRedo", "true"] for line in done.stdout.splitlines()) and "= distance" in done.stdout
