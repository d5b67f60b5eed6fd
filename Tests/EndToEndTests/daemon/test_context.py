"""The context of a session: a program gives it, formulas read it, and no user and no browser can change it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Callable

import pytest

from harness import EXAMPLES, Daemon, formctl, formd

CLERK = {"role": "clerk", "limit": 100}
ITEMS = {"items": [{"what": "Train", "amount": 120.5}]}


def test_a_program_opens_a_session_with_a_context_and_replaces_it(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client, client.open("approval", context=CLERK, values=ITEMS) as session:
        assert not session.field("approved")["isVisible"]
        assert session.field("/items/0/reason")["isVisible"]
        session.set_context({"role": "manager", "token": "t0k3n"})
        assert session.field("approved")["isVisible"]
        assert not session.field("/items/0/reason")["isVisible"]
        assert "t0k3n" not in json.dumps(session.document)
        with pytest.raises(formd.InvalidParams) as refused:
            session.set_context({"role": "king"})
        assert (refused.value.code, refused.value.data["errors"][0]["path"]) == (-32602, "/context/role")


def test_values_are_judged_with_a_context(daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        assert not client.validate("approval", ITEMS, context=CLERK)["isValid"]
        assert client.validate("approval", ITEMS, context={"role": "clerk"})["isValid"]
        text = json.dumps(ITEMS)
        assert not client.validate_text("approval", text, "json", context=CLERK)["isValid"]
        assert client.describe("approval")["context"]["required"] == ["role"]


def test_a_provider_gets_the_parts_that_are_named(start: Callable[..., Daemon]) -> None:
    token = "8CcTVDTiXcCfVTi2RmD7"
    daemon = start({"providers": {"expenses": {"secrets": True, "token": token}}})
    with formd.Client(str(daemon.path)) as provider, formd.Client(str(daemon.path)) as client:
        asked: list[dict[str, object]] = []

        def expenses(arguments: dict[str, object]) -> dict[str, object]:
            asked.append(arguments)
            return {}

        provider.provider("expenses", expenses, token=token)
        context = {"role": "clerk", "token": "t0k3n"}
        with client.open("approval", context=context, values=ITEMS) as session:
            assert session.tap("send", wait=True).event.kind == "succeeded"
        assert asked == [{"token": "t0k3n", **ITEMS}]


@pytest.mark.parametrize(("context", "status"), [(CLERK, 1), ({"role": "clerk"}, 0), ({"role": "king"}, 2), (None, 2)])
def test_formctl_validates_with_a_context(tmp_path: Path, context: object, status: int) -> None:
    values = tmp_path / "values.json"
    values.write_text(json.dumps(ITEMS))
    options = [] if context is None else ["--context", json.dumps(context)]
    run = formctl("validate", str(EXAMPLES / "approval" / "approval.form.json"), str(values), *options)
    assert run.returncode == status, run


def test_formctl_run_opens_and_replaces_it(daemon: Daemon) -> None:
    lines = 'context {"role": "manager"}\ncontext {"role": "king"}\n'
    run = formctl("run", "approval", "--socket", str(daemon.path), "--context", '{"role": "clerk"}', standard_input=lines)
    assert "fields.approved.isVisible  true" in run.stdout, run
    assert run.returncode == 2 and "/context/role" in run.stderr, run
