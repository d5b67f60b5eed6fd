"""Rows of lists: their identity, their state, and everything that is done with them, from the wire to the tools."""

from __future__ import annotations

import asyncio
from typing import Any, Callable

import pytest

import harness
from harness import Backend, Daemon, formctl, formd

ABC = {"items": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}


def order(session: Any, field: str = "items") -> list[str]:
    return [row.id for row in session.rows(field)]


def codes(session: Any, address: str) -> list[str]:
    return [error["code"] for error in session.field(address)["errors"]]


def current(session: Any) -> Any:
    """The values as the daemon has them; the document that was kept must be the one that the daemon has."""
    answer = session.client.call("session/get", {"session": session.id})
    assert answer["document"] == session.document
    return answer["values"]


def test_rows_are_inserted_where_the_client_says(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        a, b, c = order(session)
        first = session.insert("items", {"name": "first"}, at=0)
        before_b = session.insert("items", {"name": "x", "count": 3}, at=b)
        last = session.insert("items")
        assert order(session) == [first, a, before_b, b, c, last]
        assert current(session)["items"] == [
            {"name": "first", "count": 1}, {"name": "a", "count": 1}, {"name": "x", "count": 3}, {"name": "b", "count": 1},
            {"name": "c", "count": 1}, {"count": 1},
        ]  # fmt: skip
        assert session.rows("items")[2].outputs == {"double": 6} and session.outputs == {"sum": 16, "most": 6}
        assert codes(session, f"/items/#{last}/name") == ["required"] and not session.field("items")["isValid"]
        assert not session.rows("items")[2].state["isDirty"] and session.field("items")["isDirty"]


def test_many_rows_come_in_one_turn(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        heard: list[Any] = []
        session.on_update(heard.append)
        made = session.insert_all("items", [{"name": "d"}, {"name": "e", "count": 5}], at=1)
        assert len(made) == 2 and len(heard) == 1 and heard[0].cause == "field/insert"
        a, *rest = order(session)
        assert rest[:2] == made and len(set(order(session))) == 5
        assert session.outputs["sum"] == 2 * (1 + 1 + 5 + 1 + 1)


def test_every_other_row_keeps_its_state(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        a, b, c = order(session)
        session.change(f"/items/#{b}/count", 0)
        session.blur(f"/items/#{b}/count")
        told = session.rows("items")[1].state
        assert codes(session, f"/items/#{b}/count") == ["minimum"] and told["isDirty"] and told["isTouched"]
        assert list(session.messages) == [f"/items/#{b}/count"]
        for change in (
            lambda: session.insert("items", {"name": "new"}, at=0),
            lambda: session.move(f"/items/#{b}", 0),
            lambda: session.move(f"/items/#{c}", b),
            lambda: session.remove(f"/items/#{a}"),
        ):
            change()
            [row] = [row for row in session.rows("items") if row.id == b]
            assert row.state == told and list(session.messages) == [f"/items/#{b}/count"]
        session.remove(f"/items/#{b}")
        assert session.messages == {} and session.is_valid
        assert current(session)["items"][0]["name"] == "c"


def test_a_patch_tells_of_one_row(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        a, b, c = order(session)
        heard: list[Any] = []
        session.on_update(lambda update: heard.append(update.patch))
        session.change(f"/items/#{b}/count", 4)
        assert list(heard[0]["fields"]["items"]["rows"]) == [b] and "order" not in heard[0]["fields"]["items"]
        session.move(f"/items/#{c}", 0)
        assert heard[1]["fields"]["items"]["order"] == [c, a, b]
        session.move(f"/items/#{c}", 0)
        session.move(f"/items/#{c}", "#" + c)
        assert len(heard) == 2, "a move to where the row stands is nothing"


def test_a_position_is_where_the_row_stands_now_and_the_place_behind_the_last_makes_one(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        a, b, c = order(session)
        session.move("/items/0", 2)
        assert order(session) == [b, c, a]
        session.change("/items/0/count", 7)
        assert session.field(f"/items/#{b}/count")["isDirty"]
        session.change("/items/-", {"name": "d"})
        assert len(order(session)) == 4 and order(session)[:3] == [b, c, a]
        session.remove("/items/3")
        assert order(session) == [b, c, a]


@pytest.mark.parametrize(
    ("method", "params", "code", "reason"),
    [
        ("field/change", {"field": "/items/#99/count", "value": 1}, 1004, None),
        ("field/change", {"field": "/items/#GONE/count", "value": 1}, 1004, "removed"),
        ("field/change", {"field": "/items/#INNER/count", "value": 1}, 1004, "moved"),
        ("field/change", {"field": "/items/9/count", "value": 1}, -32602, None),
        ("field/change", {"field": "/items/-/count/x", "value": 1}, -32602, None),
        ("field/change", {"values": {"/items/0/count": 5, "/items/9/count": 5}}, -32602, None),
        ("field/change", {"field": "/items/0/nothing", "value": 1}, 1004, None),
        ("field/insert", {"field": "items", "at": 4}, -32602, None),
        ("field/insert", {"field": "items", "at": -1}, -32602, None),
        ("field/insert", {"field": "items", "at": "#99"}, 1004, None),
        ("field/insert", {"field": "items", "at": "#GONE"}, 1004, "removed"),
        ("field/insert", {"field": "items", "at": "#INNER"}, 1004, "moved"),
        ("field/insert", {"field": "items", "value": {}, "values": [{}]}, -32602, None),
        ("field/insert", {"field": "items", "values": []}, -32602, None),
        ("field/insert", {"field": "limit"}, -32602, None),
        ("field/insert", {"field": "nothing"}, 1004, None),
        ("field/remove", {"field": "/items/3"}, -32602, None),
        ("field/remove", {"field": "/items/-"}, -32602, None),
        ("field/remove", {"field": "/items/#GONE"}, 1004, "removed"),
        ("field/move", {"field": "/items/#GONE", "to": 0}, 1004, "removed"),
        ("field/move", {"field": "/items/0", "to": 3}, -32602, None),
        ("field/move", {"field": "/items/0", "to": "#GONE"}, 1004, "removed"),
        ("field/move", {"field": "/items/0", "to": "#INNER"}, 1004, "moved"),
        ("field/move", {"field": "items", "to": 0}, -32602, None),
        ("field/focus", {"field": "/items/#GONE/name"}, 1004, "removed"),
        ("field/focus", {"field": "/items/-"}, -32602, None),
        ("field/blur", {"field": "/items/9"}, -32602, None),
        ("field/fail", {"field": "/items/-", "message": "x"}, -32602, None),
        ("field/fail", {"field": "/items/#GONE/name", "message": "x"}, 1004, "removed"),
    ],
)
def test_what_is_not_there_has_one_clear_answer_and_nothing_is_done(
    daemon: Daemon, method: str, params: dict[str, Any], code: int, reason: str | None
) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        session.remove("/items/#" + (gone := session.insert("items", {"name": "gone"})))
        inner = session.insert("/items/0/lines", {"text": "inner"})
        before = current(session)

        def named(value: Any) -> Any:
            return value.replace("GONE", gone).replace("INNER", inner) if isinstance(value, str) else value

        with pytest.raises(formd.RpcError) as refused:
            client.call(method, {"session": session.id, **{name: named(value) for name, value in params.items()}})
        assert refused.value.code == code and (refused.value.data or {}).get("reason") == reason
        assert current(session) == before, "a part of it was done"


@pytest.mark.parametrize(
    ("address", "closest"),
    [
        ("/items/#1/nam", "/items/#1/name"),
        ("/items/1/nam", "/items/1/name"),
        ("/items/#1/lines/#4/tex", "/items/#1/lines/#4/text"),
        ("/items/#1/lines/#99/text", "/items/#1/lines"),
        ("/items/#99/name", "items"),
        ("/items/*/name", "items"),
        ("/item/0/name", "/items/0/name"),
        ("/item/#1/lines/#4/text", "/items/#1/lines/#4/text"),
        ("items[0].name", "/items/0/name"),
        ("items.#1.name", "/items/#1/name"),
        ("items[9].name", "items"),
        ("/items/name", "items"),
        ("limits", "limit"),
    ],
)
def test_the_closest_address_is_one_that_can_be_sent(daemon: Daemon, address: str, closest: str) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        session.insert("/items/0/lines", {"text": "inner"})
        with pytest.raises(formd.UnknownField) as refused:
            session.change(address, "x")
        assert refused.value.data["closest"] == closest
        session.change(closest, None)


def test_more_rows_than_the_form_wants_are_an_error_and_more_than_the_daemon_keeps_are_refused(
    start: Callable[..., Daemon], backend: Backend
) -> None:
    daemon = start({**harness.configuration(backend), "limits": {"rowsMax": 10}})
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        session.insert_all("items", [{"name": name} for name in "defg"])
        assert codes(session, "items") == ["maxItems"] and len(order(session)) == 7
        before = current(session)
        for change in (
            lambda: session.insert_all("tags", ["aa", "bb", "cc", "dd"]),
            lambda: session.change("tags", ["aa", "bb", "cc", "dd"]),
            lambda: session.change({"tags": ["aa", "bb"], "/items/0/lines": [{}, {}]}),
            lambda: client.open("rows", values={"tags": ["aa"] * 11}),
        ):
            with pytest.raises(formd.QuotaExceeded) as refused:
                change()
            assert refused.value.data == {"limit": "rowsMax", "value": 10}
        assert current(session) == before
        session.insert_all("tags", ["aa", "bb", "cc"])
        assert len(order(session, "tags")) == 3
        # Rows that go make room for those that come.
        session.change("tags", ["dd", "ee", "ff"])
        session.change({"tags": [], "items": [{"name": name} for name in "hijklmnopq"]})
        assert len(order(session)) == 10
        with pytest.raises(formd.QuotaExceeded):
            session.change({"items": [], "/items": [{"name": name} for name in "abcdefghijk"]})


def test_lists_in_rows_and_lists_of_texts_have_rows(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        a, b, c = order(session)
        line = session.insert(f"/items/#{b}/lines", {"text": "x"})
        other = session.insert("/items/1/lines")
        assert [row.address for row in session.rows(f"/items/#{b}/lines")] == [
            f"/items/#{b}/lines/#{line}", f"/items/#{b}/lines/#{other}",
        ]  # fmt: skip
        assert codes(session, f"/items/#{b}/lines/#{line}/text") == ["minLength"]
        assert session.rows(f"/items/#{a}/lines") == []
        session.move(f"/items/#{b}/lines/#{other}", 0)
        session.change(f"/items/#{b}/lines/#{line}/text", "xx")
        assert session.is_valid
        short, empty = session.insert("tags", "t"), session.insert("tags")
        assert codes(session, f"/tags/#{short}") == ["minLength"] and codes(session, f"/tags/#{empty}") == []
        session.change(f"/tags/#{short}", "")
        assert session.is_valid and current(session)["tags"] == ["", ""], "an emptied row keeps its place"
        session.remove(f"/items/#{b}")
        with pytest.raises(formd.UnknownField) as refused:
            session.change(f"/items/#{b}/lines/#{line}/text", "late")
        assert refused.value.data["reason"] == "removed"


def test_a_whole_list_finds_its_rows_by_their_key(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        a, b, c = order(session)
        session.change(f"/items/#{b}/count", 9)
        session.change("items", [{"name": "c", "count": 1}, {"name": "new"}, {"name": "b", "count": 9}])
        now = order(session)
        assert (now[0], now[2]) == (c, b) and now[1] not in (a, b, c)
        assert session.rows("items")[2].state["isDirty"] and not session.rows("items")[1].state["isDirty"]
        session.change("/items/1/name", "b")
        assert codes(session, "/items/1/name") == [] and codes(session, "/items/2/name") == ["duplicate"]
        session.remove("/items/1")
        assert session.is_valid


def test_a_change_elsewhere_is_judged_in_every_row(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC, show="always") as session:
        a, b, c = order(session)
        session.change(f"/items/#{b}/count", 5)
        session.change("limit", 3)
        assert session.messages == {f"/items/#{b}/count": "Row 2 is over the limit."}
        session.move(f"/items/#{b}", 0)
        assert session.messages == {f"/items/#{b}/count": "Row 1 is over the limit."}
        assert session.tap("send").blockers[0]["field"] == f"/items/#{b}/count"


def test_a_check_belongs_to_its_row_wherever_it_moves(daemon: Daemon) -> None:
    async def scenario() -> None:
        asked: list[str] = []
        answer = asyncio.Event()

        async def stock(arguments: Any) -> Any:
            asked.append(arguments["item"])
            await answer.wait()
            return {"left": 0 if arguments["item"] == "nothing" else 1}

        async with formd.AsyncClient(str(daemon.path)) as client:
            await client.provider("stock", stock)
            session = await client.open("rows", values=ABC, show="always")
            a, b, c = order(session)
            await session.change({f"/items/#{a}/name": "nothing", f"/items/#{b}/name": "x", f"/items/#{c}/name": "y"})
            assert all(session.field(f"/items/#{row}/name")["isPending"] for row in (a, b, c))
            await session.insert("items", {"name": "z"}, at=0)
            await session.move(f"/items/#{a}", 3)
            await session.remove(f"/items/#{b}")
            answer.set()
            await session.wait_until(lambda session: not session.is_pending, timeout=harness.PATIENCE_SECONDS)
            assert session.messages == {f"/items/#{a}/name": "There is no such thing."}
            before = len(asked)
            await session.change(f"/items/#{c}/count", 2)
            await session.move(f"/items/#{c}", 0)
            assert not session.is_pending and len(asked) == before, "what has not changed is not asked again"
            await session.remove(f"/items/#{a}")
            assert session.messages == {}
            await client.withdraw_provider("stock")

    asyncio.run(scenario())


def test_a_client_can_say_itself_what_is_wrong(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        a, b, c = order(session)
        session.fail(f"/items/#{b}/name", "Sold out.")
        assert session.messages == {f"/items/#{b}/name": "Sold out."} and session.is_valid
        [error] = session.field(f"/items/#{b}/name")["errors"]
        assert (error["code"], error["source"]) == ("server", "server")
        session.move(f"/items/#{b}", 0)
        session.change(f"/items/#{b}/count", 3)
        assert list(session.messages) == [f"/items/#{b}/name"]
        session.change(f"/items/#{b}/name", "other")
        assert session.messages == {}
        session.fail("items", "Too few.")
        session.remove(f"/items/#{c}")
        assert session.messages == {}


def test_a_reset_keeps_the_rows_that_stay_and_tells_what_moved(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        a, b, c = order(session)
        session.change(f"/items/#{b}/count", 9)
        session.reset()
        assert order(session) == [a, b, c] and session.values["items"][1]["count"] == 1
        session.remove(f"/items/#{a}")
        session.reset()
        again, *rest = order(session)
        assert rest == [b, c] and again not in (a, b, c), "an identity is given once"
        assert session.values["items"] == current(session)["items"] and not session.is_dirty


def test_a_reset_tells_a_place_in_a_row_by_the_rows_identity(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        told: list[Any] = []
        session.on_update(lambda update: told.append((update.values, update.absent)))
        session.change({"/items/1/count": 9, "/items/0/lines": [{"text": "xx"}], "limit": 99})
        session.reset()
        assert told == [({}, ()), ({"/items/#2/count": 1}, ("limit", "/items/#1/lines"))]
        session.move("/items/#3", 0)
        session.reset()
        assert list(told[-1][0]) == ["items"] and told[-1][0]["items"] == current(session)["items"]


def test_a_hidden_row_keeps_its_place_and_does_not_count(daemon: Daemon) -> None:
    definition = {
        "schema": {"properties": {"hides": {"type": "boolean"}, "people": {"type": "array", "maxItems": 2, "items": {
            "properties": {"name": {"type": "string", "minLength": 2}}}}}},
        "fields": {"/people/*": {"visible": "values.hides != true"}},
        "outputs": {"/people/*/place": "index", "places": "outputs['/people/*/place']", "count": "size(values.people)"},
    }  # fmt: skip
    values = {"people": [{"name": name} for name in ("aa", "b", "cc")]}
    with formd.Client(str(daemon.path)) as client, client.open(definition=definition, values=values) as session:
        assert codes(session, "people") == ["maxItems"] and session.outputs == {"places": [0, 1, 2], "count": 3}
        session.change("hides", True)
        assert session.is_valid and session.outputs == {"places": [], "count": 0}
        assert order(session, "people") == ["1", "2", "3"] and not session.rows("people")[1].state["isVisible"]
        session.remove("/people/0")
        session.change("hides", None)
        assert codes(session, "/people/0/name") == ["minLength"] and session.outputs == {"places": [0, 1], "count": 2}


def test_an_emptied_row_keeps_its_place_and_has_no_error(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        session.change("/items/1", None)
        assert session.is_valid and order(session) == ["1", "2", "3"]
        assert current(session)["items"][1] is None and session.rows("items")[1].state["isEmpty"]
        session.change("/items/1/count", 2)
        assert codes(session, "/items/1/name") == ["required"]
        session.remove("/items/1/count")
        assert session.is_valid and order(session) == ["1", "2", "3"]


def test_updates_before_answers_whatever_is_done(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        session = connection.call("session/open", {"form": "rows"})["session"]
        params = {"session": session, "field": "items", "value": {"name": "a"}}
        assert connection.call("field/insert", params) == {"revision": 1, "row": "1"}
        params = {"session": session, "field": "items", "values": [{"name": "b"}, {}]}
        assert connection.call("field/insert", params) == {"revision": 2, "rows": ["2", "3"]}
        assert connection.call("field/remove", {"session": session, "field": "/items/#1"}) == {"revision": 3}
        assert connection.call("field/move", {"session": session, "field": "/items/#3", "to": 0}) == {"revision": 4}
        params = {"session": session, "field": "/items/#3/name", "message": "no"}
        assert connection.call("field/fail", params) == {"revision": 5}


def test_a_description_says_what_each_row_is(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        limit, items, tags = client.describe("rows")["fields"]
        assert "items" not in limit and (items["type"], tags["type"]) == ("array", "array")
        row = items["items"]
        assert (row["name"], row["address"], row["type"]) == ("*", "/items/*", "object")
        assert [(one["address"], one.get("initial")) for one in row["fields"]] == [
            ("/items/*/name", None), ("/items/*/count", 1), ("/items/*/lines", None),
        ]  # fmt: skip
        assert [one["address"] for one in row["fields"][2]["items"]["fields"]] == ["/items/*/lines/*/text"]
        assert (tags["items"]["address"], tags["items"]["type"]) == ("/tags/*", "string")
        assert client.describe("rows")["outputs"] == ["sum", "most", "/items/*/double"]


def test_tools_name_rows_by_their_position_in_the_file(daemon: Daemon) -> None:
    values = '{"items": [{"name": "a"}, {"count": 0, "name": "b", "lines": [{"text": "x"}]}]}'
    told = formctl("validate", "--socket", daemon.path, "rows", standard_input=values)
    assert told.returncode == 1
    assert [line.split(" ")[1].rstrip(":") for line in told.stdout.splitlines()] == [
        "/items/1/count", "/items/1/lines/0/text",
    ]  # fmt: skip


def test_formctl_plays_rows(daemon: Daemon) -> None:
    lines = [
        'items+={"name":"a"}', "items+=", "/items/#2/name=b", "move /items/#2 0", "items-=#1", "fail /items/0/name Taken.",
        "show",
    ]  # fmt: skip
    told = formctl("run", "--socket", daemon.path, "rows", standard_input="\n".join(lines) + "\n")
    assert told.returncode == 0, told.stderr
    assert '"order":["2"]' in told.stdout
    assert ["messages./items/#2/name", '"Taken."'] in [line.split() for line in told.stdout.splitlines()]
    told = formctl("run", "--socket", daemon.path, "rows", standard_input="items-=#7\n")
    assert told.returncode == 2 and "items" in told.stderr


def test_an_invoice_is_sent_and_what_the_server_says_stands_at_its_rows(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("invoice", locale="en") as session:
        assert codes(session, "items") == ["minItems"]
        session.change("customer", "Kim")
        paper = session.insert("items", {"sku": "A-1", "quantity": 2, "unitPrice": 12.5})
        brushes = session.insert("items", {"sku": "A-3", "quantity": 7, "unitPrice": 0.1})
        assert [row.outputs["net"] for row in session.rows("items")] == [25, 0.7]
        assert session.outputs["total"] == 25.7 and session.outputs["count"] == 2
        refused = session.tap("send", wait=True, timeout=harness.PATIENCE_SECONDS).event
        assert (refused.kind, refused.error) == ("failed", "invalid")
        place = f"/items/#{brushes}/quantity"
        assert session.messages[place] == "Only 3 are left." and session.is_valid
        session.move(f"/items/#{brushes}", 0)
        assert session.messages[place] == "Only 3 are left."
        session.change(place, 3)
        assert place not in session.messages
        sent = session.tap("send", wait=True, timeout=harness.PATIENCE_SECONDS).event
        assert sent.kind == "succeeded" and isinstance(sent.result["id"], int)
        # The rows move while the server thinks: the positions in its answer count the rows that were sent to it.
        session.change({"customer": "slow-200", place: 8})
        heard: list[Any] = []
        session.on_event(heard.append)
        assert session.tap("send").outcome == "started"
        session.move(f"/items/#{brushes}", 1)
        session.insert("items", {"sku": "A-2", "unitPrice": 1}, at=0)
        session.wait_until(lambda _: bool(heard), timeout=harness.PATIENCE_SECONDS)
        assert heard[0].error == "invalid" and session.messages == {place: "Only 3 are left."}
        session.remove("/items/0")
        session.move(f"/items/#{brushes}", 0)
        session.change({"customer": "Kim", place: 3})
        session.change(f"/items/#{paper}/sku", "A-9")
        refused = session.tap("send", wait=True, timeout=harness.PATIENCE_SECONDS).event
        assert refused.kind == "rejected"
        assert [(one["field"], one["code"]) for one in refused.blockers] == [(f"/items/#{paper}/sku", "sku.unknown")]
        session.change(f"/items/#{paper}/sku", "A-3")
        assert codes(session, f"/items/#{paper}/sku") == ["duplicate"]


def test_an_invoice_has_fifty_rows_at_most(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("invoice", values={"customer": "Kim"}) as session:
        rows = session.insert_all("items", [{"sku": f"A-{number}", "unitPrice": 1} for number in range(51)])
        assert codes(session, "items") == ["maxItems"] and session.outputs["total"] == 51
        session.remove(f"/items/#{rows[0]}")
        assert codes(session, "items") == [] and session.outputs["total"] == 50


def test_an_incomplete_row_of_an_invoice_has_no_net_and_is_no_fault(start: Callable[..., Daemon]) -> None:
    daemon = start()
    rows = [{"sku": "A-1", "quantity": 2, "unitPrice": 12.5}, {"sku": "A-2"}, {"unitPrice": 4, "quantity": None}, {}]
    with formd.Client(str(daemon.path)) as client, client.open("invoice", values={"items": rows}) as session:
        assert [row.outputs.get("net") for row in session.rows("items")] == [25, None, None, None]
        assert session.outputs["total"] == 25 and session.outputs["count"] == 4
        session.change("/items/1/unitPrice", 3)
        assert session.rows("items")[1].outputs["net"] == 3 and session.outputs["total"] == 28
        for address, value in [
            ("/items/0/quantity", "two"), ("/items/0/quantity", 1.5), ("/items/0/unitPrice", "much"), ("/items/0", None),
            ("/items/0/quantity", 2), ("/items/0", "a text"), ("/items/0", 5), ("items", [None, 7, {"quantity": []}]),
            ("items", "no list"), ("items", None),
        ]:  # fmt: skip
            session.change(address, value)
            assert not session.rows("items") or "net" not in session.rows("items")[0].outputs, (address, value)
        session.insert("items", at=0)
        assert session.outputs["total"] == 0
    assert daemon.end() == 0 and "run-time error" not in daemon.output, daemon.output


def test_an_identity_alone_removes_nothing(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("rows", values=ABC) as session:
        row = session.insert("items", {"name": "d"})
        for identity in (row, "#" + row):
            with pytest.raises(ValueError, match=f"remove a row by its address, such as '/items/#{row}'"):
                session.remove(identity)
        session.remove(f"/items/#{row}")
