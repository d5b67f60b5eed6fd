"""`formctl studio` in Chromium, as somebody uses it who writes a form in an editor beside it."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Iterator

import chromium
import harness
import pytest

JSON = Any

FORM: JSON = {
    "form": "signup",
    "title": "Sign up",
    "locale": "en",
    "schema": {
        "type": "object",
        "required": ["name", "password"],
        "properties": {
            "name": {"type": "string", "minLength": 2},
            "password": {"type": "string", "minLength": 4, "writeOnly": True},
            "plan": {"enum": ["free", "team"]},
            "seats": {"type": "integer", "minimum": 2},
            "items": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"sku": {"type": "string"}}}},
        },
    },
    "fields": {
        "name": {"label": {"en": "Name", "de": "Vorname"}, "help": "As your friends call you."},
        "password": {"label": "Password"},
        "plan": {"label": "Plan", "options": {"free": "For me", "team": "For a team"}},
        "seats": {"label": "Seats", "visible": "values.plan == 'team'", "required": "true"},
        "items": {"label": "Items"},
        "/items/*/sku": {"label": "Article"},
    },
    "checks": [{
        "id": "name.free", "field": "name", "debounce": "500ms",
        "run": {"http": {"service": "accounts", "method": "POST", "path": "/free", "json": {"name": "self"}}},
        "outcomes": [{"when": "response.body.free == true", "valid": True},
                     {"when": "response.status == 200", "code": "taken", "message": "This name is taken."}],
    }],
    "actions": {
        "send": {
            "label": "Send",
            "run": {"http": {"service": "accounts", "method": "POST", "path": "/accounts", "json": "values"}},
            "outcomes": [{"when": "response.status == 201", "success": "response.body.id", "message": "Welcome."},
                         {"failure": "response.kind", "message": "That did not work."}],
        }
    },
    "outputs": {"greeting": "'Hello ' + values.name"},
}  # fmt: skip


class Studio:
    """The program, and the page in a tab."""

    def __init__(self, browser: chromium.Chromium, path: Path) -> None:
        self.file = path
        self.process = harness.Process([str(harness.formctl_binary()), "studio", "--no-open", str(path)])
        self.url = self.process.line_with("http://127.0.0.1:").strip()
        self.tab = browser.tab()
        self.tab.open(self.url)

    def write(self, form: JSON) -> None:
        """Saves the form as an editor does: another file takes its place."""
        draft = self.file.with_suffix(".new")
        draft.write_text(form if isinstance(form, str) else json.dumps(form, indent=2), encoding="utf-8")
        draft.replace(self.file)

    def ready(self) -> None:
        self.tab.until("document.querySelector('#form form').dataset.formdState === 'live'")

    def until_text(self, selector: str, part: str) -> None:
        self.tab.until(f"document.querySelector({json.dumps(selector)}).textContent.includes({json.dumps(part)})")

    def type(self, name: str, text: str) -> None:
        self.tab.focus(f"#form [name='{name}']")
        self.tab.type(text)

    def fill(self, selector: str, text: str) -> None:
        self.tab.focus(selector)
        self.tab.js("document.activeElement.select()")
        self.tab.call("Input.insertText", {"text": text})

    def end(self) -> None:
        self.tab.close()
        self.process.end()


def opened(browser: chromium.Chromium, path: Path, form: object) -> Iterator[Studio]:
    """Studio with a form, whose page must have no problem at the end."""
    path.write_text(json.dumps(form, indent=2), encoding="utf-8")
    studio = Studio(browser, path)
    studio.ready()
    yield studio
    problems = studio.tab.problems()
    studio.end()
    assert problems == []


@pytest.fixture
def studio(browser: chromium.Chromium, tmp_path: Path) -> Iterator[Studio]:
    yield from opened(browser, tmp_path / "signup.form.json", FORM)


def test_a_form_is_followed_while_its_file_changes_is_broken_and_is_mended(studio: Studio) -> None:
    tab = studio.tab
    studio.type("name", "K")
    tab.until("document.querySelector('#document').textContent.includes('isDirty')")
    changed = json.loads(json.dumps(FORM))
    changed["schema"]["properties"]["nick"] = {"type": "string"}
    changed["fields"]["nick"] = {"label": "Nickname"}
    studio.write(changed)
    tab.until("document.querySelector('#form [name=nick]')")
    studio.ready()
    # What was typed is there, and so is the caret.
    assert tab.value("#form [name=name]") == "K" and tab.js("document.activeElement.name") == "name"
    tab.type("im")
    tab.until("document.querySelector('#values').textContent.includes('Kim')")
    studio.write(json.dumps(changed, indent=2).replace('"values.plan == ', '"values.plann == '))
    tab.until("!document.querySelector('#problems').hidden")
    problem = tab.text("#problems li")
    assert "signup.form.json:" in problem and "plann" in problem
    # The last form that could be used goes on.
    tab.type("i")
    tab.until("document.querySelector('#values').textContent.includes('Kimi')")
    studio.write("{")
    studio.until_text("#problems", "signup.form.json:1:")
    studio.write(FORM)
    tab.until("document.querySelector('#problems').hidden")
    tab.until("!document.querySelector('#form [name=nick]')")
    studio.ready()
    assert tab.value("#form [name=name]") == "Kimi"


def test_the_document_the_values_and_each_update_are_beside_the_form(studio: Studio) -> None:
    tab = studio.tab
    studio.type("name", "Kim")
    studio.until_text("#document", '"greeting": "Hello Kim"')
    assert tab.text("#form [data-formd-output=greeting]") == "Hello Kim"
    studio.until_text("#updates li", '"greeting": "Hello Kim"')
    studio.type("password", "hunter2")
    tab.focus("#form [name=plan]")
    tab.until("document.querySelectorAll('#updates li').length > 2")
    # A secret is neither in the values nor in the document.
    assert "hunter2" not in tab.js("document.body.innerText") + tab.text("#document") + tab.text("#values")


def test_rows_are_added_and_removed(studio: Studio) -> None:
    tab = studio.tab
    tab.click("#form [data-formd-add=items]")
    tab.until("document.querySelector('#form [name=\"items[0].sku\"]')")
    studio.type("items[0].sku", "a1")
    tab.until("document.querySelector('#values').textContent.includes('a1')")
    tab.click("#form [data-formd-remove]")
    tab.until("!document.querySelector('#form [data-formd-remove]')")


def test_why_is_told_of_what_is_under_the_pointer_and_of_what_has_the_focus(studio: Studio) -> None:
    tab = studio.tab
    place = tab.js("(({ x, y, width, height }) => [x + width / 2, y + height / 2])"
                   "(document.querySelector('#form [name=action]').getBoundingClientRect())")  # fmt: skip
    tab.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": place[0], "y": place[1]})
    studio.until_text("#why", "form.isValid")
    assert tab.text("#why h3") == "send"
    tab.focus("#form [name=plan]")
    studio.until_text("#why", "values.plan")
    tab.js("document.querySelector('#form [name=plan]').value = 'team';"
           "document.querySelector('#form [name=plan]').dispatchEvent(new Event('input', { bubbles: true }))")  # fmt: skip
    tab.until("!document.querySelector('#form [data-formd-field=seats]').hidden")
    tab.focus("#form [name=seats]")
    studio.until_text("#why", "values.plan == 'team'")


def test_answers_are_typed_in_and_the_clock_waits_for_the_debounce(studio: Studio) -> None:
    tab = studio.tab
    tab.click("#running")
    studio.type("name", "Kim")
    # A letter that comes later would begin the debounce again.
    studio.until_text("#document", "Hello Kim")
    studio.until_text("#wait", "500 ms")
    assert tab.js("document.querySelector('#answer').hidden")
    # The focus stays in the field: leaving it would end the debounce.
    move = "document.querySelector('#by').value = '{}'; document.querySelector('#clock').requestSubmit()"
    tab.js(move.format("499ms"))
    studio.until_text("#wait", "in 1 ms")
    assert tab.text("#now") == "2000-01-01T00:00:00.499Z"
    tab.js(move.format("1ms"))
    tab.until("!document.querySelector('#answer').hidden")
    studio.until_text("#requests", "POST accounts /free")
    assert '"Kim"' in tab.text("#requests pre")
    studio.fill("#response", "{")
    tab.click("#answer button")
    studio.until_text("#said", "not JSON")
    studio.fill("#response", '{"status": 200, "body": {"free": false}}')
    tab.click("#always")
    tab.click("#answer button")
    studio.until_text("#form [data-formd-message=name]", "This name is taken.")
    studio.until_text("#mocks", "always gets")
    # The next request of the kind has its answer, and the clock runs by itself.
    tab.click("#running")
    studio.type("name", "i")
    tab.until("document.querySelector('#form [data-formd-message=name]').textContent === ''")
    studio.until_text("#steps", "answer accounts 2")
    tab.focus("#case")
    studio.until_text("#form [data-formd-message=name]", "This name is taken.")
    tab.click("#mocks button")
    tab.until("!document.querySelector('#mocks li')")


def test_a_case_is_recorded_and_run(studio: Studio) -> None:
    tab = studio.tab
    studio.type("name", "Kim")
    studio.type("password", "hunter2")
    studio.until_text("#steps", "xxxxxx0")
    tab.until("!document.querySelector('#answer').hidden")
    studio.fill("#response", '{"body": {"free": true}}')
    tab.click("#answer button")
    tab.until("document.querySelector('#answer').hidden")
    tab.click("#form [name=action]")
    tab.until("!document.querySelector('#answer').hidden")
    studio.fill("#response", '{"status": 201, "body": {"id": 7}}')
    tab.click("#answer button")
    studio.until_text("#form .formd-status", "Welcome.")
    studio.fill("#case", "signs up")
    tab.click("#record button")
    studio.until_text("#said", "signup.test.json; other values")
    saved = (studio.file.parent / "signup.test.json").read_text(encoding="utf-8")
    # What was typed is one step, and the password is another one of its shape.
    steps = json.loads(saved)["cases"][0]["steps"]
    assert [step["value"] for step in steps if "change" in step] == ["Kim", "xxxxxx0"], saved
    assert "hunter2" not in saved
    tab.click("#run")
    studio.until_text("#results", "1 of 1 passed")
    run = harness.formctl("test", studio.file.parent)
    assert run.returncode == 0, run.stdout + run.stderr
    # The name is taken now.
    studio.fill("#case", "signs up")
    tab.click("#record button")
    studio.until_text("#said", "already has a case")
    tab.click("#replace")
    studio.fill("#case", "signs up")
    tab.click("#record button")
    studio.until_text("#said", "saved in")
    broken = json.loads(json.dumps(FORM))
    broken["actions"]["send"]["outcomes"][0]["message"] = "Hello."
    studio.write(broken)
    studio.until_text("#form .formd-status", "")
    tab.until("document.querySelector('#form form').dataset.formdState === 'live'")
    tab.click("#run")
    studio.until_text("#results", "FAILED: signs up")


def test_language_zone_and_beginning_change_and_what_was_typed_stays(studio: Studio) -> None:
    tab = studio.tab
    assert tab.text("#form label") == "Name"
    studio.type("name", "Kim")
    studio.until_text("#values", "Kim")
    tab.js("document.querySelector('#locale').value = 'de';"
           "document.querySelector('#locale').dispatchEvent(new Event('change'))")  # fmt: skip
    studio.until_text("#form label", "Vorname")
    studio.ready()
    assert tab.value("#form [name=name]") == "Kim"
    studio.fill("#zone", "Nowhere/Land")
    tab.key("Tab")
    studio.until_text("#said", "zone")
    assert not tab.text("#said").startswith(":")
    studio.fill("#zone", "Asia/Seoul")
    tab.key("Tab")
    studio.until_text("#said", "")
    studio.fill("#begin-at", "2030-02-03T04:05:06Z")
    tab.key("Enter")
    studio.until_text("#now", "2030-02-03T04:05:06")
    studio.ready()
    assert tab.value("#form [name=name]") == "Kim" and tab.value("#zone") == "Asia/Seoul"
    # A new session begins at the same time, however far the clock has moved.
    tab.js("document.querySelector('#by').value = '1h'; document.querySelector('#clock').requestSubmit()")
    studio.until_text("#now", "2030-02-03T05:05:")
    tab.click("#restart")
    studio.until_text("#now", "2030-02-03T04:05:06Z")
    studio.ready()
    assert tab.value("#form [name=name]") == "" and tab.text("#count") == "0"
    tab.click("#begin-now")
    tab.until("!document.querySelector('#now').textContent.startsWith('2030')")


CHECKED: JSON = {
    "form": "visit",
    "title": "A visit",
    "schema": {
        "type": "object",
        "required": ["email"],
        "properties": {
            "email": {"type": "string"},
            "day": {"type": "string", "format": "date"},
            "from": {"type": "string", "format": "local-time"},
            "at": {"type": "string", "format": "local-date-time"},
            "meets": {"type": "string", "format": "time"},
            "ends": {"type": "string", "format": "date-time"},
            "room": {"type": "string"},
        },
    },
    "fields": {"room": {"label": "Room", "enabled": "values.email != '' ? true : 'Give an email first.'"}},
    "checks": [{
        "id": "email.known", "field": "email", "when": "size(values.email) > 2", "ask": "change", "debounce": "1s",
        "run": {"http": {"service": "people", "path": "/known"}},
        "outcomes": [{"when": "response.body.known == true", "valid": True},
                     {"code": "unknown", "message": "We do not know you."}],
    }],
    "actions": {"send": {
        "enabled": "true",
        "run": {"http": {"service": "visits", "method": "POST", "path": "/visits", "json": "values"}},
        "outcomes": [{"when": "response.status == 201", "success": "true",
                      "messageExpression": "'Number ' + response.body.id"},
                     {"failure": "response.kind", "message": "No."}],
    }},
}  # fmt: skip


@pytest.fixture
def visit(browser: chromium.Chromium, tmp_path: Path) -> Iterator[Studio]:
    yield from opened(browser, tmp_path / "visit.form.json", CHECKED)


def answer(studio: Studio, response: str) -> None:
    studio.tab.until("!document.querySelector('#answer').hidden")
    studio.fill("#response", response)
    studio.tab.click("#answer button")


def point_at(studio: Studio, selector: str) -> None:
    element = f"document.querySelector({json.dumps(selector)})"
    studio.tab.js(f"{element}.scrollIntoView({{ block: 'center' }})")
    place = studio.tab.js("(({ x, y, width, height }) => [x + width / 2, y + height / 2])"
                          f"({element}.getBoundingClientRect())")  # fmt: skip
    studio.tab.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": place[0], "y": place[1]})


def test_an_input_for_times_has_the_type_that_holds_the_values_of_the_format(visit: Studio) -> None:
    types = {name: visit.tab.js(f"document.querySelector('#form [name={name}]').type")
             for name in ("day", "from", "at", "meets", "ends")}  # fmt: skip
    # The inputs of browsers have no zone, which `time` and `date-time` ask for.
    assert types == {"day": "date", "from": "time", "at": "datetime-local", "meets": "text", "ends": "text"}
    visit.tab.js("const at = document.querySelector('#form [name=at]'); at.value = '2026-11-28T14:30';"
                 "at.dispatchEvent(new Event('input', { bubbles: true }))")  # fmt: skip
    visit.until_text("#values", '"at": "2026-11-28T14:30"')
    assert visit.tab.text("#form [data-formd-message=at]") == ""


def test_a_formula_that_fails_while_the_session_runs_is_a_problem_with_its_place(visit: Studio) -> None:
    tab = visit.tab
    visit.type("email", "ki")
    tab.click("#form [name=action]")
    answer(visit, '{"status": 201, "body": {"id": 7}}')
    tab.until("!document.querySelector('#faults').hidden && !document.querySelector('#problems').hidden")
    fault = tab.text("#faults li")
    line = 1 + json.dumps(CHECKED, indent=2).split('"messageExpression"')[0].count("\n")
    assert fault.startswith(f"{visit.file}:{line}:") and "'Number ' + response.body.id" in fault, fault
    assert "actions.send.outcomes[0].messageExpression" in fault
    # The file has no error, so the form is not an old one.
    assert tab.text("#old") == "" and not tab.js("document.querySelector('#stage').classList.contains('old')")
    point_at(visit, "#form [name=action]")
    visit.until_text("#why pre", fault)
    assert tab.violations() == []
    mended = json.loads(json.dumps(CHECKED))
    mended["actions"]["send"]["outcomes"][0]["messageExpression"] = "'Number ' + string(response.body.id)"
    visit.write(mended)
    tab.until("document.querySelector('#problems').hidden")
    # The tap and its answer are repeated, and so is their message.
    visit.until_text("#form .formd-status", "Number 7")


def test_what_is_pending_waits_or_is_not_enabled_is_said_beside_it(visit: Studio) -> None:
    tab = visit.tab
    assert tab.text("#form [data-studio-state=room]") == "Not enabled: Give an email first."
    assert tab.js("document.querySelector('#form [name=room]').disabled")
    assert "Give an email first." in tab.accessible("#form [name=room]")["description"]
    point_at(visit, "#form [data-formd-field=room] label")
    visit.until_text("#why", "Give an email first.")
    tab.click("#running")
    visit.type("email", "kim")
    tab.until("document.querySelector('#form [data-studio-state=room]').textContent === ''")
    visit.until_text("#form [data-studio-state=email]", "Pending")
    visit.until_text("#why", "check email.known (debounce)")
    assert tab.js("document.querySelector('#form [name=email]').ariaBusy") == "true" and tab.violations() == []
    tab.click("#form [name=action]")
    visit.until_text("#form [data-studio-action=send]", "Waits for a check.")
    answer(visit, '{"body": {"known": true}}')
    visit.until_text("#form [data-studio-action=send]", "Running")
    assert tab.text("#form [data-studio-state=email]") == ""
    answer(visit, '{"status": 500}')
    tab.until("document.querySelector('#form [data-studio-action=send]').textContent === ''")
    # A form that blocks its action by default says so at the button.
    blocked = json.loads(json.dumps(CHECKED))
    del blocked["actions"]["send"]["enabled"]
    visit.write(blocked)
    visit.ready()
    tab.click("#restart")
    visit.until_text("#form [data-studio-action=send]", "Not enabled.")


def test_why_has_the_words_of_the_definition_for_checks_and_actions(visit: Studio) -> None:
    visit.tab.focus("#form [name=email]")
    for words in ("show: blur", "required by the schema", "check email.known", "when: size(values.email) > 2",
                  "ask: change; debounce: 1s; timeout: 10s; onFailure: block", "run: http GET people /known",
                  "outcome when response.body.known == true: valid",
                  'outcome: error unknown, "We do not know you."', "error required"):  # fmt: skip
        visit.until_text("#why", words)
    point_at(visit, "#form [name=action]")
    for words in ("enabled: true", "run: http POST visits /visits", "flight: drop",
                  "outcome when response.status == 201: success true, messageExpression 'Number ' + response.body.id",
                  'outcome: failure response.kind, message "No."'):  # fmt: skip
        visit.until_text("#why", words)


def test_nothing_moves_while_the_pointer_goes_over_the_form(visit: Studio) -> None:
    tab = visit.tab
    place = "['requests', 'why', 'cases'].map((part) => document.getElementById(part + '-title').getBoundingClientRect().y + scrollY)"
    before = tab.js(place)
    for selector in ("#form [name=email]", "#form [name=action]", "#form [name=day]"):
        point_at(visit, selector)
        subject = {"action": "send"}.get(tab.js(f"document.querySelector({json.dumps(selector)}).name"))
        visit.until_text("#why h3", subject or tab.js(f"document.querySelector({json.dumps(selector)}).name"))
        assert tab.js(place) == before


def test_messages_of_studio_are_seen_wherever_the_page_is_scrolled_to(visit: Studio) -> None:
    tab = visit.tab
    tab.js("scrollTo(0, document.body.scrollHeight)")
    visit.fill("#by", "soon")
    tab.js("document.querySelector('#clock').requestSubmit()")
    visit.until_text("#said", "expected")
    assert not tab.text("#said").startswith(":") and tab.accessible("#said")["role"] == "status"
    box = tab.js("(({ top, bottom }) => [top, bottom, innerHeight])(document.querySelector('#notice').getBoundingClientRect())")
    assert 0 <= box[0] < box[1] <= box[2] and tab.violations() == []
    tab.click("#close")
    tab.until("document.querySelector('#said').textContent === ''")


def test_a_problem_keeps_its_lines_and_a_form_that_is_broken_from_the_beginning_says_what_to_do(
    browser: chromium.Chromium, tmp_path: Path
) -> None:
    path = tmp_path / "visit.form.json"
    broken = json.dumps(CHECKED, indent=2).replace("size(values.email) > 2", "size(values.email) >")
    path.write_text(broken, encoding="utf-8")
    studio = Studio(browser, path)
    tab = studio.tab
    try:
        studio.until_text("#form", "Correct the problems above")
        problem = tab.js("document.querySelector('#problems li').innerText")
        assert re.search(r"\n *\^", problem), problem
        style = tab.js("(({ whiteSpace, fontFamily }) => [whiteSpace, fontFamily])(getComputedStyle(document.querySelector('#problems li')))")
        assert style == ["pre-wrap", "monospace"]
        studio.write(CHECKED)
        tab.until("document.querySelector('#form form')")
        studio.ready()
        # The form that goes on while its file is broken says so.
        studio.write(broken)
        studio.until_text("#old", "The file has an error.")
        assert tab.violations() == []
        studio.write(CHECKED)
        tab.until("document.querySelector('#old').textContent === ''")
        assert tab.problems() == []
    finally:
        studio.end()


def test_steps_have_their_values_and_no_secrets(studio: Studio) -> None:
    tab = studio.tab
    studio.type("name", "Kim")
    studio.type("password", "hunter2")
    studio.until_text("#steps", 'change password "xxxxxx0"')
    assert 'change name "Kim"' in tab.text("#steps")
    answer(studio, '{"body": {"free": true}}')
    studio.until_text("#steps", 'answer accounts 1 {"body":{"free":true}}')
    assert "hunter2" not in tab.js("document.documentElement.outerHTML")


def test_required_fields_are_marked_and_the_summary_of_errors_stands_below_the_title(studio: Studio) -> None:
    tab = studio.tab
    mark = "getComputedStyle(document.querySelector('#form [data-formd-field={}] > label'), '::after').content"
    assert "(required)" in tab.js(mark.format("name")) and tab.js(mark.format("plan")) == "none"
    assert tab.accessible("#form [name=name]")["name"] == "Name"
    tab.click("#form [name=action]")
    tab.until("!document.querySelector('#form [data-formd-summary]').hidden")
    assert tab.js("document.querySelector('#form form > h3').nextElementSibling.matches('[data-formd-summary]')")


def test_steps_are_chosen_and_explained(browser: chromium.Chromium, tmp_path: Path) -> None:
    path = tmp_path / "party.form.json"
    path.write_text(json.dumps({
        "form": "party",
        "schema": {"required": ["name"], "properties": {"name": {"type": "string"}, "isLarge": {"type": "boolean"},
                                                        "hall": {"type": "string"}}},
        "steps": [{"id": "who", "label": "Who", "fields": ["name", "isLarge"]},
                  {"id": "where", "label": "Where", "fields": ["hall"], "visible": "values.isLarge == true"}],
    }), encoding="utf-8")  # fmt: skip
    studio = Studio(browser, path)
    tab = studio.tab
    try:
        studio.ready()
        tab.until("document.querySelector('#form [data-formd-show=where]').hidden")
        tab.click("#form [name=isLarge]")
        tab.until("!document.querySelector('#form [data-formd-show=where]').hidden")
        tab.click("#form [data-formd-show=where]")
        tab.until("!document.querySelector('#form [data-formd-step=where]').hidden")
        assert tab.js("document.querySelector('#form [data-formd-show=where]').ariaCurrent") == "step"
        point_at(studio, "#form [data-formd-step=where] h3")
        studio.until_text("#why", "visible: values.isLarge == true")
        # The step is there again after a change of the file.
        studio.write(path.read_text(encoding="utf-8").replace('"Where"', '"The place"'))
        studio.until_text("#form nav", "The place")
        studio.ready()
        tab.until("!document.querySelector('#form [data-formd-step=where]').hidden")
        assert tab.violations() == [] and tab.problems() == []
    finally:
        studio.end()


def test_a_duration_is_said_in_words(studio: Studio) -> None:
    slow = json.loads(json.dumps(FORM))
    slow["checks"][0]["debounce"] = "90s"
    slow["title"] = "Slow"
    studio.write(slow)
    studio.until_text("#form h3", "Slow")
    studio.ready()
    studio.tab.click("#running")
    studio.type("name", "Kim")
    studio.until_text("#wait", "due in 1 minute 30 seconds.")


def test_a_path_is_said_without_the_folder_of_the_program(browser: chromium.Chromium, tmp_path: Path) -> None:
    (tmp_path / "visit.form.json").write_text("{", encoding="utf-8")
    command = ["env", "-C", str(tmp_path), str(harness.formctl_binary()), "studio", "--no-open", "."]
    process = harness.Process(command)
    tab = browser.tab()
    try:
        tab.open(process.line_with("http://127.0.0.1:").strip())
        tab.until("document.querySelector('#problems li')?.textContent.startsWith('visit.form.json:1:')")
    finally:
        tab.close()
        process.end()


def test_the_page_is_used_with_the_keyboard_alone(studio: Studio) -> None:
    tab = studio.tab
    tab.js("document.body.focus()")

    def go_to(selector: str) -> None:
        for _ in range(60):
            if tab.js(f"document.activeElement?.matches({json.dumps(selector)})"):
                return
            tab.key("Tab")
        raise AssertionError(f"the keyboard does not reach {selector}")

    go_to("#form [name=name]")
    tab.type("Kim")
    studio.until_text("#why h3", "name")
    tab.until("!document.querySelector('#answer').hidden")
    go_to("#response")
    tab.call("Input.dispatchKeyEvent", {"type": "keyDown", "key": "a", "modifiers": 2, "commands": ["selectAll"]})
    tab.call("Input.insertText", {"text": '{"body": {"free": true}}'})
    go_to("#answer button")
    tab.key("Enter")
    tab.until("document.querySelector('#answer').hidden")
    go_to("#case")
    tab.type("a name")
    tab.key("Enter")
    studio.until_text("#said", "saved in")
    go_to("#run")
    tab.key(" ")
    studio.until_text("#results", "1 of 1 passed")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_axe_finds_nothing_wide_narrow_light_and_dark(studio: Studio, width: int, scheme: str, tmp_path: Path) -> None:
    tab = studio.tab
    studio.type("name", "Kim")
    tab.focus("#form [name=plan]")
    tab.until("!document.querySelector('#answer').hidden")
    for summary in ("#steps", "#reader", "#document"):
        tab.js(f"document.querySelector('{summary}').closest('details').open = true")
    tab.screenshot(tmp_path / "page.png", width, scheme)
    assert tab.js("document.documentElement.scrollWidth") <= width
    assert tab.violations() == []
    assert "Name, text, required" in tab.text("#reader") and "As your friends call you." in tab.text("#reader")


def test_only_the_page_itself_reaches_studio(studio: Studio) -> None:
    origin = studio.url.split("/", 3)[:3]
    root = "/".join(origin)

    def status(url: str, **headers: str) -> int:
        request = urllib.request.Request(url, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    socket = studio.url.replace("studio.html", "socket")
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol": "formd.1"}  # fmt: skip
    assert status(studio.url) == 200
    assert status(root + "/studio.html") == 404 and status(root + "/formd/studio.html") == 404
    assert status(studio.url, Host="evil.example") == 403
    for wrong in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        assert status(socket, **upgrade, **wrong) == 403
    assert len(studio.url.split("/")[3]) == 32


def test_a_port_in_use_and_a_missing_file_are_said(studio: Studio, tmp_path: Path) -> None:
    port = studio.url.split(":")[2].split("/")[0]
    run = harness.formctl("studio", "--no-open", "--port", port, studio.file)
    assert run.returncode == 2 and f"port {port} is in use" in run.stderr and "--port" in run.stderr
    run = harness.formctl("studio", tmp_path / "none.form.json")
    assert run.returncode == 2 and "no such file or folder" in run.stderr


def test_a_folder_has_a_choice_of_forms(browser: chromium.Chromium, tmp_path: Path) -> None:
    for name in ("login", "booking"):
        shutil.copytree(harness.EXAMPLES / name, tmp_path / name)
    studio = Studio(browser, tmp_path)
    try:
        studio.ready()
        assert studio.tab.value("#file").endswith("booking.form.json")
        studio.tab.js("document.querySelector('#file').selectedIndex = 1;"
                      "document.querySelector('#file').dispatchEvent(new Event('change'))")  # fmt: skip
        studio.tab.until("document.querySelector('#form [name=email]')")
        studio.ready()
    finally:
        studio.end()


@pytest.mark.parametrize("name", ["signup", "booking", "invoice", "login", "expenses", "shipment"])
def test_the_example_forms_are_drawn(browser: chromium.Chromium, name: str) -> None:
    studio = Studio(browser, harness.EXAMPLES / name)
    try:
        studio.ready()
        assert studio.tab.js("document.querySelectorAll('#form [name]').length") > 1
        assert studio.tab.violations() == [] and studio.tab.warnings() == []
        assert studio.tab.problems() == []
    finally:
        studio.end()


def test_choices_have_groups_helps_and_disabled_ones(browser: chromium.Chromium, tmp_path: Path) -> None:
    choices = [{"value": "bus", "group": "By road", "help": "A day"}, {"value": "car", "group": "By road"},
               {"value": "ship", "disabled": True}]  # fmt: skip
    ways = {"enum": ["bus", "car", "ship"]}
    schema = {"properties": {"way": ways, "back": ways, "place": {"type": "string", "maxLength": 9}}}
    fields = {"way": {"options": choices}, "back": {"options": choices, "widget": "radio"}, "place": {"options": choices, "other": True}}
    (tmp_path / "ways.form.json").write_text(json.dumps({"form": "ways", "schema": schema, "fields": fields}), encoding="utf-8")
    studio = Studio(browser, tmp_path)
    try:
        studio.ready()
        select = studio.tab.js("document.querySelector('#form select').innerHTML")
        assert select.count('<optgroup label="By road"><option value="bus">bus – A day</option><option') == 1
        assert select.endswith('<option value="ship" disabled="">ship</option>')
        assert studio.tab.js("document.querySelector('#form [value=ship][type=radio]').matches('[inert] *')")
        assert studio.tab.js("document.querySelector('#form [name=place]').list.options.length") == 3
    finally:
        studio.end()


def test_a_first_form_is_written_as_the_page_says(browser: chromium.Chromium, tmp_path: Path) -> None:
    text = (harness.ROOT / "protocol" / "studio.md").read_text(encoding="utf-8")
    form, = re.findall(r"^```json file:contact\.form\.json\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    studio = Studio(browser, tmp_path)
    tab = studio.tab
    try:
        tab.until("!document.querySelector('#problems').hidden")
        studio.until_text("#problems", "this folder has no *.form.json")
        studio.until_text("#form", "It then appears here.")
        studio.file = tmp_path / "contact.form.json"
        studio.write(form)
        tab.until("document.querySelector('#form form')")
        studio.ready()
        assert tab.js("document.querySelector('#problems').hidden")
        tab.click("#form [name=isUrgent]")
        tab.until("!document.querySelector('#form [data-formd-field=phone]').hidden")
        tab.key("Tab")
        studio.until_text("#why h3", "phone")
        studio.until_text("#why", "values.isUrgent")
        # A mistake, and its correction.
        studio.write(form.replace('"values.isUrgent"', '"values.isUrgentt"'))
        tab.until("!document.querySelector('#problems').hidden")
        line = 1 + form.split('"values.isUrgent"')[0].count("\n")
        assert f"contact.form.json:{line}:" in tab.text("#problems") and "isUrgent" in tab.text("#problems")
        assert tab.js("!document.querySelector('#form [data-formd-field=phone]').hidden")
        studio.write(form)
        tab.until("document.querySelector('#problems').hidden")
        # A request and its answers.
        for name, text in (("email", "Kim@example.com"), ("text", "Hello, are you there?"), ("phone", "12")):
            studio.type(name, text)
        tab.click("#form [name=action]")
        studio.until_text("#requests", '"kim@example.com"')
        tab.focus("#form [name=phone]")
        studio.until_text("#why h3", "phone")
        picture(studio)
        studio.fill("#response", '{ "status": 201, "body": {} }')
        tab.click("#answer button")
        studio.until_text("#form .formd-status", "Thank you.")
        tab.click("#form [name=action]")
        tab.until("!document.querySelector('#answer').hidden")
        studio.fill("#response", '{ "kind": "refused" }')
        tab.click("#answer button")
        studio.until_text("#form .formd-status", "That did not work.")
        # The case.
        studio.fill("#case", "sends a message")
        tab.click("#record button")
        studio.until_text("#said", "contact.test.json")
        tab.click("#run")
        studio.until_text("#results", "1 of 1 passed")
        assert harness.formctl("test", tmp_path).returncode == 0
        studio.write(form.replace("Thank you.", "We thank you."))
        assert harness.formctl("test", tmp_path).returncode == 1
        tab.click("#run")
        studio.until_text("#results", "We thank you.")
        assert tab.problems() == []
    finally:
        studio.end()


def picture(studio: Studio) -> None:
    """With FORMD_SCREENSHOTS=FOLDER, pictures for people to look at."""
    folder = os.environ.get("FORMD_SCREENSHOTS")
    if folder:
        tab = studio.tab
        for name, width, scheme in (("studio", 1000, "light"), ("studio-narrow", 360, "light"), ("studio-dark", 1000, "dark")):
            size = {"width": width, "height": 960, "deviceScaleFactor": 1, "mobile": width < 500}
            tab.call("Emulation.setDeviceMetricsOverride", size)
            tab.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            tab.js("scrollTo(0, 0)")
            data = tab.call("Page.captureScreenshot")["data"]
            (Path(folder) / f"{name}.png").write_bytes(base64.b64decode(data))
        tab.call("Emulation.clearDeviceMetricsOverride")
        tab.call("Emulation.setEmulatedMedia", {"features": []})
