"""protocol/openrpc.json against what the daemon said in all the other tests. This module runs last (conftest.py).

FORMD_WITNESS names the folder with what other processes recorded that ran the other tests."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import harness
from witness import DOCUMENT, Kind, Witness

WITNESS = Witness()


@pytest.fixture(scope="module", autouse=True)
def _the_recordings_are_read() -> None:
    WITNESS.read(Path(os.environ["FORMD_RECORDINGS"]))


def complaints(place: str, name: object = "") -> list[str]:
    return WITNESS.complaints.get(Kind(place, name), [])


def test_every_message_of_the_daemon_is_one_of_json_rpc() -> None:
    assert not WITNESS.problems


@pytest.mark.parametrize("method", sorted(DOCUMENT.methods))
def test_every_answer_is_what_the_document_says(method: str) -> None:
    assert not complaints("result", method)


@pytest.mark.parametrize("push", sorted(DOCUMENT.pushes))
def test_every_push_is_what_the_document_says(push: str) -> None:
    assert not complaints("push", push)


@pytest.mark.parametrize("request_method", sorted(DOCUMENT.requests))
def test_every_answer_of_a_client_is_what_the_document_says(request_method: str) -> None:
    assert not complaints("provided", request_method)


@pytest.mark.parametrize("method", sorted(set(DOCUMENT.methods) - DOCUMENT.LENIENT))
def test_all_params_that_were_not_refused_are_what_the_document_says(method: str) -> None:
    assert not complaints("params", method)


def test_every_document_that_a_client_kept_by_merging_is_what_the_document_says() -> None:
    assert not complaints("document") and WITNESS.counts[Kind("document")] > 0


def test_nothing_was_pushed_that_the_document_does_not_know() -> None:
    assert {kind.name for kind in WITNESS.counts if kind.place == "push"} <= set(DOCUMENT.pushes)


def test_every_error_is_one_that_the_document_lists_for_its_method() -> None:
    unlisted = {
        (method, code)
        for method, code in WITNESS.errors
        if method in DOCUMENT.methods and code not in DOCUMENT.codes(method)
    }
    assert not unlisted


@pytest.mark.parametrize("code", sorted(DOCUMENT.errors))
def test_the_data_of_every_error_are_what_the_document_says_of_its_code(code: int) -> None:
    if WITNESS.counts[Kind("error", code)] == 0:
        pytest.skip("no test that ran saw this error")
    assert not complaints("error", code)


def test_every_error_has_a_code_that_the_document_lists() -> None:
    assert {kind.name for kind in WITNESS.counts if kind.place == "error"} <= set(DOCUMENT.errors)


def test_the_document_is_one_of_openrpc() -> None:
    schema = Path(__file__).with_name("openrpc.schema.json")
    found = harness.formctl("schema", "validate", schema, harness.ROOT / "protocol" / "openrpc.json")
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("name", sorted(DOCUMENT.components["schemas"]))
def test_every_schema_is_one(name: str, folder: Path) -> None:
    whole = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT.components}
    (folder / "schema.json").write_text(json.dumps(whole), encoding="utf-8")
    found = harness.formctl("schema", "check", folder / "schema.json")
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_judge_refuses_what_is_not_in_the_document() -> None:
    witness, closed = Witness(), Kind("push", "session/closed")
    witness.judge(closed, {"session": 1, "reason": "draining"})
    assert not witness.complaints
    for number, params in enumerate(({"session": 1, "reason": "boredom"}, {"session": 1}, {"session": 1, "reason": "shutdown", "x": 1})):
        witness.judge(closed, params)
        assert len(witness.complaints[closed]) == number + 1


def test_every_method_and_every_push_was_exercised(request: pytest.FixtureRequest) -> None:
    folder = Path(__file__).parent
    run = {item.path for item in request.session.items}
    is_part = run < set(folder.rglob("test_*.py")) or request.config.option.keyword or request.config.option.deselect
    # Other processes ran all the other tests (scripts/test).
    if is_part and "FORMD_WITNESS" not in os.environ:
        pytest.skip("only a part of the tests was run")
    methods = {name for name in DOCUMENT.methods if DOCUMENT.result_schema(name) is not None}
    seen = {place: {kind.name for kind in WITNESS.counts if kind.place == place} for place in ("result", "push")}
    assert methods - seen["result"] == set(), "no test saw an answer to these"
    assert set(DOCUMENT.pushes) - seen["push"] == set(), "no test saw these pushes"
