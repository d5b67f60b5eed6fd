"""What browsers and managers of passwords fill in, messages and their announcement, and taps."""

from __future__ import annotations

import harness
import pytest
from page import NOTE, Stage, changes, note_what_is_sent

ANNOUNCED = "document.querySelector('.formd-announcer').textContent"


def test_what_was_filled_in_before_the_script_ran_is_told(stage: Stage) -> None:
    stage.open()
    note_what_is_sent(stage)
    early = """<script src="/early.js"></script><script type="module" src="/formd/client.js">"""
    stage.front.pages["/early.js"] = "for (const [id, value] of [['title', 'restored'], ['password', 'pw']]) " \
        "document.getElementById(id).value = value;"  # fmt: skip
    stage.go(NOTE.replace('<script type="module" src="/formd/client.js">', early))
    assert changes(stage, "/title") == [{"field": "/title", "value": "restored", "origin": "autofill"}]
    assert changes(stage, "/password")[0]["origin"] == "autofill"
    assert stage.values()["title"] == "restored" and stage.tab.value("#title") == "restored"
    assert stage.other.call("session/get")["document"]["fields"]["password"]["isEmpty"] is False


def test_what_a_manager_of_passwords_fills_in_is_told_with_and_without_events(stage: Stage) -> None:
    stage.open(values={"title": "t", "body": "b"})
    note_what_is_sent(stage)
    stage.go()
    stage.tab.js("""(() => {
        const email = document.querySelector('#email');
        email.value = 'kim@example.com';
        email.dispatchEvent(new Event('input', { bubbles: true }));
        email.dispatchEvent(new Event('change', { bubbles: true }));
    })()""")
    stage.tab.settled()
    assert changes(stage, "/email") == [{"field": "/email", "value": "kim@example.com", "origin": "autofill"}]
    # Without any event the page sends the value at the tap at the latest.
    stage.tab.js("document.querySelector('#password').value = 'quiet'")
    stage.tab.click("#send")
    stage.front.wait(lambda: stage.front.asked, "the request")
    assert stage.front.asked[0]["password"] == "quiet"
    assert changes(stage, "/password") == [{"field": "/password", "value": "quiet", "origin": "autofill"}]


def test_what_chromium_fills_in_by_itself_is_told_as_autofill(stage: Stage) -> None:
    stage.open()
    note_what_is_sent(stage)
    stage.go()
    document = stage.tab.call("DOM.getDocument")["root"]["nodeId"]
    node = stage.tab.call("DOM.querySelector", {"nodeId": document, "selector": "#email"})["nodeId"]
    number = stage.tab.call("DOM.describeNode", {"nodeId": node})["node"]["backendNodeId"]
    stage.tab.focus("#email")
    try:
        stage.tab.call("Autofill.trigger", {"fieldId": number, "address": {"fields": [
            {"name": "EMAIL_ADDRESS", "value": "kim@example.com"}, {"name": "NAME_FULL", "value": "Kim"}]}})  # fmt: skip
    except AssertionError as error:
        pytest.skip(f"this Chromium does not fill in: {error}")
    stage.tab.until("document.querySelector('#email').value")
    stage.tab.settled()
    assert changes(stage, "/email")[-1]["origin"] == "autofill"


def test_an_error_appears_at_its_field_and_is_announced(stage: Stage) -> None:
    stage.open()
    stage.go()
    tab = stage.tab
    assert tab.js("document.querySelectorAll('[role=status]').length") == 2
    tab.focus("#email")
    tab.type("kim")
    tab.settled()
    assert not tab.js(ANNOUNCED) and tab.accessible("#email")["invalid"] == "false"
    tab.focus("#title")
    assert tab.until(ANNOUNCED) == "Email: That is not an email address."
    assert tab.js("document.activeElement.id") == "title"
    seen = tab.accessible("#email")
    assert seen["invalid"] == "true" and seen["description"] == "That is not an email address."
    assert seen["required"] is True
    # A description that the page gave stays.
    tab.focus("#email")
    assert tab.until("document.querySelector('[data-formd-message=title]').textContent") == "This is required."
    assert tab.accessible("#title")["description"] == "A hint. This is required."
    tab.type("@b")
    tab.until("!document.querySelector('[data-formd-message=email]').textContent")
    seen = tab.accessible("#email")
    assert seen["invalid"] == "false" and seen["description"] == ""


def test_a_rejected_tap_lists_the_problems_and_the_focus_goes_there(stage: Stage) -> None:
    stage.open()
    stage.go()
    tab = stage.tab
    tab.click("#send")
    tab.until("document.activeElement.className === 'formd-summary'")
    seen = tab.accessible(".formd-summary")
    assert (seen["role"], seen["name"]) == ("group", "There is a problem")
    links = "[...document.querySelectorAll('.formd-summary a')].map((link) => link.textContent)"
    assert tab.js(links) == ["Title: This is required.", "Email: This is required.", "Text: Write something."]
    assert tab.text("#body-message") == "Write something."
    assert stage.front.asked == []
    # The first link leads to the first field, by keyboard.
    tab.key("Tab")
    tab.key("Enter")
    tab.until("document.activeElement.id === 'title'")
    tab.type("t")
    tab.until(f"{links}.length === 2")
    assert tab.js("document.activeElement.id") == "title"
    for name, text in (("email", "a@b"), ("body", "b")):
        tab.focus("#" + name)
        tab.type(text)
    tab.until("document.querySelector('.formd-summary').hidden")
    tab.focus("#title")
    tab.key("Enter")
    assert tab.until("document.querySelector('.formd-status').textContent") == "It is sent."
    assert len(stage.front.asked) == 1


def test_a_message_does_not_move_the_button_under_the_pointer(stage: Stage) -> None:
    stage.open(values={"title": "t", "body": "b"})
    stage.go()
    tab = stage.tab
    tab.focus("#email")
    tab.type("kim")
    place = tab.js("(() => { document.querySelector('#send').scrollIntoView();"
                   " const box = document.querySelector('#send').getBoundingClientRect(); return [box.x + 5, box.y + 2]; })()")
    mouse = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
    tab.call("Input.dispatchMouseEvent", {"type": "mousePressed", **mouse})
    # The user has left the field, and the daemon has said what is wrong.
    tab.settled()
    tab.call("Input.dispatchMouseEvent", {"type": "mouseReleased", **mouse})
    tab.until("document.activeElement.classList.contains('formd-summary')")
    assert tab.text("[data-formd-message=email]") == "That is not an email address."


@pytest.mark.parametrize("way", ["a double click", "two clicks", "Enter twice"])
def test_two_submits_are_one_tap(stage: Stage, way: str) -> None:
    stage.open(values={"title": "t", "email": "a@b", "body": "b"})
    note_what_is_sent(stage)
    stage.go()
    stage.front.held.clear()
    # The second submit comes before the answer to the first one.
    stage.front.open.clear()
    if way == "a double click":
        stage.tab.click("#send", count=2)
    elif way == "two clicks":
        stage.tab.click("#send")
        stage.tab.click("#send")
    else:
        stage.tab.focus("#title")
        stage.tab.key("Enter")
        stage.tab.key("Enter")
    assert stage.tab.js("sent.filter(({ method }) => method === 'action/tap').length") == 1
    stage.front.open.set()
    stage.front.wait(lambda: stage.front.asked, "the request")
    stage.tab.settled()
    assert stage.tab.js("document.querySelector('#send').getAttribute('aria-busy')") == "true"
    stage.front.held.set()
    stage.tab.until("document.querySelector('.formd-status').textContent === 'It is sent.'")
    stage.tab.settled()
    assert len(stage.front.asked) == 1
    assert stage.tab.js("document.querySelector('#send').getAttribute('aria-busy')") is None


def test_a_fast_double_click_is_one_tap_even_if_the_first_is_done(stage: Stage) -> None:
    stage.open(values={"title": "t", "email": "a@b", "body": "b"})
    stage.go()
    stage.tab.click("#send")
    stage.tab.until("document.querySelector('.formd-status').textContent === 'It is sent.'")
    # The second click of a double click.
    place = stage.tab.js("(() => { const box = document.querySelector('#send').getBoundingClientRect();"
                         " return [box.x + 5, box.y + 5]; })()")  # fmt: skip
    for kind in ("mousePressed", "mouseReleased"):
        stage.tab.call("Input.dispatchMouseEvent",
                       {"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 2})  # fmt: skip
    stage.tab.settled()
    assert len(stage.front.asked) == 1
    assert stage.front.posts == []


def test_the_page_asks_before_it_is_left_only_with_a_guard_and_a_change(stage: Stage) -> None:
    asks = "(() => { const event = new Event('beforeunload', { cancelable: true });" \
        " dispatchEvent(event); return event.defaultPrevented; })()"  # fmt: skip
    stage.open()
    stage.go()
    stage.tab.focus("#title")
    stage.tab.type("x")
    stage.tab.settled()
    assert not stage.tab.js(asks)
    stage.tab.close()
    stage.tab = stage.tab.browser.tab()
    stage.open()
    stage.go(more="data-formd-guard")
    assert not stage.tab.js(asks)
    stage.tab.focus("#title")
    stage.tab.type("x")
    stage.tab.settled()
    assert stage.tab.js(asks)


def test_a_page_without_a_form_can_use_the_session(stage: Stage) -> None:
    opened = stage.open()
    stage.front.pages["/page"] = "<!doctype html><title>None</title><p>Nothing"
    stage.tab.open(stage.front.url + "/page")
    assert stage.tab.js(f"""import('/formd/client.js').then(async ({{ connect }}) => {{
        const form = await connect({{ key: '{opened["key"]}' }});
        window.form = form;
        const heard = [];
        form.subscribe('/fields/title/isEmpty', (isEmpty) => heard.push(isEmpty));
        await form.set('title', 'api');
        await form.set('title', 'api!');
        await form.set('address', {{ city: 'Seoul' }});
        const row = await form.insert('items', {{ value: {{ name: 'n' }} }});
        await form.set(`/items/#${{row}}/count`, 5);
        const event = await form.tap('send');
        return [heard, form.get('title'), form.get('items'), form.get('address'), event.kind, event.blockers.length];
    }})""") == [[False], "api!", [{"name": "n", "count": 5}], {"city": "Seoul"}, "rejected", 2]
    assert stage.values()["title"] == "api!"
    assert stage.values()["items"] == [{"name": "n", "count": 5}]


def test_messages_of_the_back_end_stay_until_their_field_changes(stage: Stage) -> None:
    stage.open(values={"title": "t", "email": "kim@example.com", "body": "b"})
    served = {"body": '<p data-formd-message="body" id="body-message">', "form": "<p data-formd-errors>",
              "summary": "<div data-formd-summary>"}  # fmt: skip
    page = NOTE.replace(served["body"], served["body"] + "This text is taken.")
    more = served["form"] + "Not today.</p>" + served["summary"] + "<p>Two problems</p></div>"
    stage.go(page.replace('<button name="action"', more + '<button name="action"'))
    tab = stage.tab
    assert tab.text("#body-message") == "This text is taken." and tab.text("[data-formd-errors]") == "Not today."
    assert tab.accessible("#body")["invalid"] == "true" and tab.accessible("#body")["description"] == "This text is taken."
    assert tab.text(".formd-summary") == "Two problems" and not tab.js("document.querySelector('.formd-summary').hidden")
    tab.focus("#title")
    tab.type("x")
    tab.settled()
    # The field of the other message has not changed; the form has.
    assert tab.text("#body-message") == "This text is taken." and tab.text("[data-formd-errors]") == ""
    tab.focus("#body")
    tab.type("x")
    tab.until("document.querySelector('#body-message').textContent === ''")
    assert tab.accessible("#body")["invalid"] == "false"
    # The session's own messages take the place.
    tab.js("document.activeElement.select()")
    tab.key("Backspace")
    tab.focus("#title")
    tab.until("document.querySelector('#body-message').textContent === 'Write something.'")
    tab.click("#send")
    tab.until("document.querySelector('.formd-summary').textContent.includes('Write something.')")


def test_names_that_the_form_does_not_have_are_said_in_the_console(stage: Stage) -> None:
    stage.open()
    token = '<input type="hidden" name="token" value="t"><input name="mail"><p data-formd-message="titel"></p>' \
        '<p data-formd-field="items[0].none"></p><button name="action" value="sent">Sent</button>' \
        '<button type="button" name="other">Other</button>'  # fmt: skip
    stage.go(NOTE.replace("</form>", token + "</form>"))
    fields = "title, email, password, body, kind, copies, color, tags, isUrgent, why, address, length, phones, items"
    assert stage.tab.warnings() == [
        f'formd: the form has no field "mail", only {fields}', f'formd: the form has no field "titel", only {fields}',
        f'formd: the form has no field "items[0].none", only {fields}', 'formd: the form has no action "sent", only send',
    ]  # fmt: skip
