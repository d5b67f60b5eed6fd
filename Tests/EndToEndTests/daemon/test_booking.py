"""The booking form on the example server, relative to the date of the test."""

from __future__ import annotations

import json
import sqlite3
import uuid
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from harness import EXAMPLES, PATIENCE_SECONDS, Backend, Daemon, formctl, formd
from test_forms import live

CODE_OF_KIM = "519387"


def day(days: int) -> str:
    """The date so many days from today, in UTC."""
    return str(datetime.now(timezone.utc).date() + timedelta(days=days))


def stay(**others: Any) -> dict[str, Any]:
    """Values that book a stay of three nights, in ten days, with a title that is not booked yet."""
    return {
        "title": f"Stay {uuid.uuid4().hex}", "arrival": day(10), "departure": day(13), "guests": "2", "born": "1990-05-01",
        "email": "kim@example.com", "code": CODE_OF_KIM, **others,
    }  # fmt: skip


def codes(session: Any, field: str) -> list[str]:
    return [error["code"] for error in session.field(field)["errors"]]


def settled(session: Any) -> bool:
    return not session.is_pending


async def outcome(session: Any, action: str) -> Any:
    return (await session.tap(action, wait=True, timeout=PATIENCE_SECONDS)).event


def test_a_stay_is_booked_and_kept(daemon: Daemon, backend: Backend) -> None:
    async def story(session: Any) -> None:
        await session.change(stay())
        slug = session.values["slug"]
        assert slug.startswith("stay-") and session.values["nights"] == 3
        assert session.outputs["total"] == 194.7
        assert not session.is_pending, "nobody has touched the slug"
        booked = await outcome(session, "book")
        assert (booked.kind, booked.message) == ("succeeded", "Booked.")
        # A second tap: by now the slug is taken, but the session still has it as free.
        refused = await outcome(session, "book")
        assert (refused.kind, refused.error) == ("failed", "refused")
        assert session.messages == {"slug": "That address is taken."}
        # In another session the server says so before.
        other = await session.client.open("booking", locale="en", values=stay(slug=slug))
        rejected = await outcome(other, "book")
        assert [(blocker["field"], blocker["code"]) for blocker in rejected.blockers] == [("slug", "slug.taken")]
        assert other.outputs["slugHelp"] == f"{slug}-2 is free."
        await other.change("slug", f"{slug}-2")
        assert (await outcome(other, "book")).kind == "succeeded"

    live(daemon, "booking", story, locale="en")


@pytest.mark.parametrize(
    ("values", "field", "code"),
    [
        ({"arrival": day(-1)}, "arrival", "arrival.past"),
        ({"departure": day(10)}, "departure", "departure.order"),
        ({"departure": day(41)}, "departure", "departure.long"),
        ({"departure": day(40)}, "departure", None),
        ({"born": day(10 - 17 * 365)}, "born", "born.adult"),
        ({"guests": "7"}, "guests", "maximum"),
        ({"guests": "two"}, "guests", "type"),
        ({"code": "12 345"}, "code", "pattern"),
        ({"slug": "-x-"}, "slug", "pattern"),
    ],
)
def test_a_value_is_judged_by_the_date_of_today(daemon: Daemon, values: Any, field: str, code: Any) -> None:
    with formd.Client(str(daemon.path)) as client:
        with client.open("booking", values=stay(**values), zone="UTC") as session:
            assert codes(session, field) == ([code] if code else [])
            assert session.is_valid is (code is None)


def test_a_code_is_sent_again_when_the_clock_has_counted_down(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        assert not session.action("sendCode")["isEnabled"]
        await session.change("email", "kim@example.com")
        assert session.action("sendCode")["isEnabled"], "the rest of the form is no matter"
        sent = await outcome(session, "sendCode")
        assert (sent.kind, sent.message) == ("succeeded", "The code is sent to kim@example.com.")
        assert not session.action("sendCode")["isEnabled"] and session.outputs["codeHelp"].startswith("Send again in ")
        left = session.outputs["secondsLeft"]
        assert 0 < left <= 30
        # Nobody sends anything: the clock does.
        await session.wait_until(lambda s: s.outputs["secondsLeft"] < left, PATIENCE_SECONDS)

    live(daemon, "booking", story, locale="en")


@pytest.mark.parametrize(
    ("locale", "wrong", "taken"),
    [
        ("ko", "보내 드린 인증 번호가 아닙니다.", "이미 사용 중인 주소입니다."),
        ("en", "That is not the code that was sent.", "That address is taken."),
    ],
)
def test_what_the_server_refuses_stands_at_its_fields_until_they_change(
    daemon: Daemon, locale: str, wrong: str, taken: str
) -> None:
    values = stay(code="123 456")

    async def story(session: Any) -> None:
        free = await outcome(session, "book")
        assert (free.kind, session.messages) == ("failed", {"code": wrong})
        # Another client books that slug in between.
        async with formd.AsyncClient(str(daemon.path)) as other:
            theirs = await other.open("booking", values={**values, "code": CODE_OF_KIM})
            assert (await outcome(theirs, "book")).kind == "succeeded"
        await outcome(session, "book")
        assert session.messages == {"code": wrong, "slug": taken}
        assert session.is_valid and session.action("book")["isEnabled"], "a server's error blocks"
        await session.change("code", CODE_OF_KIM)
        assert session.messages == {"slug": taken}
        await session.change("slug", session.values["slug"] + "-too")
        await session.wait_until(settled, PATIENCE_SECONDS)
        assert session.messages == {}
        assert (await outcome(session, "book")).kind == "succeeded"

    live(daemon, "booking", story, locale=locale, values=values)


def test_a_slug_that_cannot_be_looked_up_is_a_warning_in_the_forms_words(daemon: Daemon) -> None:
    words = "We cannot look this up now. We will when you book."

    async def story(session: Any) -> None:
        await session.change({"slug": "status-500"}, commit=True)
        await session.wait_until(settled, PATIENCE_SECONDS)
        [warning] = session.field("slug")["errors"]
        assert (warning["code"], warning["severity"], warning["message"]) == ("slug.free", "warning", words)
        assert session.is_valid and session.messages["slug"] == words

    live(daemon, "booking", story, locale="en", values=stay())


@pytest.mark.parametrize(("title", "error"), [("status-500", "serverError"), ("garbage", "badBody"), ("hangup", "error")])
def test_any_other_failure_marks_nothing(daemon: Daemon, title: str, error: str) -> None:
    async def story(session: Any) -> None:
        failed = await outcome(session, "book")
        assert (failed.kind, failed.message) == ("failed", "That did not work. Please try again.")
        assert failed.error == error and session.messages == {} and session.is_valid

    live(daemon, "booking", story, locale="en", values=stay(title=title, slug=f"s-{uuid.uuid4().hex}"))


def test_the_session_of_its_readme_goes_as_it_says(daemon: Daemon) -> None:
    lines = (EXAMPLES / "booking" / "README.md").read_text(encoding="utf-8").splitlines()
    lines = [line.strip() for line in lines if line.startswith("    ") and not line.startswith("    $")]
    run = formctl("run", "booking", "--locale", "en", "--socket", daemon.path, standard_input="\n".join(lines) + "\n")
    assert run.returncode == 0, run.stdout + run.stderr
    for words in (
        '= slug  "spring-in-seoul"', '"That address is taken."', '"spring-in-seoul-2 is free."', "= nights  3",
        "* sendCode succeeded: The code is sent to kim@example.com.", '"That is not the code that was sent."',
        "* book failed: Look at the marked fields, please.", "* book succeeded: Booked.",
    ):  # fmt: skip
        assert words in run.stdout, words


def test_a_database_from_before_gets_the_table_and_keeps_its_rows(folder: Path) -> None:
    path = folder / "before.sqlite"
    with closing(sqlite3.connect(path)) as before:
        before.execute("CREATE TABLE feedback (id INTEGER PRIMARY KEY, type TEXT, message TEXT, email TEXT, created TEXT)")
        before.execute("INSERT INTO feedback (type, message) VALUES ('bug', 'It was here before.')")
        before.commit()
    backend = Backend(path)
    with urlopen(f"{backend.url}/slugs?slug=spring-in-seoul") as answer:
        assert json.load(answer) == {"available": False, "instead": "spring-in-seoul-2"}
    assert backend.end() == 0
    with closing(sqlite3.connect(path)) as after:
        assert after.execute("SELECT message FROM feedback").fetchall() == [("It was here before.",)]
        assert after.execute("SELECT count(*) FROM users").fetchone() == (3,)
