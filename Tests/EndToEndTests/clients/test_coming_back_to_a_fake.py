"""How the Python client comes back after it lost its connection: the requests that it repeats, the requests that it
does not repeat, and the errors when it cannot come back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from fake import DOCUMENT, Fake, play
from harness import formd

EVENT = {"action": "login", "kind": "succeeded"}


async def failure(call: Any) -> BaseException:
    """The error with which a call fails."""
    try:
        answer = await call
    except formd.FormdError as error:
        return error
    raise AssertionError(f"it did not fail but answered {answer!r}")


def test_what_may_be_done_twice_is_sent_again_in_order_and_the_rest_is_reported(folder: Path) -> None:
    again = [
        ("field/change", {"field": "a", "value": 1}),
        ("field/blur", {"field": "a"}),
        ("field/change", {"values": {"b": 2, "/items/#7/x": 3}, "commit": True}),
        ("field/focus", {"field": "/items/#7/x"}),
        ("field/fail", {"field": "b", "message": "sold out"}),
        ("step/show", {"step": "two"}),
        ("session/setLocale", {"locale": "ko"}),
        ("session/reset", {}),
    ]

    async def first(fake: Fake) -> None:
        await fake.open(key="K")
        for _ in range(14):
            await fake.read()

    async def second(fake: Fake) -> None:
        await fake.attach(0, session=7)
        for number, (method, params) in enumerate(again):
            request = await fake.read()
            assert (request["method"], request["params"]) == (method, {"session": 7, **params})
            fake.answer(request, {"revision": 10 + number})
        fake.answer(await fake.read(), "pong")

    async def client(connected: Any) -> None:
        session = await connected.open("login", keep="10m")
        returned = asyncio.Event()
        connected.on_reconnect(returned.set)
        repeated = [
            session.change("a", 1), session.blur("a"), session.change({"b": 2, "/items/#7/x": 3}, commit=True),
            session.focus("/items/#7/x"), session.fail("b", "sold out"), session.show_step("two"),
            session.set_locale("ko"), session.reset(),
        ]  # fmt: skip
        others = {
            "action/tap": session.tap("login", wait=True),
            "field/insert": session.insert("items"),
            "field/remove": session.remove("/items/#7"),
            "field/move": session.move("/items/#7", 0),
            "field/change": session.change("/items/0/x", 3),
            "field/blur": session.blur("/items/-"),
        }
        tasks = [asyncio.ensure_future(one) for one in [*repeated, *others.values()]]
        for method, task in zip(others, tasks[len(repeated):]):
            error = await failure(task)
            assert type(error) is formd.OutcomeUnknown and error.method == method
            assert str(error).startswith(f"{method}: the daemon may have executed it")
            assert session.id == 7 and session.revision == 5, "the session is current when the caller is told"
        assert await asyncio.gather(*tasks[: len(repeated)]) == [10 + number for number in range(len(again))]
        await returned.wait()
        assert await connected.ping() == "pong" and session.is_open and connected.sessions == {7: session}

    play(folder / "s", [first, second], client)


def test_calls_that_are_made_meanwhile_go_out_behind_what_is_sent_again(folder: Path) -> None:
    lost, asked = asyncio.Event(), asyncio.Event()

    async def first(fake: Fake) -> None:
        await fake.open(key="K")
        await fake.read()

    async def second(fake: Fake) -> None:
        # It is refused once, so that the client is away for some time.
        attach = await fake.read()
        lost.set()
        await asked.wait()
        fake.refuse(attach, 1011, limit="attachesMax", retryAfterMs=1)
        ping = await fake.read()
        assert ping["method"] == "server/ping", "what is of no session does not wait for one"
        fake.answer(ping, "pong")
        await fake.attach(0)
        for value in (1, 2, 3):
            change = await fake.read()
            assert change["params"]["value"] == value
            fake.answer(change, {"revision": 5 + value})
        tap = await fake.read()
        assert tap["method"] == "action/tap", "one that was not sent before is"
        fake.answer(tap, {"revision": 9, "outcome": "started"})

    async def client(connected: Any) -> None:
        session = await connected.open("login", keep="10m")
        changes = [asyncio.ensure_future(session.change("a", 1))]
        await lost.wait()
        changes += [asyncio.ensure_future(session.change("a", 2)), asyncio.ensure_future(session.change("a", 3))]
        tap = asyncio.ensure_future(session.tap("login", timeout=20))
        abandoned = asyncio.ensure_future(session.change("a", 4))
        ping = asyncio.ensure_future(connected.ping())
        await asyncio.sleep(0)
        abandoned.cancel()
        with pytest.raises(ValueError, match="Out of range float values are not JSON compliant"):
            await session.change("a", float("nan"))
        asked.set()
        assert await ping == "pong"
        assert await asyncio.gather(*changes) == [6, 7, 8]
        assert (await tap).outcome == "started"

    play(folder / "s", [first, second], client)


def test_missed_events_are_told_once_in_order_and_the_document_is_replaced(folder: Path) -> None:
    async def first(fake: Fake) -> None:
        await fake.open(key="K")
        change = await fake.read()
        fake.update(0, 1, {"isDirty": True}, events=[{"seq": 1, **EVENT}])
        fake.answer(change, {"revision": 1})

    async def second(fake: Fake) -> None:
        await fake.attach(
            1, revision=9, document={"isValid": True}, values={"email": "x"}, isMigrated=True, eventsLost=2,
            events=[{"seq": 4, **EVENT}, {"seq": 5, **EVENT}],
        )  # fmt: skip
        fake.update(9, 10, {"isPending": True}, events=[{"seq": 6, **EVENT}])
        fake.answer(await fake.read(), "pong")

    async def third(fake: Fake) -> None:
        await fake.attach(6, revision=11, eventsLost=3)

    async def fourth(fake: Fake) -> None:
        await fake.attach(9, revision=12)
        fake.answer(await fake.read(), "pong")

    async def client(connected: Any) -> None:
        session = await connected.open("login", keep="10m")
        heard: list[int] = []
        causes: list[Any] = []
        session.on_event(lambda event: heard.append(event.seq))
        session.on_update(lambda update: causes.append(update.cause))
        await session.change("a", 1)
        await session.wait_until(lambda s: s.revision == 10, 20)
        assert session.document == {"isValid": True, "isPending": True}
        assert session.values == {"email": "x"} and session.is_migrated
        assert [event.seq for event in session.missed_events] == [4, 5]
        assert await connected.ping() == "pong"
        await session.wait_until(lambda s: s.revision == 12, 20)
        assert heard == [1, 4, 5, 6] and session.events_lost == 5 and session.last_event == 9
        assert causes == ["effect", "resync", "effect", "resync", "resync"]
        assert session.document == DOCUMENT and session.values == {} and not session.is_migrated
        assert await connected.ping() == "pong"

    play(folder / "s", [first, second, third, fourth], client)


def test_sessions_may_get_each_others_numbers(folder: Path) -> None:
    async def first(fake: Fake) -> None:
        await fake.open(key="A")
        await fake.open(key="B", session=2)
        await fake.open(session=3)

    async def second(fake: Fake) -> None:
        await fake.attach(0, "A", session=2, values={"is": "A"})
        await fake.attach(0, "B", session=1, values={"is": "B"})
        fake.update(5, 6, {"isValid": "B's"})
        describe = await fake.read()
        assert describe["params"] == {"session": 2, "locale": "ko"}
        fake.answer(describe, {"form": "login"})

    async def client(connected: Any) -> None:
        one, other = await connected.open("login", keep="10m"), await connected.open("login", keep="10m")
        ends: list[str] = []
        (await connected.open("login")).on_closed(ends.append)
        await other.wait_until(lambda s: s.revision == 6, 20)
        assert (one.id, one.values, other.id, other.values) == (2, {"is": "A"}, 1, {"is": "B"})
        assert other.document["isValid"] == "B's" and one.document["isValid"] is False
        assert connected.sessions == {1: other, 2: one}
        assert ends == ["the daemon closed the connection; the session was not kept"]
        assert await one.describe("ko") == {"form": "login"}

    play(folder / "s", [first, second], client)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (1001, "no longer has it"),
        (1012, "could not be attached again: No (1012)"),
        (1014, "could not be attached again: No (1014)"),
    ],
)
def test_a_session_that_cannot_be_attached_is_closed_and_says_why(folder: Path, code: int, words: str) -> None:
    async def first(fake: Fake) -> None:
        await fake.open(key="K")
        await fake.read()
        await fake.read()
        await fake.read()

    async def second(fake: Fake) -> None:
        fake.refuse(await fake.read(), code)
        fake.answer(await fake.read(), "pong")

    async def client(connected: Any) -> None:
        session = await connected.open("login", keep="10m")
        ends: list[str] = []
        session.on_closed(ends.append)
        connected.on_reconnect(lambda: ends.append("reconnected"))
        change, tap, close = map(
            asyncio.ensure_future, [session.change("a", 1), session.tap("login"), session.close()]
        )  # fmt: skip
        assert type(await failure(change)) is formd.SessionClosed
        assert type(await failure(tap)) is formd.OutcomeUnknown
        assert await close is None, "it is closed"
        assert await connected.ping() == "pong"
        assert len(ends) == 2 and words in ends[0] and ends[1] == "reconnected"
        with pytest.raises(formd.SessionClosed, match="it"):
            await session.wait_until(lambda _: False)

    play(folder / "s", [first, second], client)


@pytest.mark.parametrize("reason", ["store", "lost"])
def test_a_session_that_the_daemon_could_not_store_or_lost_is_attached_again_over_the_same_connection(
    folder: Path, reason: str
) -> None:
    async def server(fake: Fake) -> None:
        await fake.open(key="K")
        change, tap = await fake.read(), await fake.read()
        fake.refuse(change, -32800, reason="sessionClosed")
        fake.refuse(tap, -32800, reason="sessionClosed")
        fake.write({"method": "session/closed", "params": {"session": 1, "reason": reason}})
        fake.refuse(await fake.read(), 1011, limit="store", retryAfterMs=1)
        await fake.attach(0, session=2, revision=1)
        again = await fake.read()
        assert again["id"] != change["id"] and again["params"] == {"session": 2, "field": "a", "value": 1}
        # The answer to the first request does not matter now.
        fake.refuse(change, 1001)
        fake.answer(again, {"revision": 2})
        tap = await fake.read()
        fake.refuse(tap, -32800, reason="sessionClosed")
        fake.write({"method": "session/closed", "params": {"session": 2, "reason": "closed"}})
        fake.answer(await fake.read(), "pong")

    async def client(connected: Any) -> None:
        session = await connected.open("login", keep="10m")
        returns: list[str] = []
        connected.on_reconnect(lambda: returns.append("never"))
        change, tap = asyncio.ensure_future(session.change("a", 1)), asyncio.ensure_future(session.tap("login"))
        assert type(await failure(tap)) is formd.OutcomeUnknown
        assert await change == 2 and session.is_open and session.id == 2
        refusal = await failure(session.tap("login"))
        assert type(refusal) is formd.RequestCancelled and session.closed_reason == "closed"
        assert await connected.ping() == "pong"
        assert returns == [], "the connection was not lost"

    play(folder / "s", server, client)


def test_a_session_that_was_taken_at_another_daemon_is_closed_and_not_taken_back(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        await fake.open(key="K")
        change, tap = await fake.read(), await fake.read()
        fake.refuse(change, -32800, reason="sessionClosed")
        fake.refuse(tap, -32800, reason="sessionClosed")
        fake.write({"method": "session/closed", "params": {"session": 1, "reason": "moved"}})
        ping = await fake.read()
        assert ping["method"] == "server/ping", "it does not fight for the session"
        fake.answer(ping, "pong")

    async def client(connected: Any) -> None:
        session = await connected.open("login", keep="10m")
        change, tap = asyncio.ensure_future(session.change("a", 1)), asyncio.ensure_future(session.tap("login"))
        closed, unknown = await failure(change), await failure(tap)
        assert type(closed) is formd.SessionClosed and closed.reason == "moved"
        assert type(unknown) is formd.OutcomeUnknown and unknown.method == "action/tap"
        assert session.closed_reason == "moved" and not session.is_open
        assert await connected.ping() == "pong" and connected.sessions == {}

    play(folder / "s", server, client)


def test_a_session_is_taken_from_another_daemon_when_the_program_says_so(folder: Path) -> None:
    async def server(fake: Fake) -> None:
        request = await fake.read()
        assert request["params"] == {"key": "K", "seq": 0}
        fake.refuse(request, 1014, instance="5f0c")
        request = await fake.read()
        assert request["params"] == {"key": "K", "seq": 0, "take": True}
        state = {"session": 1, "form": "login", "revision": 5, "document": DOCUMENT, "values": {}, "events": [], "eventsLost": 0}
        fake.answer(request, state)

    async def client(connected: Any) -> None:
        with pytest.raises(formd.AttachedElsewhere) as refused:
            await connected.attach("K")
        assert refused.value.instance == "5f0c" and refused.value.code == 1014
        session = await connected.attach("K", take=True)
        assert session.is_open and session.key == "K"

    play(folder / "s", server, client)


def test_providers_and_the_watch_of_the_forms_are_there_again(folder: Path) -> None:
    async def register(fake: Fake) -> Any:
        request = await fake.read()
        assert (request["method"], request["params"]) == ("provider/register", {"name": "stock", "token": "T"})
        return request

    async def first(fake: Fake) -> None:
        fake.answer(await register(fake), None)
        gone = await fake.read()
        fake.answer(gone, None)
        fake.answer(await fake.read(), None)
        watch = await fake.read()
        assert watch["method"] == "forms/watch"
        fake.answer(watch, {"forms": ["a"], "problems": []})
        fake.write({"id": 1, "method": "provider/evaluate", "params": {"name": "stock", "arguments": "never answered"}})

    async def second(fake: Fake) -> None:
        fake.answer(await fake.read(), {"forms": ["a", "b"], "problems": []})
        # The daemon has not seen yet that the first connection has ended.
        fake.refuse(await register(fake), 1007)
        fake.answer(await register(fake), None)
        fake.write({"id": 1, "method": "provider/evaluate", "params": {"name": "stock", "arguments": 7}})
        answer = await fake.read()
        assert (answer["id"], answer["result"]) == (1, {"left": 7})

    async def client(connected: Any) -> None:
        returned, forms = asyncio.Event(), []
        connected.on_reconnect(returned.set)
        connected.on_forms_changed(lambda params: forms.append(params["forms"]))

        async def stock(arguments: Any) -> Any:
            if arguments == "never answered":
                await asyncio.Event().wait()
            return {"left": arguments}

        await connected.provider("stock", stock, token="T")
        await connected.provider("gone", stock)
        await connected.withdraw_provider("gone")
        assert (await connected.watch_forms())["forms"] == ["a"]
        await returned.wait()
        assert forms == [["a", "b"]]

    play(folder / "s", [first, second], client)


def test_a_provider_may_be_withdrawn_while_another_is_registered_again(folder: Path) -> None:
    waiting, others = asyncio.Queue(), {"one", "two"}

    async def first(fake: Fake) -> None:
        for _ in range(2):
            fake.answer(await fake.read(), None)

    async def second(fake: Fake) -> None:
        again = await fake.read()
        others.remove(again["params"]["name"])
        waiting.put_nowait(*others)
        unregister = await fake.read()
        assert unregister["method"] == "provider/unregister"
        fake.refuse(unregister, 1006)
        fake.answer(again, None)
        fake.answer(await fake.read(), "pong")

    async def client(connected: Any) -> None:
        returned = asyncio.Event()
        connected.on_reconnect(returned.set)
        for name in ("one", "two"):
            await connected.provider(name, lambda arguments: arguments)
        await connected.withdraw_provider(await waiting.get())
        await returned.wait()
        await connected.ping()

    play(folder / "s", [first, second], client)


def test_an_input_that_ends_every_connection_is_sent_three_times(folder: Path) -> None:
    async def first(fake: Fake) -> None:
        await fake.open(key="K")
        await fake.read()

    async def next_one(fake: Fake) -> None:
        await fake.attach(0)
        assert (await fake.read())["method"] == "field/change"

    async def last(fake: Fake) -> None:
        await fake.attach(0)
        fake.answer(await fake.read(), "pong")

    async def client(connected: Any) -> None:
        session = await connected.open("login", keep="10m")
        assert type(await failure(session.change("a", "poison"))) is formd.OutcomeUnknown
        assert await connected.ping() == "pong" and session.is_open

    play(folder / "s", [first, next_one, next_one, last], client)


def test_requests_of_no_session_are_sent_again_where_they_may_be(folder: Path) -> None:
    async def first(fake: Fake) -> None:
        await fake.open(key="K")
        for _ in range(6):
            await fake.read()

    async def second(fake: Fake) -> None:
        requests = [await fake.read() for _ in range(4)]
        assert [request["method"] for request in requests] == ["form/list", "session/open", "session/attach", "session/attach"]
        assert [request["params"].get("key") for request in requests[2:]] == ["L", "K"]
        fake.answer(requests[0], {"forms": []})
        state = {"revision": 0, "document": DOCUMENT, "values": {}, "events": [], "eventsLost": 0}
        for session, request in enumerate(requests[1:], 10):
            fake.answer(request, {"session": session, **state})

    async def client(connected: Any) -> None:
        await connected.open("login", keep="10m")
        calls = [
            connected.forms(), connected.open("login"), connected.attach("L"),
            connected.open("login", keep="10m"), connected.attach("M", rotate=True), connected.call("x/later", {}),
        ]  # fmt: skip
        tasks = [asyncio.ensure_future(call) for call in calls]
        for task in tasks[3:]:
            assert type(await failure(task)) is formd.OutcomeUnknown
        assert await tasks[0] == {"forms": []}
        assert [(await task).id for task in tasks[1:3]] == [10, 11]

    play(folder / "s", [first, second], client)


def test_who_attaches_by_hand_meanwhile_gets_the_session_that_there_is(folder: Path) -> None:
    lost, asked = asyncio.Event(), asyncio.Event()

    async def first(fake: Fake) -> None:
        await fake.open(key="K")
        ping = await fake.read()
        fake.update(0, 1, {}, events=[{"seq": 1, **EVENT}])
        fake.answer(ping, "pong")

    async def second(fake: Fake) -> None:
        attach = await fake.read()
        lost.set()
        await asked.wait()
        fake.refuse(attach, 1011, retryAfterMs=1)
        await fake.attach(0, session=4, events=[{"seq": 1, **EVENT}, {"seq": 2, **EVENT}])
        fake.answer(await fake.read(), "pong")

    async def client(connected: Any) -> None:
        session = await connected.open("login", keep="10m")
        heard: list[int] = []
        session.on_event(lambda event: heard.append(event.seq))
        assert await connected.ping() == "pong"
        await lost.wait()
        attaching = asyncio.ensure_future(connected.attach("K"))
        await asyncio.sleep(0)
        asked.set()
        assert await attaching is session and session.id == 4
        assert heard == [1, 2] and session.missed_events == ()
        assert await connected.ping() == "pong" and connected.sessions == {4: session}

    play(folder / "s", [first, second], client)


@pytest.mark.parametrize("why", ["impatient", "ended by somebody", "nothing to come back to"])
def test_it_does_not_come_back_where_it_should_not(folder: Path, why: str) -> None:
    async def server(fake: Fake) -> None:
        await fake.open(key="K")
        await fake.read()
        if why == "ended by somebody":
            fake.write({"id": None, "error": {"code": 1013, "message": "A client has ended this connection"}})
        if why == "nothing to come back to":
            fake.write({"method": "session/closed", "params": {"session": 1, "reason": "draining"}})

    async def client(connected: Any) -> None:
        session = await connected.open("login", keep="10m")
        ends: list[str] = []
        connected.on_closed(lambda: ends.append("connection"))
        session.on_closed(lambda reason: ends.append(str(reason)))
        error = await failure(connected.ping())
        assert type(error) is formd.ConnectionLost
        if why == "ended by somebody":
            assert str(error) == "the daemon closed the connection: A client has ended this connection (1013)"
        assert ends == ["draining" if why == "nothing to come back to" else str(error), "connection"]
        with pytest.raises(formd.ConnectionLost):
            await connected.ping()

    play(folder / "s", server, client, patience=0 if why == "impatient" else 30)


def test_its_patience_ends_with_an_error_that_says_what_was_tried(folder: Path) -> None:
    path = folder / "s"

    async def server(fake: Fake) -> None:
        await fake.open(key="K")
        await fake.read()
        await fake.read()
        path.unlink()

    async def client(connected: Any) -> None:
        session = await connected.open("login", keep="10m")
        ends: list[str] = []
        connected.on_closed(lambda: ends.append("connection"))
        connected.on_reconnect(lambda: ends.append("never"))
        change, tap = asyncio.ensure_future(session.change("a", 1)), asyncio.ensure_future(session.tap("login"))
        error = await failure(change)
        assert type(error) is formd.ConnectionLost
        assert "could not be restored; the client tried for 0.2 s; the last error: no daemon at" in str(error)
        assert type(await failure(tap)) is formd.OutcomeUnknown
        assert session.closed_reason == str(error) and ends == ["connection"] and not connected.is_connected

    play(path, server, client, patience=0.2)


def test_a_session_that_waits_for_too_long_ends_alone(folder: Path) -> None:
    async def first(fake: Fake) -> None:
        await fake.open(key="A")
        await fake.open(key="B", session=2)

    async def second(fake: Fake) -> None:
        while (request := await fake.read())["method"] == "session/attach":
            if request["params"]["key"] == "A":
                fake.refuse(request, 1011, limit="store", retryAfterMs=1)
            else:
                state = {"revision": 0, "document": DOCUMENT, "values": {}, "events": [], "eventsLost": 0}
                fake.answer(request, {"session": 2, **state})
        fake.answer(request, "pong")

    async def client(connected: Any) -> None:
        one, other = await connected.open("login", keep="10m"), await connected.open("login", keep="10m")
        ended = asyncio.Event()
        one.on_closed(lambda _: ended.set())
        await ended.wait()
        assert one.closed_reason is not None and "tried for 0.3 s; the last error: No (1011)" in one.closed_reason
        assert other.is_open and await connected.ping() == "pong"

    play(folder / "s", [first, second], client, patience=0.3)


def test_closing_the_client_ends_its_tries(folder: Path) -> None:
    lost = asyncio.Event()

    async def first(fake: Fake) -> None:
        await fake.open(key="K")

    async def second(fake: Fake) -> None:
        assert (await fake.read())["method"] == "session/attach"
        lost.set()
        while await fake.read() is not None:
            pass

    async def client(connected: Any) -> None:
        session = await connected.open("login", keep="10m")
        await lost.wait()
        waiting = asyncio.ensure_future(session.change("a", 1))
        await asyncio.sleep(0)
        await connected.close()
        assert type(await failure(waiting)) is formd.ConnectionLost
        assert not session.is_open and session.closed_reason == "the connection was closed"

    play(folder / "s", [first, second], client)
