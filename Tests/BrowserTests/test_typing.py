"""What the user types stays, whatever comes in the meantime."""

from __future__ import annotations

import pytest
from page import Stage, changes, note_what_is_sent

FORTY = "The quick brown fox jumps over two dogs."


@pytest.mark.parametrize("name", ["title", "body"])
def test_slow_answers_change_nothing_that_is_typed_while_another_client_changes_other_fields(
    stage: Stage, name: str
) -> None:
    stage.open()
    stage.go()
    stage.front.delay = 0.4
    stage.tab.focus("#" + name)
    for number, character in enumerate(FORTY):
        stage.tab.type(character)
        stage.other.call("field/change", {"values": {"why": f"reason {number}", "/address/city": f"city {number}"}})
        assert stage.tab.value("#" + name) == FORTY[: number + 1]
        assert stage.tab.js("document.activeElement.selectionStart") == number + 1
    stage.tab.settled()
    assert stage.tab.value("#" + name) == FORTY
    assert stage.tab.js("document.activeElement.selectionStart") == len(FORTY)
    assert stage.tab.value("#city") == "city 39"
    assert stage.values()[name] == FORTY


def test_text_in_the_middle_keeps_the_caret_when_another_client_changes_the_same_field(stage: Stage) -> None:
    stage.open(values={"body": "ab"})
    stage.go()
    stage.tab.focus("#body")
    stage.tab.js("document.activeElement.setSelectionRange(1, 1)")
    stage.tab.type("1")
    stage.tab.settled()
    stage.other.call("field/change", {"field": "body", "value": "another text"})
    stage.tab.settled()
    assert stage.tab.value("#body") == "a1b"
    assert stage.tab.js("document.activeElement.selectionStart") == 2
    # When the user leaves the field, it shows what counts.
    stage.tab.focus("#title")
    stage.tab.until("document.querySelector('#body').value === 'another text'")


def test_a_value_that_is_older_than_the_change_of_the_user_is_not_shown(stage: Stage) -> None:
    stage.open()
    stage.go()
    stage.tab.js("""
        window.written = [];
        const { set, get } = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value');
        Object.defineProperty(document.querySelector('#kind'), 'value',
            { get, set(value) { written.push(value); set.call(this, value); } });
    """)
    stage.front.open.clear()
    stage.other.call("field/change", {"field": "kind", "value": "letter"})
    stage.tab.focus("#kind")
    stage.tab.type("m")
    stage.front.open.set()
    stage.tab.settled()
    assert stage.tab.value("#kind") == "memo" and stage.values()["kind"] == "memo"
    assert "letter" not in stage.tab.js("written")


def test_the_values_of_the_session_are_on_the_page(stage: Stage) -> None:
    stage.open(values={
        "title": "One", "body": "a\nb", "kind": "memo", "copies": 3, "color": "blue", "tags": ["old"], "isUrgent": True,
        "address": {"city": "Seoul"}, "items": [{"name": "x", "count": 2}, {"name": "y"}],
    })  # fmt: skip
    stage.go()
    tab = stage.tab
    assert [tab.value("#" + name) for name in ("title", "body", "kind", "copies", "city")] \
        == ["One", "a\nb", "memo", "3", "Seoul"]  # fmt: skip
    assert tab.js("[...document.querySelectorAll(':checked')].map((one) => one.id || one.value)") \
        == ["memo", "blue", "old", "urgent"]  # fmt: skip
    assert tab.js("[...document.querySelectorAll('#rows input')].map((one) => [one.name, one.value])") == [
        ["items[0].name", "x"], ["items[0].count", "2"], ["items[1].name", "y"], ["items[1].count", "1"],
    ]  # fmt: skip
    assert tab.js("[...document.querySelectorAll('.twice')].map((one) => one.textContent)") == ["4", "2"]
    assert tab.text("#length") == "3" and tab.text("#shout") == "ONE"
    assert not tab.js("document.querySelector('#why-part').hidden")


def test_each_kind_of_control_tells_its_value(stage: Stage) -> None:
    stage.open()
    stage.go()
    tab = stage.tab
    assert tab.js("document.querySelector('#why-part').hidden")
    tab.focus("#copies")
    tab.type("4")
    for control in ("#blue", "#new", "#old", "#urgent"):
        tab.click(control)
    tab.focus("#kind")
    tab.type("m")
    tab.settled()
    values = stage.values()
    assert values["copies"] == 4 and values["color"] == "blue" and values["tags"] == ["new", "old"]
    assert values["isUrgent"] is True and values["kind"] == "memo"
    assert not tab.js("document.querySelector('#why-part').hidden")
    assert tab.js("document.querySelector('#why').required")
    tab.click("#new")
    tab.click("#urgent")
    tab.focus("#copies")
    tab.type("x")
    tab.settled()
    values = stage.values()
    assert values["tags"] == ["old"] and values["isUrgent"] is False and values["copies"] == "4x"
    assert tab.js("document.querySelector('#why-part').hidden")


def test_a_value_that_the_daemon_normalized_is_shown_when_the_user_leaves_the_field(stage: Stage) -> None:
    stage.open()
    stage.go()
    stage.tab.focus("#email")
    stage.tab.type(" KIM@Example.com ")
    stage.tab.settled()
    assert stage.tab.value("#email") == " KIM@Example.com "
    stage.tab.key("Tab")
    stage.tab.until("document.querySelector('#email').value === 'kim@example.com'")


def test_a_value_that_a_formula_computes_follows(stage: Stage) -> None:
    stage.open()
    stage.go()
    stage.tab.focus("#body")
    stage.tab.type("abc")
    stage.tab.until("document.querySelector('#length').textContent === '3'")


def test_the_focus_stays_where_it_is_when_the_page_changes(stage: Stage) -> None:
    stage.open(values={"items": [{"name": "a"}, {"name": "b"}]})
    stage.go()
    stage.tab.focus("[name='items[1].name']")
    stage.tab.type("c")
    stage.tab.js("window.had = document.activeElement")
    stage.other.call("field/insert", {"field": "items", "at": 0, "value": {"name": "first"}})
    stage.other.call("field/change", {"field": "isUrgent", "value": True})
    stage.tab.until("document.activeElement.name === 'items[2].name'")
    stage.other.call("field/move", {"field": "/items/2", "to": 0})
    stage.tab.until("document.activeElement.name === 'items[0].name'")
    stage.tab.type("d")
    assert stage.tab.js("document.activeElement === window.had && document.activeElement.value") == "bcd"
    stage.tab.settled()
    assert [row["name"] for row in stage.values()["items"]] == ["bcd", "first", "a"]


@pytest.mark.parametrize(("steps", "result"), [
    (["ㅎ", "하", "한"], "한"), (["ㄱ", "그", "글"], "글"), (["k", "か", "かん"], "漢"),
])  # fmt: skip
def test_a_composition_is_not_disturbed_and_shows_no_message(stage: Stage, steps: list[str], result: str) -> None:
    stage.open()
    note_what_is_sent(stage)
    stage.go()
    tab = stage.tab
    # The field was left once, so that its message could show at once after a change by another.
    tab.focus("#email")
    tab.type("x")
    tab.focus("#title")
    tab.until("document.querySelector('[data-formd-message=email]').textContent")
    tab.focus("#email")
    tab.key("Backspace")
    tab.settled()
    for number, text in enumerate(steps):
        tab.compose(text)
        stage.other.call("field/change", {"field": "email", "value": f"other {number}"})
        tab.settled()
        assert tab.value("#email") == text
        assert tab.text("[data-formd-message=email]") == ""
    tab.insert(result)
    tab.settled()
    assert tab.value("#email") == result
    assert stage.values()["email"] == result
    composed = [change["value"] for change in changes(stage, "/email") if change.get("composing")]
    assert composed[-1] in (steps[-1], result) and set(steps) <= set(composed)
    assert "composing" not in changes(stage, "/email")[-1]


def test_rows_are_added_moved_and_removed_by_their_buttons(stage: Stage) -> None:
    stage.open()
    stage.go()
    tab = stage.tab
    tab.click("#add")
    tab.until("document.querySelector('[name=\"items[0].count\"]').value === '1'")
    tab.focus("[name='items[0].name']")
    tab.type("a")
    tab.click("#add")
    tab.until("document.querySelector('[name=\"items[1].name\"]')")
    tab.focus("[name='items[1].name']")
    tab.type("b")
    tab.click("fieldset:nth-of-type(2) .up")
    tab.until("document.querySelector('[name=\"items[0].name\"]').value === 'b'")
    assert tab.js("[...document.querySelectorAll('#rows legend')].map((one) => one.textContent)") == ["Item 1", "Item 2"]
    assert tab.js("[...document.querySelectorAll('#rows label')].every((label) => label.control)")
    tab.settled()
    assert stage.values()["items"] == [{"name": "b", "count": 1}, {"name": "a", "count": 1}]
    tab.click("fieldset:nth-of-type(1) .remove")
    tab.until("document.querySelectorAll('#rows fieldset').length === 1")
    assert tab.js("document.activeElement.className") == "remove"
    tab.click("fieldset:nth-of-type(1) .remove")
    tab.until("!document.querySelector('#rows fieldset')")
    assert tab.js("document.activeElement.id") == "add"
    assert stage.values()["items"] == []
