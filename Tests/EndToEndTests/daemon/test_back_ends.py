"""The example programs for Flask, Django, Starlette and FastAPI, as a browser without JavaScript and a client of
Precognition see them."""

from __future__ import annotations

import json
import re
import urllib.parse
from pathlib import Path
from typing import Any, Iterator

import pytest

from back_ends import COMMANDS, PROGRAMS, Program
from harness import Daemon

GOOD = {"name": " Kim ", "email": "KIM@example.com", "password": "correct horse", "plan": "free", "seats": "9", "action": "signUp"}


@pytest.fixture(scope="module")
def daemon(scratch: Path) -> Iterator[Daemon]:
    (scratch / "back-ends").mkdir()
    daemon = Daemon(scratch / "back-ends", {}, PROGRAMS / "forms")
    yield daemon
    daemon.end()


@pytest.fixture(scope="module", params=COMMANDS)
def program(request: pytest.FixtureRequest, daemon: Daemon) -> Iterator[Program]:
    program = Program(request.param, daemon.path)
    yield program
    program.end()


def test_a_page_without_scripts_signs_up(program: Program) -> None:
    page = program.ask()
    assert page.status == 200 and 'data-formd-form="account"' in page.body and "data-formd-post" in page.body
    answer = program.post(GOOD)
    assert answer.status in (302, 303) and answer.headers["Location"] == "/welcome"
    # The name is normalized.
    assert program.ask(path="/welcome").body.startswith("Welcome, Kim. You are number ")


def test_a_page_without_scripts_shows_its_errors_and_its_texts(program: Program) -> None:
    answer = program.post({**GOOD, "email": '"><b>', "password": "Kim, correct horse", "plan": "team", "seats": "many"})
    assert answer.status == 422
    for text in ("That is not an email address.", "The password must not contain your name."):
        assert text in answer.body
    assert "&#34;&gt;&lt;b&gt;" in answer.body or "&quot;&gt;&lt;b&gt;" in answer.body
    assert "<b>" not in answer.body and "correct horse" not in answer.body
    assert 'value="many"' in answer.body and re.search(r'<option value="team" selected', answer.body)


def test_precognition_is_answered_without_the_view(program: Program) -> None:
    count = program.ask(path="/welcome").body if "number" in program.ask(path="/welcome").body else ""
    good = {"name": "Kim", "email": "kim@example.com", "password": "correct horse", "plan": "free"}
    answer = program.early(good, Precognition="true")
    assert (answer.status, answer.body) == (204, "")
    assert answer.headers["Precognition"] == answer.headers["Precognition-Success"] == "true"
    assert "Precognition" in answer.headers["Vary"] and "Precognition" in program.ask().headers["Vary"]
    answer = program.early({**good, "email": "kim", "name": ""}, Precognition="true", Precognition_Validate_Only="email,password")
    assert answer.status == 422 and answer.headers["Precognition"] == "true"
    assert answer.headers.get_content_type() == "application/json"
    assert json.loads(answer.body) == {
        "message": "That is not an email address.", "errors": {"email": ["That is not an email address."]},
    }  # fmt: skip
    answer = program.early({"email": "kim@example.com"}, Precognition="true", Precognition_Validate_Only="email")
    assert answer.status == 204
    assert not count or program.ask(path="/welcome").body == count
    # The submission itself has no header.
    answer = program.early({**good, "email": "kim"})
    assert answer.status == 422 and list(json.loads(answer.body)["errors"]) == ["email"]
    assert program.early(good).status in (302, 303)


@pytest.mark.parametrize("fields", [[*GOOD.items(), ("name", "Lee")], {**GOOD, "name": "x" * 1_100_000}], ids=["twice", "huge"])
def test_a_body_that_no_page_sends_is_refused(program: Program, fields: Any) -> None:
    # Starlette and Flask have limits of their own, which answer before formd.
    assert program.post(fields).status in (400, 413)


def test_a_file_in_the_place_of_a_text_is_refused(program: Program) -> None:
    parts = "".join(f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n' for name, text in {**GOOD, **program.token()}.items())
    file = '--x\r\nContent-Disposition: form-data; name="{}"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nx\r\n--x--\r\n'
    kind = "multipart/form-data; boundary=x"
    answer = program.ask("POST", body=parts + file.format("email"), Content_Type=kind)
    assert answer.status == 400 and "email is a file" in answer.body
    # The page has what was entered.
    assert "data-formd-form" in answer.body and f'value="{GOOD["name"]}"' in answer.body
    # The form has no field of this name: the file is the back-end's.
    assert program.ask("POST", body=parts + file.format("photo"), Content_Type=kind).status in (302, 303)


@pytest.mark.parametrize("body", ["[]", "7", "{", "", '{"a":' * 500, "[" * 200_000, '{"name":NaN}'], ids="list number broken empty deep deeper nan".split())
def test_a_text_that_is_no_object_is_refused(program: Program, body: str) -> None:
    token = program.token().get("csrfmiddlewaretoken", "")
    answer = program.ask("POST", body=body, Content_Type="application/json", X_CSRFToken=token)
    assert answer.status == 400 and "JSON" in answer.body


@pytest.mark.parametrize("kind", ["text/plain", "application/xml"])
def test_a_body_of_another_kind_is_refused(program: Program, kind: str) -> None:
    token = program.token().get("csrfmiddlewaretoken", "")
    answer = program.ask("POST", body="name=Kim", Content_Type=kind, X_CSRFToken=token)
    assert answer.status == 400 and f"the body is {kind}" in answer.body


def test_bytes_that_are_not_utf_8_do_no_harm(program: Program) -> None:
    fields = urllib.parse.urlencode({**GOOD, **program.token()}).replace("Kim", "Ren%E9%00")
    assert program.ask("POST", body=fields, Content_Type="application/x-www-form-urlencoded").status in (302, 303)


def test_precognition_with_files_is_answered_as_its_client_expects(program: Program) -> None:
    """With a file among its data, the client sends form data: `true` as 1, `false` as 0, null as an empty text.

    It takes only answers with `Precognition: true`. A success is 204 with `Precognition-Success: true`. These are the
    rules of client.ts and http/fetchClient.ts of laravel-precognition.
    """
    token = program.token()
    good = {"name": "Kim", "email": "kim@example.com", "password": "correct horse", "plan": "free", "seats": "", "news": "0"}

    def early(fields: dict[str, str], **headers: str) -> Any:
        parts = "".join(f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n' for name, text in {**fields, **token}.items())
        file = '--x\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\nx\r\n--x--\r\n'
        sent = {"Accept": "application/json", "Precognition": "true", "Content_Type": "multipart/form-data; boundary=x", **headers}
        answer = program.ask("POST", body=parts + file, **sent)
        assert answer.headers["Precognition"] == "true" and "Precognition" in answer.headers["Vary"]
        return answer

    answer = early(good)
    assert (answer.status, answer.headers["Precognition-Success"], answer.body) == (204, "true", "")
    answer = early({**good, "email": "kim", "plan": ""}, Precognition_Validate_Only="email,news")
    assert answer.status == 422 and answer.headers.get_content_type() == "application/json"
    assert list(json.loads(answer.body)["errors"]) == ["email"]


@pytest.mark.parametrize("name", COMMANDS)
def test_without_the_daemon_the_program_says_so_until_it_is_back(name: str, folder: Path) -> None:
    program = Program(name, folder / "run" / "formd.sock")
    try:
        # A page that formd draws was never drawn. Flask's page has HTML of its own.
        answer = program.ask()
        if name == "flask":
            assert answer.status == 200
        else:
            assert answer.status == 503 and answer.headers["Retry-After"] == "5" and answer.headers["Vary"]
        daemon = Daemon(folder, {}, PROGRAMS / "forms")
        token = list(program.token().items())
        assert program.post(GOOD).status in (302, 303)
        assert daemon.end() == 0
        # The user sees the page with what was entered, and a message.
        body = urllib.parse.urlencode([*token, *GOOD.items()])
        answer = program.ask("POST", body=body, Content_Type="application/x-www-form-urlencoded")
        assert answer.status == 503 and "Please try again in a moment." in answer.body
        assert f'value="{GOOD["email"]}"' in answer.body and GOOD["password"] not in answer.body
        daemon = Daemon(folder, {}, PROGRAMS / "forms")
        assert program.post(GOOD).status in (302, 303)
        daemon.end()
    finally:
        program.end()
