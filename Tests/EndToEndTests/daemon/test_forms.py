"""The other example forms against the real server: join, nickname, search and feedback."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any, Callable

import pytest

import harness
from harness import EXAMPLES, PATIENCE_SECONDS, Daemon, formd, live


# Tests of all five forms

FIVE = {
    "login": (["email", "password"], "login", "이메일을 입력해주세요"),
    "join": (["email"], "check", "사용할 이메일을 입력해주세요"),
    "nickname": (["nickname"], "next", "닉네임을 입력해주세요"),
    "search": (["term", "page"], "search", "앱 이름을 입력해주세요"),
    "feedback": (["type", "message", "email"], "send", "의견을 들려주세요"),
}
"""The fields and the action of each, and the placeholder of its first text."""

ASKING = {
    "login": ("login", lambda first: {"email": f"{first}@example.com", "password": "x"}),
    "join": ("check", lambda first: {"email": f"{first}@example.com"}),
    "search": ("search", lambda first: {"term": first}),
    "feedback": ("send", lambda first: {"type": "bug", "message": first}),
}
"""The action of each that asks a server, and values for which the server does what their first part says."""


@pytest.mark.parametrize("form", FIVE)
def test_each_keeps_its_name_its_fields_and_its_action_and_is_one_file_with_its_cases(
    daemon: Daemon, form: str
) -> None:
    assert [path.name for path in sorted((EXAMPLES / form).iterdir())] == [
        "README.md", f"{form}.form.json", f"{form}.test.json",
    ]  # fmt: skip
    with formd.Client(str(daemon.path)) as client:
        fields, action, placeholder = FIVE[form]
        [listed] = [one for one in client.forms()["forms"] if one["form"] == form]
        assert (listed["fields"], listed["actions"]) == (fields, [action])
        korean, english = client.describe(form, "ko"), client.describe(form, "en")
        for described in (korean, english):
            assert [field["name"] for field in described["fields"]] == fields
            assert all(field["label"] for field in described["fields"]) and described["actions"][0]["label"]
        texts = [field["placeholder"] for field in korean["fields"] if "placeholder" in field]
        assert texts[0] == placeholder
        assert all(one["label"] != other["label"] for one, other in zip(korean["fields"], english["fields"]))


def test_login_has_a_placeholder_for_the_password_and_a_title_for_the_button(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        described = client.describe("login", "ko")
        assert described["fields"][1]["placeholder"] == "비밀번호를 입력해주세요"
        assert described["actions"] == [{"name": "login", "label": "로그인"}]


def test_feedback_has_titles_for_its_options(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        for locale, titles in (
            ("ko", ["문제 신고", "제안", "칭찬", "기타"]),
            ("en", ["Something is broken", "An idea", "Praise", "Something else"]),
        ):
            options = client.describe("feedback", locale)["fields"][0]["options"]
            assert [option["value"] for option in options] == ["bug", "idea", "praise", "other"]
            assert [option["label"] for option in options] == titles


@pytest.mark.parametrize("form", FIVE)
def test_a_first_empty_text_is_no_edit(daemon: Daemon, form: str) -> None:
    with daemon.connect() as connection:
        opened = connection.call("session/open", {"form": form})
        for field in FIVE[form][0]:
            # A page has a default, so to empty it is an edit.
            if field in opened["values"]:
                continue
            answer, before = connection.exchange("field/change", {"field": field, "value": ""})
            assert (answer["result"], before) == ({"revision": 0}, [])


@pytest.mark.parametrize("form", ASKING)
def test_404_and_503_are_failures_with_texts_of_their_own(daemon: Daemon, form: str) -> None:
    action, values = ASKING[form]
    asked = [("status-404", "notFound"), ("status-503", "serverError"), ("status-500", "serverError"), ("hangup", None)]

    async def story(session: Any) -> None:
        texts = []
        for first, error in asked:
            await session.change(values(first))
            # A tap that its throttle holds back has no event: the answer of the one that is let through is waited for.
            before = session.action(action)["attempts"]
            await session.tap(action)
            await session.wait_until(
                lambda s: s.action(action)["attempts"] > before and not s.action(action)["isLoading"], PATIENCE_SECONDS
            )
            state = session.action(action)
            assert state["error"] == error or error is None and state["error"], first
            texts.append(state["message"])
        assert len(set(texts)) == len(texts) and all(texts), texts

    for locale in ("ko", "en"):
        live(daemon, form, story, locale=locale)


SHAPES = [[], None, 5, "text", {}, {"name": 5, "message": ["x"], "apps": {}}, {"name": None, "message": None}]


@pytest.mark.parametrize("shape", SHAPES, ids=json.dumps)
def test_an_answer_of_another_shape_is_a_failure_with_a_text_and_no_fault(
    start: Callable[..., Daemon], shape: Any
) -> None:
    mocks = {"accounts": 200, "catalog": 200, "feedback": 201, "books": 201}
    services = {name: {"mock": [{"status": status, "json": shape}]} for name, status in mocks.items()}
    daemon = start({"services": services})

    async def story(session: Any) -> None:
        await session.change(values("kim"))
        event = (await session.tap(action, wait=True, timeout=PATIENCE_SECONDS)).event
        assert (event.kind, event.error, event.message) == (
            "failed", "unexpected", "서버의 답을 이해할 수 없습니다.",
        )  # fmt: skip

    for form, (action, values) in ASKING.items():
        live(daemon, form, story, locale="ko")
    assert daemon.end() == 0 and "run-time error" not in daemon.output


# join


def test_join_asks_the_server_and_a_failure_ends_nothing(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        assert session.outputs == {"isTextValid": False, "messageColor": "label"}
        for email, available, color in [
            ("new@example.com", True, "systemBlue"),
            ("kim@example.com", False, "systemRed"),
            ("status-500@example.com", None, "systemOrange"),
            ("garbage@example.com", None, "systemOrange"),
            ("other@example.com", True, "systemBlue"),
        ]:
            await session.change("email", email)
            result = await session.tap("check", wait=True, timeout=PATIENCE_SECONDS)
            assert result.event.kind == ("failed" if available is None else "succeeded"), (email, result)
            if available is not None:
                assert result.event.result == {"available": available}
                assert session.action("check")["message"]
            assert session.outputs["messageColor"] == session.outputs["borderColor"] == color, email
            assert session.outputs["isTextValid"] is True

    live(daemon, "join", story)


def test_join_throttles_taps_and_the_last_one_asks_with_the_text_as_it_then_stands(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        answers: list[Any] = []
        session.on_event(answers.append)
        await session.change("email", "new@example.com")
        assert (await session.tap("check")).outcome == "started"
        await session.change("email", "nobody@example.com")
        assert (await session.tap("check")).outcome != "started"
        await session.change("email", "kim@example.com")
        await session.wait_until(lambda s: sum(e.kind == "succeeded" for e in answers) == 2, PATIENCE_SECONDS)
        results = [event.result["available"] for event in answers if event.kind == "succeeded"]
        assert results == [True, False], "the second tap asked for an older text"
        assert session.action("check")["attempts"] == 2

    live(daemon, "join", story)


@pytest.mark.parametrize("form", ["join", "feedback"])
@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("@.", False), ("a.b@c", False), ("kim@x.y", False), ("kim@example.c0m", False), ("kim", False), ("김@example.com", False),
        ("kim@x.yz", True), ("kim@example.com", True), ("KIM+1%_-.@a-b.c.DE", True), ("write to kim@example.com, please", True),
        ("<kim@example.com>", True),
    ],
)  # fmt: skip
def test_what_an_email_is_is_found_anywhere_in_the_text(daemon: Daemon, form: str, text: str, valid: bool) -> None:
    with formd.Client(str(daemon.path)) as client, client.open(form, values={"email": text}) as session:
        errors = [error["code"] for error in session.field("email")["errors"]]
        if form == "join":
            assert session.outputs["isTextValid"] is valid and errors == []
        else:
            assert errors == ([] if valid else ["email.shape"])


def test_join_takes_an_answer_that_has_only_a_message_and_keeps_the_old_one_until_then(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        await session.change("email", "kim@example.com")
        await session.tap("check", wait=True, timeout=PATIENCE_SECONDS)
        old = session.action("check")["message"]
        assert (old, session.outputs["borderColor"]) == ("이미 사용 중인 이메일입니다.", "systemRed")
        seen: list[Any] = []

        def look(_: Any) -> None:
            state = session.action("check")
            seen.append((state["isLoading"], state["message"], session.outputs["borderColor"]))

        session.on_update(look)
        # The throttle may hold the tap back for the rest of its second.
        await session.change("email", "brief@example.com")
        await session.tap("check")
        await session.wait_until(lambda s: s.action("check")["attempts"] == 2, PATIENCE_SECONDS)
        await session.wait_until(lambda s: not s.action("check")["isLoading"], PATIENCE_SECONDS)
        new = "사용할 수 있는 이메일입니다."
        assert seen == [(True, old, "label"), (False, new, "label")]
        assert "available" not in session.action("check")["result"]

    live(daemon, "join", story, locale="ko")


def test_taps_that_the_throttle_swallows_push_nothing(start: Callable[..., Daemon], folder: Path) -> None:
    text = (EXAMPLES / "join" / "join.form.json").read_text(encoding="utf-8")
    slow = text.replace('"every": "1s"', '"every": "1h"')
    assert slow != text
    (folder / "forms").mkdir()
    (folder / "forms" / "join.form.json").write_text(slow, encoding="utf-8")
    daemon = start(forms=folder / "forms")
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "join", "values": {"email": "kim@example.com"}})
        connection.call("action/tap", {"action": "check", "await": True})
        # Each waits for the end of the hour, until the next one replaces it.
        for _ in range(3):
            answer, before = connection.exchange("action/tap", {"action": "check"})
            assert (answer["result"], before) == ({"revision": 2, "outcome": "held"}, [])
        connection.send(harness.request("waits", "action/tap", {"action": "check", "await": True}))
        connection.send(harness.request("next", "action/tap", {"action": "check"}))
        swallowed, before = connection.read_until_answer("waits")
        assert (swallowed["result"], before) == ({"revision": 2, "outcome": "dropped"}, [])
        last, before = connection.read_until_answer("next")
        assert (last["result"], before) == ({"revision": 2, "outcome": "held"}, [])


# nickname


def test_nickname_counts_what_people_call_characters(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        assert session.outputs["helperText"] == "닉네임은 8자 이상입니다"
        assert not session.action("next")["isEnabled"]
        for text, valid in [
            ("일곱글자입니다", False),
            ("여덟글자입니다요", True),
            ("닉네임", False),  # decomposed it would be 8 code points
            ("\u1102\u1175\u11a8\u1102\u1166\u110b\u1175\u11b7", False),
            ("👨‍👩‍👧‍👦" * 7, False),
            ("👨‍👩‍👧‍👦" * 8, True),
            ("eight888", True),
            (" seven7", False),
            (" eight88", True),
            ("        ", True),
        ]:
            await session.change("nickname", text)
            assert session.is_valid is valid, text
            assert session.action("next")["isEnabled"] is valid
            assert (session.outputs["helperText"] == "") is valid
            assert session.outputs["isHelperHidden"] is valid
            assert session.outputs["buttonColor"] == ("systemRed" if valid else "lightGray")
            assert ("nickname" in session.messages) is not valid
        first = await session.tap("next", wait=True, timeout=PATIENCE_SECONDS)
        second = await session.tap("next", wait=True, timeout=PATIENCE_SECONDS)
        assert [first.event.kind, second.event.kind] == ["succeeded"] * 2 and first.event.seq < second.event.seq
        await session.change("nickname", "short")
        rejected = await session.tap("next")
        assert rejected.outcome == "rejected"
        assert [(blocker["field"], blocker["code"]) for blocker in rejected.blockers] == [
            ("nickname", "nickname.length")
        ]

    live(daemon, "nickname", story, locale="ko")


def test_nickname_says_what_is_wrong_in_its_helper(daemon: Daemon) -> None:
    for locale, text in (("ko", "닉네임은 8자 이상입니다"), ("en", "A nickname has at least eight characters.")):
        with formd.Client(str(daemon.path)) as client, client.open("nickname", locale=locale) as session:
            assert session.outputs == {"helperText": text, "isHelperHidden": False, "buttonColor": "lightGray"}
            session.change("nickname", "여덟 글자예요.")
            assert session.outputs == {"helperText": "", "isHelperHidden": True, "buttonColor": "systemRed"}


# search


def test_search_loads_pages_fails_and_goes_on(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        event = (await session.tap("search", wait=True, timeout=PATIENCE_SECONDS)).event
        assert (event.kind, event.result["total"]) == ("succeeded", 16), "an empty term was not searched for"
        await session.change("term", "notes")
        loading: list[bool] = []
        session.on_change("/actions/search/isLoading", lambda change: loading.append(change.value))
        event = (await session.tap("search", wait=True, timeout=PATIENCE_SECONDS)).event
        assert event.kind == "succeeded" and len(event.result["apps"]) == 5
        assert loading == [True, False]
        assert session.outputs == {"count": 5, "isEmpty": False, "hasMore": True}
        await session.change("page", 2)
        event = (await session.tap("search", wait=True, timeout=PATIENCE_SECONDS)).event
        assert session.outputs == {"count": 7, "isEmpty": False, "hasMore": False}
        names = [app["name"] for app in event.result["apps"]]
        assert len(set(names)) == 7, "a page twice"
        event = (await session.tap("search", wait=True, timeout=PATIENCE_SECONDS)).event
        assert len(event.result["apps"]) == 7, "the same page twice"

        await session.change("term", "tea")
        event = (await session.tap("search", wait=True, timeout=PATIENCE_SECONDS)).event
        assert (event.result["page"], session.outputs["count"]) == (1, 2), "pages of two terms are mixed"

        await session.change({"term": "status-500", "page": 1})
        event = (await session.tap("search", wait=True, timeout=PATIENCE_SECONDS)).event
        assert (event.kind, event.error) == ("failed", "serverError")
        assert session.outputs["count"] == 2, "a failure took the results away"

        await session.change("term", "zzz")
        event = (await session.tap("search", wait=True, timeout=PATIENCE_SECONDS)).event
        assert event.kind == "succeeded"
        assert session.outputs == {"count": 0, "isEmpty": True, "hasMore": False}
        assert "error" not in session.action("search")

    live(daemon, "search", story)


def test_a_stale_search_is_superseded_and_never_shown(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        events: list[tuple[str, Any]] = []
        session.on_event(lambda event: events.append((event.kind, (event.result or {}).get("term"))))
        await session.change("term", "slow-700")
        await session.tap("search")
        await session.change("term", "steep")
        await session.tap("search")
        await session.wait_until(lambda s: not s.action("search")["isLoading"], PATIENCE_SECONDS)
        assert events == [("superseded", None), ("succeeded", "steep")]
        assert [app["name"] for app in session.action("search")["result"]["apps"]] == ["Tea Timer"]

    live(daemon, "search", story)


def test_a_search_that_takes_too_long_is_cancelled(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        events: list[str] = []
        session.on_event(lambda event: events.append(event.kind))
        await session.change("term", "slow-700")
        await session.tap("search")
        assert session.action("search")["isLoading"] is True
        await session.cancel("search")
        assert session.action("search")["isLoading"] is False
        await session.change("term", "steep")
        event = (await session.tap("search", wait=True, timeout=PATIENCE_SECONDS)).event
        assert event.kind == "succeeded"
        assert events == ["cancelled", "succeeded"]

    live(daemon, "search", story)


# feedback


def test_the_texts_of_its_two_errors_begin_with_a_star(daemon: Daemon) -> None:
    for locale, message, email in (
        ("ko", "*내용을 입력해주세요.", "*이메일 형식이 아닙니다."),
        ("en", "*Please write something.", "*That is not an email address."),
    ):
        options = {"locale": locale, "values": {"email": "a.b@c"}, "show": "always"}
        with formd.Client(str(daemon.path)) as client, client.open("feedback", **options) as session:
            assert (session.messages["message"], session.messages["email"]) == (message, email)


def test_feedback_shows_each_error_when_its_policy_says(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        assert session.messages == {} and not session.action("send")["isEnabled"]
        for field in ("type", "message", "email"):
            assert await session.change(field, "") == 0, "a first empty text is an edit"
        await session.focus("message")
        await session.blur("message")
        assert session.messages == {}, "an error before the first edit"
        await session.change("message", "hello")
        await session.wait_until(lambda s: s.field("message")["isDirty"], PATIENCE_SECONDS)
        await session.change("message", "")
        await session.wait_until(lambda s: "message" in s.messages, PATIENCE_SECONDS)
        await session.change("message", "hello again")
        await session.blur("message")
        assert "message" not in session.messages

        await session.focus("email")
        await session.change("email", "kim")
        assert "email" not in session.messages, "an error while it is being typed"
        await session.blur("email")
        assert "email" in session.messages
        await session.focus("email")
        await session.change("email", "kim@example.com")
        await session.wait_until(lambda s: "email" not in s.messages, PATIENCE_SECONDS)
        await session.change("email", "kim@")
        await session.wait_until(lambda s: not s.field("email")["isValid"], PATIENCE_SECONDS)
        assert "email" not in session.messages, "it came back before the end of editing"
        await session.blur("email")
        assert "email" in session.messages
        await session.change("email", "", commit=True)
        assert "email" not in session.messages and session.field("email")["isValid"], "an optional email was required"

        assert not session.action("send")["isEnabled"], "no type is chosen yet"
        await session.change("type", "complaint")
        assert not session.field("type")["isValid"]
        await session.change("type", "idea")
        assert session.action("send")["isEnabled"]

    live(daemon, "feedback", story)


def test_feedback_sends_fails_and_sends_again(daemon: Daemon, scratch: Path) -> None:
    async def story(session: Any) -> None:
        await session.change({"type": "bug", "message": "status-500", "email": ""})
        event = (await session.tap("send", wait=True, timeout=PATIENCE_SECONDS)).event
        assert (event.kind, event.error) == ("failed", "serverError")
        await session.change({"message": "It 쿄 works", "email": "kim@example.com"})
        first = (await session.tap("send", wait=True, timeout=PATIENCE_SECONDS)).event
        second = (await session.tap("send", wait=True, timeout=PATIENCE_SECONDS)).event
        assert [first.kind, second.kind] == ["succeeded", "succeeded"]
        assert second.result["id"] == first.result["id"] + 1
        database = sqlite3.connect(scratch / "example.sqlite")
        rows = database.execute("SELECT type, message, email FROM feedback ORDER BY id DESC LIMIT 2").fetchall()
        database.close()
        assert rows == [("bug", "It 쿄 works", "kim@example.com")] * 2

    live(daemon, "feedback", story)


@pytest.mark.parametrize("form", ["login", "join", "nickname", "search", "feedback"])
def test_after_a_reset_a_session_is_as_new(daemon: Daemon, form: str) -> None:
    async def story(session: Any) -> None:
        fresh = session.document
        field = next(iter(fresh["fields"]))
        await session.change(field, "x", commit=True)
        assert session.is_dirty
        await session.reset()
        assert session.document == fresh
        assert session.revision == 2

    live(daemon, form, story)
