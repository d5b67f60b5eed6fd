"""A field that a server checks while it is typed: pending, stale answers, taps that wait, failures."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from harness import PATIENCE_SECONDS, Daemon, formd
from test_forms import live


def settled(session: Any) -> bool:
    return not session.is_pending


def test_a_check_is_pending_from_the_keystroke_and_ends_valid(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        await session.change("email", "new@example.com")
        assert session.is_pending and session.field("email")["isPending"]
        assert not session.is_valid, "valid while nobody has asked yet"
        await session.wait_until(settled, PATIENCE_SECONDS)
        assert session.is_valid and session.action("join")["isEnabled"]

    live(daemon, "registration", story)


def test_values_given_at_the_opening_are_checked_before_anything_is_sent(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        assert not session.is_pending, "nobody has touched it, and nobody has tapped"
        event = (await session.tap("join", wait=True, timeout=PATIENCE_SECONDS)).event
        assert event.kind == "rejected" and [blocker["code"] for blocker in event.blockers] == ["taken"]
        assert session.messages == {"email": "That address is taken."}

    live(daemon, "registration", story, values={"email": "kim@example.com"})


def test_a_taken_address_is_an_error_shown_at_blur(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        await session.focus("email")
        await session.change("email", "kim@example.com")
        await session.wait_until(settled, PATIENCE_SECONDS)
        [error] = session.field("email")["errors"]
        assert (error["code"], error["source"]) == ("taken", "check")
        assert "email" not in session.messages, "shown while it is being typed"
        await session.blur("email")
        assert session.messages == {"email": "That address is taken."}
        tap = await session.tap("join")
        assert tap.outcome == "rejected"
        assert [(blocker["field"], blocker["code"]) for blocker in tap.blockers] == [("email", "taken")]

    live(daemon, "registration", story)


def test_a_check_waits_until_the_rules_hold(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        await session.change("email", "kim")
        assert not session.is_pending, "asked the server about what a rule refuses"
        assert [error["code"] for error in session.field("email")["errors"]] == ["email.shape"]

    live(daemon, "registration", story)


def test_a_stale_answer_is_never_shown(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        codes: set[str] = set()
        session.on_update(
            lambda update: codes.update(error["code"] for error in session.field("email").get("errors", ()))
        )
        # The slow one is a bare local part and would come back as not available, after the fast one.
        await session.change("email", "slow-600@nowhere")
        await session.wait_until(lambda s: s.is_pending, PATIENCE_SECONDS)
        await asyncio.wait_for(session.client.call("server/ping"), PATIENCE_SECONDS)
        await session.change("email", "new@example.com")
        await session.wait_until(settled, PATIENCE_SECONDS)
        assert session.is_valid
        # By now the slow answer is due as well: a second check takes longer than what is left of it.
        await session.change("email", "slow-700@example.com")
        await session.wait_until(settled, PATIENCE_SECONDS)
        assert session.is_valid and codes == set()

    live(daemon, "registration", story)


def test_a_tap_while_a_check_is_pending_is_held_and_fires_when_it_ends(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        await session.change("email", "slow-200@example.com")
        tap = await session.tap("join")
        assert tap.outcome == "held"
        event = await session.next_event("join", timeout=PATIENCE_SECONDS)
        assert event.kind == "succeeded"
        await session.change("email", "kim@example.com")
        result = await session.tap("join", wait=True, timeout=PATIENCE_SECONDS)
        assert result.event.kind == "rejected", "a tap went through although the address is taken"

    live(daemon, "registration", story)


@pytest.mark.parametrize("email", ["hangup@example.com", "garbage@example.com"])
def test_a_check_that_fails_blocks_and_the_next_tap_tries_again(daemon: Daemon, email: str) -> None:
    async def story(session: Any) -> None:
        await session.change("email", email)
        await session.wait_until(settled, PATIENCE_SECONDS)
        assert not session.is_valid and session.action("join")["isEnabled"], "only a tap can ask again"
        assert (await session.tap("join", wait=True, timeout=PATIENCE_SECONDS)).event.kind == "rejected"
        await session.change("email", "new@example.com")
        await session.wait_until(settled, PATIENCE_SECONDS)
        assert session.is_valid

    live(daemon, "registration", story)


def test_an_untouched_form_asks_nothing(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        assert not session.is_pending

    live(daemon, "registration", story, values={"email": "kim@example.com"})
    with formd.Client(str(daemon.path)) as client:
        assert client.validate("registration", {"email": "kim@example.com"}) is not None
