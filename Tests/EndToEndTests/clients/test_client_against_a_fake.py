"""The Python client by itself: a scripted server replaces the daemon and behaves as a real daemon seldom does."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from fake import DOCUMENT, Fake, play
from harness import formd


@pytest.mark.parametrize(
    ("target", "patch", "merged"),
    [
        # RFC 7396, appendix A.
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({"a": "foo"}, None, None),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_patches_merge_as_the_rfc_says_and_leave_the_old_document_alone(target: Any, patch: Any, merged: Any) -> None:
    before = json.dumps(target)
    assert formd.merge_patch(target, patch) == merged
    assert json.dumps(target) == before


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", {"a": [{"b/c": 1, "~": 2}]}), ("/a/0/b~1c", 1), ("/a/0/~0", 2), ("/a/1", None), ("/a/-", None),
        ("/a/00", None), ("/x/y", None), ("/a/0/b~1c/d", None),
    ],
)  # fmt: skip
def test_pointers_resolve_or_are_absent(pointer: str, value: Any) -> None:
    assert formd.resolve_pointer({"a": [{"b/c": 1, "~": 2}]}, pointer) == value


def test_callbacks_hear_exactly_what_changed_before_the_call_returns(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        await fake.open()
        change = await fake.read()
        assert change["params"] == {"session": 1, "field": "email", "value": "kim@example.com"}
        patch = {"isValid": True, "messages": {"email": None}}
        fake.update(0, 1, patch, events=[{"seq": 1, "action": "login", "kind": "dropped"}])
        fake.answer(change, {"revision": 1})

    async def client(connected: Any) -> None:
        session = await connected.open("login")
        first = session.document
        heard: list[Any] = []
        session.on_change("/isValid", lambda change: heard.append((change.previous, change.value)))
        session.on_change("/messages/email", lambda change: heard.append(change.value))
        session.on_change("/actions/login", lambda change: heard.append("never"))
        forget = session.on_change(None, lambda change: heard.append("forgotten"))
        forget()
        session.on_event(lambda event: heard.append(event.kind))
        assert await session.change("email", "kim@example.com") == 1
        assert heard == [(False, True), None, "dropped"]
        assert session.document == {**DOCUMENT, "isValid": True, "messages": {}}
        assert session.revision == 1 and session.is_valid
        assert first == DOCUMENT

    play(folder / "s", server, client)


def test_an_update_right_behind_the_answer_to_open_is_not_lost(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        await fake.open()
        fake.update(0, 1, {"isValid": True})

    async def client(connected: Any) -> None:
        session = await connected.open("login")
        await session.wait_until(lambda s: s.revision == 1, timeout=10)
        assert session.is_valid

    play(folder / "s", server, client)


@pytest.mark.parametrize("how", ["gap", "desync"])
def test_a_gap_and_a_desync_are_healed_by_a_fresh_document(folder: Path, how: str) -> None:
    async def server(fake: Fake) -> None:
        await fake.open()
        if how == "gap":
            fake.update(3, 4, {"isValid": "from nowhere"})
        else:
            fake.write({"method": "session/desync", "params": {"session": 1, "eventsLost": 2}})
        get = await fake.read()
        assert get["method"] == "session/get" and get["params"] == {"session": 1}
        # Older than the answer: it must not be merged, but its event counts.
        fake.update(4, 5, {"isValid": "stale"}, events=[{"seq": 9, "action": "login", "kind": "failed"}])
        fake.answer(get, {"session": 1, "revision": 5, "document": {"isValid": True}, "values": {"email": "x"}})
        fake.update(5, 6, {"isDirty": True})

    async def client(connected: Any) -> None:
        session = await connected.open("login")
        events: list[str] = []
        session.on_event(lambda event: events.append(event.kind))
        await session.wait_until(lambda s: s.revision == 6, timeout=10)
        assert session.document == {"isValid": True, "isDirty": True}
        assert session.values == {"email": "x"}
        assert events == ["failed"]
        assert session.events_lost == (2 if how == "desync" else 0)

    play(folder / "s", server, client)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (-32700, formd.ParseError), (-32600, formd.InvalidRequest), (-32601, formd.MethodNotFound),
        (-32602, formd.InvalidParams), (-32603, formd.InternalError), (-32007, formd.TooLarge),
        (-32010, formd.BatchTooLong), (1001, formd.UnknownSession), (1003, formd.UnknownForm),
        (1004, formd.UnknownField), (1005, formd.UnknownAction), (1006, formd.UnknownProvider),
        (1007, formd.DuplicateProvider), (1010, formd.Draining), (1011, formd.Overloaded), (1012, formd.QuotaExceeded),
        (4711, formd.RpcError),
    ],
)  # fmt: skip
def test_a_refusal_is_a_typed_error_with_code_and_data(folder: Path, code: int, kind: type[Exception]) -> None:
    async def server(fake: Fake) -> None:
        call = await fake.read()
        fake.write({"id": call["id"], "error": {"code": code, "message": "No", "data": {"closest": "login"}}})

    async def client(connected: Any) -> None:
        with pytest.raises(formd.RpcError) as caught:
            await connected.call("form/describe", {"form": "logni"})
        assert type(caught.value) is kind
        assert (caught.value.code, caught.value.message, caught.value.data) == (code, "No", {"closest": "login"})

    play(folder / "s", server, client)


def test_what_waits_is_told_when_the_daemon_goes_away(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        await fake.open()
        await fake.read()

    async def client(connected: Any) -> None:
        session = await connected.open("login")
        ended: list[str] = []
        session.on_closed(lambda reason: ended.append("session"))
        connected.on_closed(lambda: ended.append("connection"))
        with pytest.raises(formd.ConnectionLost):
            await session.change("email", "kim")
        assert ended == ["session", "connection"]
        with pytest.raises(formd.SessionClosed):
            await session.change("email", "kim")
        with pytest.raises(formd.ConnectionLost):
            await connected.ping()

    play(folder / "s", server, client)


def test_a_closed_session_says_why_and_the_connection_goes_on(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        await fake.open()
        fake.write({"method": "session/closed", "params": {"session": 1, "reason": "idle"}})
        fake.answer(await fake.read(), {"pong": True})

    async def client(connected: Any) -> None:
        session = await connected.open("login")
        with pytest.raises(formd.SessionClosed, match="idle"):
            await session.wait_until(lambda s: False, timeout=10)
        assert not session.is_open
        assert await connected.ping() == {"pong": True}

    play(folder / "s", server, client)


def test_a_call_out_of_time_is_cancelled_in_the_daemon_and_its_late_answer_ignored(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        late = await fake.read()
        cancel = await fake.read()
        assert cancel == {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": late["id"]}}
        fake.answer(late, "too late")
        fake.answer(await fake.read(), "in time")

    async def client(connected: Any) -> None:
        with pytest.raises(TimeoutError):
            await connected.call("server/ping", timeout=0.001)
        assert await connected.call("server/ping") == "in time"

    play(folder / "s", server, client)


def test_a_provider_answers_fails_and_is_cancelled_without_stopping_the_reader(folder: Path) -> None:
    answered = asyncio.Event()

    async def server(fake: Fake) -> None:
        register = await fake.read()
        assert (register["method"], register["params"]) == ("provider/register", {"name": "stock"})
        fake.answer(register, {})
        for number, arguments in enumerate([{"n": 1}, {"n": 0}, {"n": "x"}, {"wait": True}]):
            params = {"name": "stock", "arguments": arguments}
            fake.write({"id": f"formd:{number}", "method": "provider/evaluate", "params": params})
        fake.write({"method": "$/cancelRequest", "params": {"id": "formd:3"}})
        fake.write({"id": "formd:4", "method": "no/such", "params": {}})
        answers = {answer["id"]: answer for answer in [await fake.read() for _ in range(5)]}
        assert answers["formd:0"]["result"] == {"left": 1}
        assert answers["formd:1"]["error"] == {"code": -32000, "message": "sold out", "data": {"retry": False}}
        assert answers["formd:2"]["error"] == {"code": -32603, "message": "Internal error"}
        assert answers["formd:3"]["error"]["code"] == -32800
        assert answers["formd:4"]["error"]["code"] == -32601
        answered.set()
        fake.answer(await fake.read(), "done")

    async def stock(arguments: Any) -> Any:
        if "wait" in arguments:
            await asyncio.Event().wait()
        if arguments["n"] == 0:
            raise formd.ProviderError("sold out", data={"retry": False})
        return {"left": arguments["n"] + 0}

    async def client(connected: Any) -> None:
        await connected.provider("stock", stock)
        await answered.wait()
        assert await connected.call("server/ping") == "done"

    play(folder / "s", server, client)


def test_who_withdraws_answers_what_was_asked_before(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        fake.answer(await fake.read(), {})
        fake.write({"id": "formd:1", "method": "provider/evaluate", "params": {"name": "stock", "arguments": 1}})
        unregister = await fake.read()
        assert unregister["method"] == "provider/unregister"
        keyed = {"name": "stock", "arguments": 2, "idempotencyKey": "K"}
        fake.write({"id": "formd:2", "method": "provider/evaluate", "params": keyed})
        fake.answer(unregister, {})
        answers = {answer["id"]: answer["result"] for answer in [await fake.read() for _ in range(2)]}
        assert answers == {"formd:1": [1, None], "formd:2": [2, "K"]}
        # Behind both answers.
        fake.answer(await fake.read(), "pong")

    async def client(connected: Any) -> None:
        asked, goes_on = asyncio.Event(), asyncio.Event()

        async def stock(arguments: Any, key: Any) -> Any:
            if arguments == 1:
                asked.set()
                await goes_on.wait()
            else:
                goes_on.set()
            return [arguments, key]

        await connected.provider("stock", stock, keyed=True)
        await asked.wait()
        await connected.withdraw_provider("stock")
        assert await connected.call("server/ping") == "pong"

    play(folder / "s", server, client)


def test_a_callback_that_raises_ends_nothing(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def server(fake: Fake) -> None:
        await fake.open()
        change = await fake.read()
        fake.update(0, 1, {"isValid": True})
        fake.answer(change, {"revision": 1})

    async def client(connected: Any) -> None:
        session = await connected.open("login")
        heard: list[bool] = []
        session.on_change("/isValid", lambda change: 1 / 0)
        session.on_change("/isValid", lambda change: heard.append(change.value))
        await session.change("email", "kim@example.com")
        assert heard == [True]

    play(folder / "s", server, client)
    assert "a callback failed" in caplog.text


def test_draining_and_rejected_notifications_are_heard(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        note = await fake.read()
        assert "id" not in note
        fake.write({"method": "server/rejected", "params": {"method": note["method"]}})
        fake.write({"method": "server/draining", "params": {"deadlineMs": 5000}})
        fake.answer(await fake.read(), "pong")

    async def client(connected: Any) -> None:
        heard: list[Any] = []
        connected.on_rejected(heard.append)
        connected.on_draining(heard.append)
        await connected.notify("field/change", {"field": "nope", "value": 1})
        assert await connected.ping() == "pong"
        assert heard == [{"method": "field/change"}, {"deadlineMs": 5000}]
        assert connected.draining

    play(folder / "s", server, client)


def test_lines_are_heard_as_they_stand_in_the_order_in_which_they_pass(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        request = await fake.read()
        fake.writer.write('{ "method": "server/draining",  "params": {"reason": "저녁"} }\r\nnot JSON\n'.encode())
        fake.answer(request, "pong")
        fake.answer(await fake.read(), "pong")

    async def client(connected: Any) -> None:
        heard: list[tuple[str, str]] = []
        forget = connected.on_line(lambda direction, line: heard.append((direction, line)))
        await connected.ping()
        forget()
        await connected.ping()
        assert heard == [
            ("sent", '{"jsonrpc":"2.0","id":1,"method":"server/ping"}'),
            ("received", '{ "method": "server/draining",  "params": {"reason": "저녁"} }'),
            ("received", "not JSON"),
            ("received", '{"jsonrpc": "2.0", "id": 1, "result": "pong"}'),
        ]

    play(folder / "s", server, client)


def test_nobody_listening_says_what_to_do(folder: Path) -> None:
    with pytest.raises(formd.ConnectionLost, match="formd serve"):
        formd.Client(str(folder / "nobody"))


def test_the_blocking_client_reads_while_nobody_calls_and_refuses_to_deadlock(folder: Path) -> None:
    path = folder / "s"
    listening, pushed = threading.Event(), threading.Event()

    async def serve() -> None:
        finished = asyncio.Event()

        async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            fake = Fake(reader, writer)
            await fake.open()
            fake.update(0, 1, {"isValid": True})
            while (message := await fake.read()) is not None:
                fake.answer(message, {"revision": 1})
            writer.close()
            finished.set()

        async with await asyncio.start_unix_server(accepted, str(path)):
            listening.set()
            await asyncio.wait_for(finished.wait(), 30)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert listening.wait(10)
    deadlocks: list[str] = []
    with formd.Client(str(path)) as client:
        session = client.open("login")
        session.wait_until(lambda s: s.revision == 1, timeout=10)
        assert session.is_valid

        def calls_back(reason: Any) -> None:
            try:
                client.ping()
            except RuntimeError as error:
                deadlocks.append(str(error))
            pushed.set()

        session.on_closed(calls_back)
        session.close()
        assert pushed.wait(10)
    assert len(deadlocks) == 1
    with pytest.raises(formd.ConnectionLost):
        client.ping()
    client.close()
    thread.join(30)


ROWS = {
    "isValid": False,
    "fields": {
        "items": {
            "isVisible": True, "isValid": False, "errors": [], "order": ["4", "2"], "rows": {
                "2": {"isValid": False, "fields": {"quantity": {"isValid": False, "isTouched": True}}},
                "4": {"isValid": True, "lookups": {"price": {"value": 3}}, "outputs": {"net": 9.5}, "fields": {"lines": {"order": ["9"], "rows": {"9": {}}}}},
            },
        },
    },
}  # fmt: skip


async def open_rows(fake: Fake) -> None:
    request = await fake.read()
    values = {"items": [{"a": 1}, {"a": 2}], "other": [1, 2]}
    fake.answer(request, {"session": 1, "revision": 0, "document": ROWS, "values": values})


def test_rows_stand_in_order_with_what_is_as_usual(folder: Path) -> None:
    async def client(connected: Any) -> None:
        session = await connected.open("invoice")
        first, second = session.rows("items")
        assert (first.id, first.address, first.is_valid, first.outputs) == ("4", "/items/#4", True, {"net": 9.5})
        assert (second.id, second.is_valid, second.outputs) == ("2", False, {})
        assert first.lookup("price") == {"isLoading": False, "value": 3} and second.lookup("price") == {"isLoading": False}
        assert first.state["isVisible"] is True and first.state["isDirty"] is False and first.state["errors"] == []
        assert second.field("quantity")["isTouched"] and not first.field("quantity")["isTouched"]
        assert second.address_of("a/b~c") == "/items/#2/a~1b~0c"
        for address in ("/items/#2/quantity", "/items/1/quantity"):
            assert session.field(address) == second.field("quantity")
        assert session.field("/items/0/address/city")["isValid"] is True
        assert [row.address for row in session.rows("/items/#4/lines")] == ["/items/#4/lines/#9"]
        assert session.rows("/items/#2/lines") == [] and session.rows("nothing") == []
        for address in ("/items/#3", "/items/2", "/items/-", "/items/#2/lines/#9", "/items/x"):
            assert session.field(address) == {}, address

    play(folder / "s", open_rows, client)


def test_rows_come_go_and_move_and_told_values_stay_with_their_rows(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        await open_rows(fake)

        async def expect(
            method: str, revision: int, patch: Any, result: Any, /, told: Any = None, **params: Any
        ) -> None:
            request = await fake.read()
            assert (request["method"], request["params"]) == (method, {"session": 1, **params})
            fake.update(revision - 1, revision, {"fields": {"items": patch}}, **(told or {}))
            fake.answer(request, {"revision": revision, **result})

        patch: Any = {"order": ["4", "5", "2"], "rows": {"5": {"isValid": True}}}
        told: Any = {"values": {"/items/#5/net": 5, "/items/#2/a": 7}}
        await expect("field/insert", 1, patch, {"row": "5"}, told, field="items", at="#2", value={"a": 3})
        patch, told = {"order": ["4", "5", "2", "6", "7"]}, {"values": {"/items/#7": {"a": 9}}}
        await expect("field/insert", 2, patch, {"rows": ["6", "7"]}, told, field="items", values=[{}, None])
        patch, told = {"order": ["4", "2", "6", "7"], "rows": {"5": None}}, {"absent": ["/items/#4", "/items/#77/a"]}
        await expect("field/remove", 3, patch, {}, told, field="/items/#5")
        await expect("field/move", 4, {"order": ["7", "4", "2", "6"]}, {}, field="/items/#7", to=0)
        await expect("field/move", 5, {"order": ["4", "7", "2", "6"]}, {}, field="/items/#7", to="#2")
        await expect("field/fail", 6, {}, {}, field="/items/#2/a", message="sold out")

    async def client(connected: Any) -> None:
        session = await connected.open("invoice")
        before = session.values
        assert await session.insert("items", {"a": 3}, at="2") == "5"
        assert session.values == {"items": [{"a": 1}, {"net": 5}, {"a": 7}], "other": [1, 2]}
        assert await session.insert_all("items", [{}, None]) == ["6", "7"]
        assert session.values["items"] == [{"a": 1}, {"net": 5}, {"a": 7}, None, {"a": 9}]
        assert await session.remove(session.rows("items")[1]) == 3
        assert session.values["items"] == [None, {"a": 7}, None, {"a": 9}]
        row = session.rows("items")[3]
        assert await session.move(row, 0) == 4
        assert await session.move(row, session.rows("items")[2]) == 5
        assert session.values["items"] == [None, {"a": 9}, {"a": 7}, None]
        assert await session.fail("/items/#2/a", "sold out") == 6
        assert before == {"items": [{"a": 1}, {"a": 2}], "other": [1, 2]}, "what was handed out stays as it was"

    play(folder / "s", server, client)
