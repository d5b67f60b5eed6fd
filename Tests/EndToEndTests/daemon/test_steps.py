"""A form in steps: the signup wizard, live, and by every tool."""

from __future__ import annotations

from typing import Any

import pytest

from harness import PATIENCE_SECONDS, Daemon, formctl, formd
from test_forms import live

ACCOUNT = {"email": "wizard@example.com", "password": "long enough 1"}
PROFILE = {"name": "Kim", "country": "KR", "address": {"street": "Sejong-daero 1", "city": "Seoul", "postalCode": "03000"}}


def outcome(session: Any, action: str) -> Any:
    return session.tap(action, wait=True, timeout=PATIENCE_SECONDS)


def test_no_page_opens_red_and_next_is_about_its_page_alone(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        assert session.step == "account" and list(session.steps) == ["account", "profile", "newsletter"]
        refused = (await outcome(session, "toProfile")).event
        assert [(blocker["field"], blocker["code"]) for blocker in refused.blockers] == [
            ("email", "required"), ("password", "required"),
        ]  # fmt: skip
        assert set(session.messages) == {"email", "password"}
        await session.change(ACCOUNT)
        # The check of the email is pending from the keystroke on; the tap waits for it and then goes through.
        tap = await session.tap("toProfile")
        assert tap.outcome == "held" and session.steps["account"]["isPending"]
        event = await session.next_event("toProfile", "succeeded", timeout=PATIENCE_SECONDS)
        assert event.blockers is None or not event.blockers
        await session.show_step("profile")
        assert session.step == "profile" and session.messages == {}, "the next page opens without a message"
        refused = (await outcome(session, "toNewsletter")).event
        assert {blocker["field"] for blocker in refused.blockers} == {
            "name", "country", "/address/street", "/address/city", "/address/postalCode",
        }  # fmt: skip
        assert session.steps["newsletter"]["isValid"] and not session.steps["newsletter"]["isTouched"]

    live(daemon, "signup", story)


def test_a_page_with_a_taken_email_is_left_by_nobody(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        await session.change({**ACCOUNT, "email": "kim@example.com"})
        refused = (await outcome(session, "toProfile")).event
        assert [(blocker["field"], blocker["code"]) for blocker in refused.blockers] == [("email", "email.taken")]
        assert session.messages == {"email": "That address is taken."}

    live(daemon, "signup", story, locale="en")


def test_going_back_checks_nothing_and_a_page_that_became_invalid_says_so(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        await session.change({**ACCOUNT, **PROFILE})
        assert (await outcome(session, "toProfile")).event.kind == "succeeded"
        assert (await outcome(session, "toNewsletter")).event.kind == "succeeded"
        await session.show_step("newsletter")
        await session.change("/newsletter/isWanted", True)
        assert not session.steps["newsletter"]["isValid"] and session.outputs["doneCount"] == 2
        await session.show_step("account")
        assert session.step == "account" and session.messages == {}
        await session.change("password", "short 1", commit=True)
        assert not session.steps["account"]["isValid"] and session.steps["profile"]["isValid"]
        # The whole form's tap reveals what is wrong on every page.
        refused = (await outcome(session, "signUp")).event
        assert [blocker["field"] for blocker in refused.blockers] == ["password", "/newsletter/frequency"]
        assert set(session.messages) == {"password", "/newsletter/frequency"}
        await session.change({"password": ACCOUNT["password"], "/newsletter/frequency": "monthly"})
        assert session.is_valid and session.outputs["doneCount"] == 3

    live(daemon, "signup", story)


def test_fields_depend_on_the_country_and_what_is_hidden_is_not_sent(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        await session.change({**ACCOUNT, "email": "us@example.com", **PROFILE, "country": "US"})
        assert session.field("/address/state")["isVisible"] and not session.steps["profile"]["isValid"]
        await session.change({"/address/state": "ny", "/address/postalCode": "10001-1234"})
        assert session.steps["profile"]["isValid"]
        await session.change("country", "DE")
        assert not session.field("/address/state")["isVisible"]
        assert [error["code"] for error in session.field("/address/postalCode")["errors"]] == ["postalCode.other"]
        await session.change("/address/postalCode", "10115")
        done = (await outcome(session, "signUp")).event
        assert done.kind == "succeeded" and done.message == "Welcome."
        again = (await outcome(session, "signUp")).event
        assert (again.kind, again.error) == ("failed", "taken")
        assert session.messages == {"email": "That address is taken."} and not session.steps["account"]["isPending"]

    live(daemon, "signup", story, locale="en")


@pytest.mark.parametrize(
    ("step", "data"),
    [("acount", {"step": "acount", "closest": "account"}), ("zzz", {"step": "zzz"})],
)
def test_a_step_that_is_none_cannot_be_shown(daemon: Daemon, step: str, data: dict[str, str]) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("signup") as session:
        with pytest.raises(formd.UnknownStep) as refused:
            session.show_step(step)
        assert refused.value.code == 1008 and refused.value.data == data
        assert session.step == "account"


def test_a_reset_goes_back_to_the_first_step_unless_it_keeps_the_values(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("signup") as session:
        session.show_step("profile")
        session.reset(keep_values=True)
        assert session.step == "profile"
        session.reset()
        assert session.step == "account"


def test_a_form_is_described_with_its_steps(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        steps = client.describe("signup", locale="en")["steps"]
        assert steps[1] == {"id": "profile", "label": "Profile", "fields": ["name", "country", "address"]}
        assert "steps" not in client.describe("login")


WIZARD: dict[str, Any] = {
    "form": "wizard",
    "schema": {"type": "object", "properties": {name: {"type": "string", "maxLength": 9} for name in ("a", "b", "c")}},
    "steps": [{"id": name, "fields": [name]} for name in ("a", "b", "c")],
    "actions": {"next": {"scope": "a"}, "save": {"scope": "b"}, "go": {"scope": "b"}, "end": {"scope": "c"}, "send": {}},
}


def test_the_description_of_an_action_says_which_step_it_leads_to(daemon: Daemon) -> None:
    def leads(description: Any) -> dict[str, Any]:
        return {action["name"]: action.get("leadsTo") for action in description["actions"]}

    with formd.Client(str(daemon.path)) as client:
        assert leads(client.describe("signup")) == {"toProfile": "profile", "toNewsletter": "newsletter", "signUp": None}
        # Of two actions of one page, it is unknown which one ends the page. The last page's action ends the form.
        assert leads(client.describe(definition=WIZARD)) == {"next": "b", "save": None, "go": None, "end": None, "send": None}


def test_formctl_goes_from_step_to_step(daemon: Daemon) -> None:
    lines = ["email=new@example.com", "password=long enough 1", "tap toProfile", "wait", "step profile", "step nowhere"]
    run = formctl("run", "signup", "--socket", daemon.path, standard_input="\n".join(lines))
    assert run.returncode == 2 and "nowhere" in run.stderr
    assert "* toProfile succeeded" in run.stdout and "step" in run.stdout and "profile" in run.stdout
