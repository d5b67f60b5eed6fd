"""protocol/openrpc.json against what the daemon said in all the other tests. This module runs last (conftest.py).

FORMD_WITNESS names the folder with what other processes recorded that ran the other tests."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import harness
from witness import WITNESS, Document

DOCUMENT = Document((harness.ROOT / "protocol" / "openrpc.json").read_text(encoding="utf-8"))


LENIENT = {"initialize", "initialized", "shutdown", "exit", "$/cancelRequest"}
"""Methods whose unknown params the daemon ignores (protocol/wire.md, "Wrong params")."""

BARE = {code for code in DOCUMENT.errors if not DOCUMENT.needs_data(code)}
"""Errors that may come without data, because no member of the data is required."""


def judge(schema: harness.JSON, texts: set[str], folder: Path) -> str:
    """The findings of the project's own JSON Schema on values; empty if all are valid."""
    whole = {"type": "array", "items": schema, "components": DOCUMENT.components}
    (folder / "schema.json").write_text(json.dumps(whole), encoding="utf-8")
    # A file of the tool may hold so many bytes; a run sees more documents than that.
    texts_left, complaints = sorted(texts), ""
    while texts_left:
        chunk, size = [], 0
        while texts_left and (not chunk or size < 200_000):
            chunk.append(texts_left.pop())
            size += len(chunk[-1])
        (folder / "values.json").write_text("[" + ",\n".join(chunk) + "]", encoding="utf-8")
        result = harness.formctl("schema", "validate", folder / "schema.json", folder / "values.json")
        if result.returncode != 0:
            complaints += result.stdout + result.stderr
    return complaints


@pytest.fixture(scope="module", autouse=True)
def _the_recordings_are_read() -> None:
    WITNESS.read(Path(os.environ["FORMD_RECORDINGS"]))


def test_every_message_of_the_daemon_is_one_of_json_rpc() -> None:
    assert not WITNESS.problems


@pytest.mark.parametrize("method", sorted(DOCUMENT.methods))
def test_every_answer_is_what_the_document_says(method: str, folder: Path) -> None:
    seen = WITNESS.results.get(method, set())
    schema = DOCUMENT.result_schema(method)
    if schema is None:
        assert not seen, f"{method} is a notification and was answered: {seen}"
    else:
        assert not judge(schema, seen, folder)


@pytest.mark.parametrize("push", sorted(DOCUMENT.pushes))
def test_every_push_is_what_the_document_says(push: str, folder: Path) -> None:
    assert not judge(DOCUMENT.push_schema(push), WITNESS.pushes.get(push, set()), folder)


@pytest.mark.parametrize("request_method", sorted(DOCUMENT.requests))
def test_every_answer_of_a_client_is_what_the_document_says(request_method: str, folder: Path) -> None:
    assert not judge(DOCUMENT.provided_schema(request_method), WITNESS.provided.get(request_method, set()), folder)


@pytest.mark.parametrize("method", sorted(set(DOCUMENT.methods) - LENIENT))
def test_every_notification_that_was_not_refused_is_what_the_document_says(method: str, folder: Path) -> None:
    assert not judge(DOCUMENT.params_schema(method), WITNESS.notifications.get(method, set()), folder)


@pytest.mark.parametrize("method", sorted(set(DOCUMENT.methods) - LENIENT))
def test_every_request_that_got_a_result_is_what_the_document_says(method: str, folder: Path) -> None:
    assert not judge(DOCUMENT.params_schema(method), WITNESS.requests.get(method, set()), folder)


def test_every_document_that_a_client_kept_by_merging_is_what_the_document_says(folder: Path) -> None:
    assert not judge({"$ref": "#/components/schemas/Document"}, WITNESS.documents, folder)


def test_nothing_was_pushed_that_the_document_does_not_know() -> None:
    assert set(WITNESS.pushes) <= set(DOCUMENT.pushes)


def test_every_error_is_one_that_the_document_lists_for_its_method() -> None:
    unlisted = {
        (method, code)
        for method, code in WITNESS.errors
        if method in DOCUMENT.methods and code not in DOCUMENT.codes(method)
    }
    assert not unlisted


@pytest.mark.parametrize("code", sorted(DOCUMENT.errors))
def test_the_data_of_every_error_are_what_the_document_says_of_its_code(code: int, folder: Path) -> None:
    if code not in WITNESS.error_data:
        pytest.skip("no test that ran saw this error")
    schema = {"anyOf": [{"type": "null"}, DOCUMENT.error_data_schema(code)]} if code in BARE else DOCUMENT.error_data_schema(code)
    assert not judge(schema, WITNESS.error_data[code], folder)


def test_every_error_has_a_code_that_the_document_lists() -> None:
    assert set(WITNESS.error_data) <= set(DOCUMENT.errors)


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


def test_the_judge_refuses_what_is_not_in_the_document(folder: Path) -> None:
    schema = DOCUMENT.push_schema("session/closed")
    assert not judge(schema, {'{"session": 1, "reason": "draining"}'}, folder)
    for wrong in ('{"session": 1, "reason": "boredom"}', '{"session": 1}', '{"session": 1, "reason": "shutdown", "x": 1}'):
        assert judge(schema, {wrong}, folder)


def test_every_method_and_every_push_was_exercised(request: pytest.FixtureRequest) -> None:
    folder = Path(__file__).parent
    run = {item.path for item in request.session.items}
    is_part = run < set(folder.glob("test_*.py")) or request.config.option.keyword or request.config.option.deselect
    # Other processes ran all the other tests (scripts/test).
    if is_part and "FORMD_WITNESS" not in os.environ:
        pytest.skip("only a part of the tests was run")
    methods = {name for name in DOCUMENT.methods if DOCUMENT.result_schema(name) is not None}
    assert methods - set(WITNESS.results) == set(), "no test saw an answer to these"
    assert set(DOCUMENT.pushes) - set(WITNESS.pushes) == set(), "no test saw these pushes"
