"""The example pages: by keyboard alone, without a violation that axe-core finds, and posted without scripts."""

from __future__ import annotations

import json
import os
import sqlite3
import urllib.request
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import harness
import pytest
from page import Stage

EXAMPLES = ["signup", "booking", "invoice"]
FOCUSED = "document.activeElement"


def go(stage: Stage, name: str) -> None:
    stage.tab.open(f"{stage.front.url}/web/examples/{name}.html")
    stage.tab.live()


def tab_to(stage: Stage, name: str) -> None:
    """Presses Tab until the control of that name, or the button with that text, has the focus."""
    wanted = json.dumps(name)
    seen = []
    for _ in range(60):
        stage.tab.key("Tab")
        focused = stage.tab.js(f"[{FOCUSED}.name === {wanted} || {FOCUSED}.textContent.trim() === {wanted},"
                               f" {FOCUSED}.name || {FOCUSED}.textContent]")  # fmt: skip
        seen.append(focused[1])
        if focused[0]:
            return
    raise AssertionError(f"Tab never comes to {name}, but to {seen}")


def fill(stage: Stage, **texts: str) -> None:
    for name, text in texts.items():
        tab_to(stage, name.replace("__", "."))
        stage.tab.type(text)


def press(stage: Stage, button: str) -> None:
    tab_to(stage, button)
    stage.tab.key("Enter")


def status(stage: Stage, text: str) -> None:
    """Waits until the page tells this outcome."""
    stage.tab.until(f"document.querySelector('.formd-status').textContent === {json.dumps(text)}")


def rows(backend: harness.Backend, query: str) -> list[tuple[Any, ...]]:
    """What the backend has stored."""
    with sqlite3.connect(backend.database) as database:
        return database.execute(query).fetchall()


def day(days: int) -> str:
    """The date in so many days, as a date input takes it: its parts in the order of the browser's language."""
    return (date.today() + timedelta(days)).strftime("%m%d%Y")


def picture(stage: Stage, name: str) -> None:
    """With FORMD_SCREENSHOTS=FOLDER, pictures for people to look at."""
    folder = os.environ.get("FORMD_SCREENSHOTS")
    if folder:
        for kind, width, scheme in (("wide", 800, "light"), ("narrow", 360, "light"), ("dark", 800, "dark")):
            stage.tab.screenshot(Path(folder) / f"{name}-{kind}.png", width, scheme)
        stage.tab.call("Emulation.clearDeviceMetricsOverride")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_axe_finds_nothing_before_and_after_a_rejected_tap(stage: Stage, name: str, scheme: str) -> None:
    stage.tab.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    go(stage, name)
    assert stage.tab.violations() == []
    stage.tab.click("button[name=action]")
    stage.tab.until("!document.querySelector('.formd-summary').hidden")
    assert stage.tab.violations() == []
    if scheme == "light":
        picture(stage, name + "-rejected")


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_narrow_page_needs_no_scrolling_to_the_side(stage: Stage, name: str) -> None:
    stage.tab.call("Emulation.setDeviceMetricsOverride",
                   {"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": True})  # fmt: skip
    go(stage, name)
    stage.tab.click("button[name=action]")
    stage.tab.until("!document.querySelector('.formd-summary').hidden")
    assert stage.tab.js("document.documentElement.scrollWidth") <= 320


def test_signing_up_by_keyboard(stage: Stage, backend: harness.Backend) -> None:
    go(stage, "signup")
    tab = stage.tab
    heading = "[...document.querySelectorAll('section')].filter((part) => !part.hidden).map((part) => part.querySelector('h2').id)"
    assert tab.js(heading) == ["account"]
    fill(stage, email="New@example.com", password="correct horse 1")
    picture(stage, "signup")
    tab.key("Enter")
    tab.until(f"({heading})[0] === 'profile'")
    # The next step has the focus, because the button that had it is hidden.
    assert tab.js(f"{FOCUSED}.dataset.formdStep") == "profile"
    fill(stage, name="Kim")
    tab_to(stage, "country")
    tab.type("Uni")
    tab.until("!document.querySelector('#state').closest('div').hidden")
    fill(stage, address__street="Main St 1", address__city="Springfield", address__state="il", address__postalCode="62701")
    picture(stage, "signup-profile")
    # "Enter" in a field is the button of this step, and not the first one of the form.
    tab.until("document.querySelector('#state').value === 'IL'")
    tab.key("Enter")
    tab.until(f"({heading})[0] === 'newsletter'")
    tab_to(stage, "newsletter.isWanted")
    tab.key(" ")
    tab.until("!document.querySelector('#frequency').closest('div').hidden")
    # The form as a whole is sent only if it is valid.
    press(stage, "Sign up")
    tab.until(f"{FOCUSED}.classList.contains('formd-summary')")
    tab.key("Tab")
    tab.key("Enter")
    tab.until(f"{FOCUSED}.id === 'frequency'")
    tab.type("Every w")
    press(stage, "Sign up")
    status(stage, "Welcome.")
    assert rows(backend, "SELECT name FROM users WHERE email = 'new@example.com'") == [("Kim",)]
    assert not tab.js("(() => { const event = new Event('beforeunload', { cancelable: true });"
                      " dispatchEvent(event); return event.defaultPrevented; })()")  # fmt: skip


def test_a_link_of_the_summary_leads_to_another_step(stage: Stage) -> None:
    go(stage, "signup")
    press(stage, "3. Newsletter")
    stage.tab.until("!document.querySelector('[data-formd-step=newsletter]').hidden")
    press(stage, "Sign up")
    stage.tab.until(f"{FOCUSED}.classList.contains('formd-summary')")
    stage.tab.key("Tab")
    stage.tab.key("Enter")
    stage.tab.until(f"{FOCUSED}.id === 'email'")
    assert not stage.tab.js("document.querySelector('[data-formd-step=account]').hidden")


def test_booking_by_keyboard(stage: Stage, backend: harness.Backend) -> None:
    go(stage, "booking")
    tab = stage.tab
    fill(stage, title="A week in Seoul")
    tab.until("document.querySelector('#slug').value === 'a-week-in-seoul'")
    fill(stage, arrival=day(30), departure=day(33))
    tab.until("document.querySelector('[name=nights]').textContent === '3'")
    fill(stage, guests="2", born="01021990")
    tab.until("document.querySelector('[data-formd-output=total]').textContent === '194.7'")
    fill(stage, email="kim@example.com", code="000000")
    picture(stage, "booking")
    press(stage, "Book")
    tab.until(f"{FOCUSED}.classList.contains('formd-summary')")
    assert tab.text("[data-formd-message=code]") == "That is not the code that was sent."
    press(stage, "Send me a code")
    status(stage, "The code is sent to kim@example.com.")
    # A real server sends the code by mail.
    mail = urllib.request.Request(backend.url + "/codes", json.dumps({"email": "kim@example.com"}).encode())
    with urllib.request.urlopen(mail) as answer:
        code = json.load(answer)["code"]
    # Tab selects the text of the input, so typing replaces the wrong code.
    fill(stage, code=code)
    press(stage, "Book")
    status(stage, "Booked.")
    assert rows(backend, "SELECT title, guests, email FROM bookings WHERE slug = 'a-week-in-seoul'") == [
        ("A week in Seoul", 2, "kim@example.com")
    ]


def test_an_invoice_by_keyboard(stage: Stage, backend: harness.Backend) -> None:
    go(stage, "invoice")
    tab = stage.tab
    fill(stage, customer="Kim")
    press(stage, "Add an item")
    tab.until("document.getElementById('items[0].quantity').value === '1'")
    assert tab.js(f"{FOCUSED}.textContent") == "Add an item"
    fill(stage, **{"items[0].sku": "A-1", "items[0].unitPrice": "9.5"})
    tab.until("document.querySelector('fieldset output').textContent === '9.5'")
    picture(stage, "invoice")
    press(stage, "Add an item")
    tab.until("document.querySelectorAll('fieldset').length === 2")
    press(stage, "Remove")
    tab.until("document.querySelectorAll('fieldset').length === 1")
    assert tab.text("legend") == "Item 1"
    # The row that is left is the second one, which is empty.
    press(stage, "Send")
    tab.until(f"{FOCUSED}.classList.contains('formd-summary')")
    assert tab.text("[data-formd-message='items[0].sku']") == "This is required."
    tab.key("Tab")
    tab.key("Enter")
    tab.until(f"{FOCUSED}.id === 'items[0].sku'")
    tab.type("A-2")
    fill(stage, **{"items[0].unitPrice": "3"})
    press(stage, "Send")
    status(stage, "The invoice is sent.")
    [(items,)] = rows(backend, "SELECT items FROM invoices WHERE customer = 'Kim'")
    assert json.loads(items) == [{"sku": "A-2", "quantity": 1, "unitPrice": 3}]


ROLES = {"region", "group", "navigation", "link", "textbox", "combobox", "checkbox", "Date", "button", "status"}
"""The roles of parts, controls, buttons and live regions. The others are texts and parts of controls."""

# What a screen reader says of the pages, before and after a rejected tap. After "!" stands the message that ends the
# description of a control then, and makes it invalid. After "?" stands the message at a button. A line that begins with
# "!" is there only after the tap.
LIVE = """
    status ""
    status ""
"""
STEPS = """
    navigation "Steps"
    button "1. Account"
    button "2. Profile"
    button "3. Newsletter"
"""
BOOKING = """
    ! group "There is a problem"
    ! link "Name of the stay: This is required."
    ! link "Web address: This is required."
    ! link "Arrival: This is required."
    ! link "Departure: This is required."
    ! link "Guests: This is required."
    ! link "Your date of birth: This is required."
    ! link "Email: This is required."
    ! link "Code: This is required."
    textbox "Name of the stay" required ! This is required.
    textbox "Web address" required: Letters a to z and digits, with hyphens between ! This is required.
    Date "Arrival" ! This is required.
    Date "Departure" ! This is required.
    textbox "Guests" required ! This is required.
    Date "Your date of birth" ! This is required.
    textbox "Email" required ! This is required.
    textbox "Code" required ! This is required.
    status "Nights:"
    status "Total in euros:"
    button "Book"
    button "Send me a code"
""" + LIVE
INVOICE = """
    ! group "There is a problem"
    ! link "Customer: This is required."
    ! link "Items: This must have at least 1 item."
    textbox "Customer" required ! This is required.
    button "Add an item" ? This must have at least 1 item.
    status "Items:"
    status "Total:"
    button "Send"
""" + LIVE
ITEM = """
    ! group "There is a problem"
    ! link "Customer: This is required."
    ! link "Article: This is required."
    ! link "Unit price: This is required."
    textbox "Customer" required ! This is required.
    group "Item 1"
    textbox "Article" required ! This is required.
    textbox "Description"
    textbox "Quantity" required
    textbox "Unit price" required ! This is required.
    status "Net:"
    button "Move up"
    button "Move down"
    button "Remove"
    button "Add an item"
    status "Items:"
    status "Total:"
    button "Send"
""" + LIVE
ACCOUNT = """
    ! group "There is a problem"
    ! link "Email: This is required."
    ! link "Password: This is required."
""" + STEPS + """
    region "Account"
    textbox "Email" required ! This is required.
    textbox "Password" required: Ten characters or more, with a digit. ! This is required.
    button "Next"
""" + LIVE
PROFILE = """
    ! group "There is a problem"
    ! link "Name: This is required."
    ! link "Street: This is required."
    ! link "City: This is required."
    ! link "State: This is required."
    ! link "Postal code: This is required."
""" + STEPS + """
    region "Profile"
    textbox "Name" required ! This is required.
    combobox "Country"
    group "Address"
    textbox "Street" required ! This is required.
    textbox "City" required ! This is required.
    textbox "State" required ! This is required.
    textbox "Postal code" required ! This is required.
    button "Next"
    button "Back"
""" + LIVE
NEWSLETTER = """
    ! group "There is a problem"
    ! link "Email: This is required."
    ! link "Password: This is required."
    ! link "Name: This is required."
    ! link "Street: This is required."
    ! link "City: This is required."
    ! link "State: This is required."
    ! link "Postal code: This is required."
    ! link "How often: This is required."
""" + STEPS + """
    region "Newsletter"
    checkbox "Send me the newsletter"
    combobox "How often" ! This is required.
    button "Sign up"
    button "Back"
""" + LIVE


def before(said: str) -> list[str]:
    """The lines of a page before the rejected tap."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return [line.partition(" ! ")[0].partition(" ? ")[0] for line in lines if not line.startswith("! ")]


def after(said: str) -> list[str]:
    """The lines of a page after the rejected tap."""
    found = []
    for line in said.splitlines():
        start, wrong, message = line.strip().removeprefix("! ").partition(" ! ")
        if wrong:
            control, _, advice = start.partition(": ")
            found.append(f"{control} invalid: {advice} {message}".replace("  ", " "))
        elif start:
            found.append(start.replace(" ? ", ": "))
    return found


def tree(stage: Stage) -> list[str]:
    """What a screen reader says of each part of the page: role, name, states, and the description after a colon."""
    found = []
    for node in stage.tab.accessible_tree():
        # The picker of a date input is the browser's.
        if node["role"] in ROLES and not node["name"].startswith("Show date picker"):
            states = ["required"] if node.get("required") else []
            states += ["invalid"] if node.get("invalid") == "true" else []
            line = " ".join([node["role"], f'"{node["name"]}"', *states])
            found.append(line + (": " + node["description"] if node["description"] else ""))
    return found


def refuse(stage: Stage, action: str) -> None:
    stage.tab.settled()
    stage.tab.click(f"button[value={action}]")
    stage.tab.until(f"{FOCUSED}.classList.contains('formd-summary')")
    stage.tab.settled()


def test_what_a_screen_reader_says_of_the_booking(stage: Stage) -> None:
    go(stage, "booking")
    assert tree(stage) == before(BOOKING)
    refuse(stage, "book")
    assert tree(stage) == after(BOOKING)


def test_what_a_screen_reader_says_of_the_invoice(stage: Stage) -> None:
    go(stage, "invoice")
    assert tree(stage) == before(INVOICE)
    refuse(stage, "send")
    assert tree(stage) == after(INVOICE)


def test_what_a_screen_reader_says_of_an_item_of_the_invoice(stage: Stage) -> None:
    go(stage, "invoice")
    stage.tab.click("[data-formd-add]")
    stage.tab.until("document.querySelector('fieldset')")
    stage.tab.settled()
    assert tree(stage) == before(ITEM)
    refuse(stage, "send")
    assert tree(stage) == after(ITEM)


def test_what_a_screen_reader_says_of_the_account(stage: Stage) -> None:
    go(stage, "signup")
    assert tree(stage) == before(ACCOUNT)
    refuse(stage, "toProfile")
    assert tree(stage) == after(ACCOUNT)


def test_what_a_screen_reader_says_of_the_profile_and_the_newsletter(stage: Stage) -> None:
    go(stage, "signup")
    tab = stage.tab
    tab.click("[data-formd-show=profile]")
    tab.until("!document.querySelector('[data-formd-step=profile]').hidden")
    tab.focus("#country")
    tab.type("Uni")
    tab.until("!document.querySelector('#state').closest('div').hidden")
    tab.settled()
    assert tree(stage) == before(PROFILE)
    tab.click("[data-formd-show=newsletter]")
    tab.until("!document.querySelector('[data-formd-step=newsletter]').hidden")
    tab.click("[type=checkbox]")
    tab.until("!document.querySelector('#frequency').closest('div').hidden")
    tab.settled()
    assert tree(stage) == before(NEWSLETTER)
    tab.click("[data-formd-show=profile]")
    tab.until("!document.querySelector('[data-formd-step=profile]').hidden")
    refuse(stage, "toNewsletter")
    assert tree(stage) == after(PROFILE)
    tab.click("[data-formd-show=newsletter]")
    tab.until("!document.querySelector('[data-formd-step=newsletter]').hidden")
    refuse(stage, "signUp")
    assert tree(stage) == after(NEWSLETTER)


@pytest.mark.parametrize(("name", "fields", "action"), [
    ("signup", ["email", "password", "name", "country", "address.street"], "toProfile"),
    ("booking", ["title", "slug", "arrival", "email"], "book"),
    ("invoice", ["customer"], "send"),
])  # fmt: skip
def test_without_scripts_an_example_posts_as_ever(
    stage: Stage, name: str, fields: list[str], action: str
) -> None:
    stage.tab.call("Emulation.setScriptExecutionDisabled", {"value": True})
    stage.tab.open(f"{stage.front.url}/web/examples/{name}.html")
    stage.tab.click("input")
    stage.tab.type("a@b")
    stage.tab.key("Enter")
    stage.front.wait(lambda: stage.front.posts, "the post")
    path, posted = stage.front.posts[0]
    assert path == "/" + name and posted["action"] == action
    assert set(fields) <= set(posted)
