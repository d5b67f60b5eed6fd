"""The payment form: alternatives, each with its own fields, errors and secrets."""

from __future__ import annotations

from typing import Any

import pytest

from harness import EXAMPLES, PATIENCE_SECONDS, Daemon, formctl, formd
from test_forms import live

CARD = {"kind": "card", "holder": "Kim", "number": "4242 4242 4242 4242", "expiry": "08/29", "cvc": "123"}
ACCOUNT = {"kind": "account", "holder": "Kim", "iban": "DE89 3704 0044 0532 0130 00"}


def errors(session: Any) -> dict[str, list[str]]:
    """The codes of all errors, by address."""
    addresses = ["amount", "method", *(f"/method/{name}" for name in session.field("method")["fields"])]
    found = {address: [error["code"] for error in session.field(address)["errors"]] for address in addresses}
    return {address: codes for address, codes in found.items() if codes}


def visible(session: Any) -> list[str]:
    return [name for name, field in session.field("method")["fields"].items() if field["isVisible"]]


def test_what_is_missing_is_missing_at_the_fields_of_the_kind_that_was_chosen(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("payment", locale="en") as session:
        assert visible(session) == ["kind", "holder"]
        assert errors(session) == {
            "amount": ["required"], "method": ["oneOf"], "/method/kind": ["required"], "/method/holder": ["required"],
        }  # fmt: skip
        session.change({"amount": 25, "/method/holder": "Kim"})
        session.change("/method/kind", "card")
        assert visible(session) == ["kind", "holder", "number", "expiry", "cvc"]
        assert errors(session) == {f"/method/{name}": ["required"] for name in ("number", "expiry", "cvc")}
        session.change("/method/kind", "account")
        assert visible(session) == ["kind", "holder", "iban"]
        assert errors(session) == {"/method/iban": ["required"]}
        session.change("/method/kind", "cash")
        assert visible(session) == ["kind", "holder"]
        assert errors(session) == {"method": ["oneOf"], "/method/kind": ["enum"]}
        session.tap("pay")
        assert session.messages["method"] == "Choose a card or an account."


@pytest.mark.parametrize(
    ("kind", "name", "value", "code"),
    [
        (CARD, "number", "4242", "pattern"),
        (CARD, "number", "4242-4242-4242-4242", "pattern"),
        (CARD, "number", "4242 4242 4242 4241", "number.typo"),
        (CARD, "number", "4242 4242 4224 4242", "number.typo"),
        (CARD, "number", " 4242424242424242 ", None),
        (CARD, "number", "3782 822463 10005", None),
        (CARD, "expiry", "13/29", "pattern"),
        (CARD, "expiry", "8/29", "pattern"),
        (CARD, "cvc", "12", "pattern"),
        (CARD, "cvc", "1234", None),
        (ACCOUNT, "iban", "3704 0044", "pattern"),
        (ACCOUNT, "iban", "nl91abna0417164300", None),
    ],
)
def test_a_value_is_judged_by_its_own_kind(daemon: Daemon, kind: Any, name: str, value: str, code: Any) -> None:
    values = {"amount": 25, "method": {**kind, name: value}}
    with formd.Client(str(daemon.path)) as client, client.open("payment", values=values) as session:
        assert errors(session) == ({f"/method/{name}": [code]} if code else {})
        assert session.is_valid is (code is None)


def test_from_an_account_less_can_be_paid_than_with_a_card(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        for method, amount, code in [
            (CARD, 1000.01, None), (CARD, 10000.01, "maximum"), (ACCOUNT, 1000, None), (ACCOUNT, 1000.01, "account.limit"),
        ]:  # fmt: skip
            with client.open("payment", values={"amount": amount, "method": method}) as session:
                assert errors(session) == ({"amount": [code]} if code else {}), (method, amount)


@pytest.mark.parametrize(
    ("method", "place", "mended", "korean", "english"),
    [
        ({**CARD, "number": "4000 0000 0000 0002"}, "number", CARD["number"], "카드가 거절되었습니다.", "The card was declined."),
        ({**CARD, "number": "4000000000000069"}, "expiry", "09/29", "유효 기간이 지난 카드입니다.", "The card has expired."),
        ({**CARD, "number": "4000000000000127"}, "cvc", "321", "이 카드의 보안 코드가 아닙니다.", "That is not the code of this card."),
        ({**ACCOUNT, "iban": "DE89370400440532013001"}, "iban", ACCOUNT["iban"], "없는 계좌입니다.", "There is no such account."),
    ],
)  # fmt: skip
def test_what_the_server_refuses_stands_at_its_field_until_that_changes(
    daemon: Daemon, method: Any, place: str, mended: str, korean: str, english: str
) -> None:
    for locale, text in (("ko", korean), ("en", english)):

        async def story(session: Any) -> None:
            event = (await session.tap("pay", wait=True, timeout=PATIENCE_SECONDS)).event
            assert (event.kind, event.error) == ("failed", "refused")
            assert session.messages == {f"/method/{place}": text}
            assert session.is_valid and session.action("pay")["isEnabled"], "a server's error blocks"
            await session.change("amount", 26)
            assert session.messages == {f"/method/{place}": text}
            await session.change(f"/method/{place}", mended)
            assert session.messages == {}

        live(daemon, "payment", story, locale=locale, values={"amount": 25, "method": method})


def test_what_is_hidden_is_kept_and_not_sent_and_the_secrets_stay(daemon: Daemon) -> None:
    async def story(session: Any) -> None:
        await session.change("/method/kind", "account")
        await session.change("/method/iban", ACCOUNT["iban"])
        # The server takes no member of the other kind.
        for kind in ("account", "card", "account"):
            await session.change("/method/kind", kind)
            event = (await session.tap("pay", wait=True, timeout=PATIENCE_SECONDS)).event
            assert (event.kind, event.message) == ("succeeded", "Paid.")
        answer = await session.client.call("session/get", {"session": session.id})
        assert set(answer["values"]["method"]) == {"kind", "holder", "expiry", "iban"}
        assert "4242" not in str(answer) and "'123'" not in str(answer)

    live(daemon, "payment", story, locale="en", values={"amount": 25, "method": CARD})
    assert "4242" not in daemon.output


@pytest.mark.parametrize(("holder", "error"), [("status-500", "serverError"), ("garbage", "badBody"), ("hangup", None)])
def test_any_other_failure_marks_nothing(daemon: Daemon, holder: str, error: Any) -> None:
    async def story(session: Any) -> None:
        event = (await session.tap("pay", wait=True, timeout=PATIENCE_SECONDS)).event
        assert (event.kind, event.message) == ("failed", "That did not work. Please try again.")
        assert event.error == error or error is None
        assert session.messages == {} and session.is_valid

    live(daemon, "payment", story, locale="en", values={"amount": 25, "method": {**CARD, "holder": holder}})


def test_the_session_of_its_readme_goes_as_it_says(daemon: Daemon) -> None:
    lines = (EXAMPLES / "payment" / "README.md").read_text(encoding="utf-8").splitlines()
    lines = [line.strip() for line in lines if line.startswith("    ") and not line.startswith("    $")]
    run = formctl("run", "payment", "--locale", "en", "--socket", daemon.path, standard_input="\n".join(lines) + "\n")
    assert run.returncode == 1, "the last tap is rejected: " + run.stderr
    assert [line for line in run.stdout.splitlines() if line.startswith("*")][0].startswith("* pay failed: The payment was")
    for words in (
        '"There is a slip in the card number."', '"The card was declined."', "* pay succeeded: Paid.",
        "* pay rejected  blocked by amount account.limit",
    ):  # fmt: skip
        assert words in run.stdout, words
