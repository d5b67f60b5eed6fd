"""The example programs for Flask, Django and Starlette in a browser, with and without JavaScript."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any, Iterator

import chromium
import harness
import pytest
import web
from back_ends import COMMANDS, PROGRAMS, Program, free_port
from formd.web import Form

IS_LIVE = "document.querySelector('form').dataset.formdState === 'live'"


class Site:
    """A daemon, a door and a program, whose page loads the client from the door's own origin."""

    def __init__(self, name: str, folder: Path) -> None:
        port = free_port()
        self.url = f"http://localhost:{port}/"
        self.daemon = harness.Daemon(folder, {}, PROGRAMS / "forms")
        rules: Any = {"address": "127.0.0.1:0", "hosts": ["localhost"], "origins": [self.url[:-1]], "forms": {"account": {"open": True}}}
        self.door = web.Door(folder, self.daemon.path, rules)
        self.program = Program(name, self.daemon.path, port, f"http://localhost:{self.door.port}")

    def end(self) -> None:
        for process in (self.program, self.door, self.daemon):
            process.end()


# FastAPI sends the page of Starlette.
@pytest.fixture(scope="module", params=[name for name in COMMANDS if name != "fastapi"])
def site(request: pytest.FixtureRequest, scratch: Path) -> Iterator[Site]:
    site = Site(request.param, Path(tempfile.mkdtemp(dir=scratch)))
    yield site
    site.end()


@pytest.fixture
def tab(browser: chromium.Chromium) -> Iterator[chromium.Tab]:
    tab = browser.tab()
    yield tab
    problems = tab.problems()
    tab.close()
    assert problems == []


def put(tab: chromium.Tab, name: str, text: str) -> None:
    """Replaces the text of a control, or chooses an option."""
    tab.focus(f"[name={name}]")
    tab.js("document.activeElement.select?.()")
    tab.type(text)


def press(tab: chromium.Tab, clicks: int = 1) -> None:
    """Presses the button when no answer can come that moves it between the look for it and the press."""
    if tab.js(IS_LIVE):
        tab.settled()
    tab.click("button[name=action]", clicks)


def send(tab: chromium.Tab, clicks: int = 1) -> str:
    """Presses the button, and returns the text of the page that is loaded then."""
    before = len(tab.browser.events)
    press(tab, clicks)
    tab.browser.event("Page.loadEventFired", tab.session, before)
    return str(tab.js("document.body.textContent"))


def message(tab: chromium.Tab, name: str) -> str:
    return str(tab.text(f"[data-formd-message={name}]")).strip()


def test_a_page_with_scripts_is_checked_while_it_is_filled_in(site: Site, tab: chromium.Tab) -> None:
    tab.open(site.url)
    tab.until(IS_LIVE)
    put(tab, "email", "kim")
    tab.focus("[name=password]")
    tab.until("document.querySelector('[data-formd-message=email]').textContent.trim() === 'That is not an email address.'")
    seats = "document.querySelector('[name=seats]').closest('[data-formd-field]').hidden"
    assert tab.js(seats)
    put(tab, "plan", "For a t")
    tab.until(f"!{seats}")
    press(tab)
    # The session refuses the tap, and nothing is posted.
    tab.until("!document.querySelector('.formd-summary').hidden")
    assert message(tab, "seats") == "This is required." and tab.js("location.pathname") == "/"
    put(tab, "email", "kim@example.com")
    put(tab, "name", " Kim ")
    put(tab, "seats", "12")
    put(tab, "password", "correct horse")
    # The second click of a double click is no second post.
    welcome = send(tab, 2)
    assert welcome.startswith("Welcome, Kim. ")
    number = int(welcome.rsplit(" ", 1)[1].strip("."))
    tab.open(site.url)
    tab.until(IS_LIVE)
    for name, text in (("name", "Lee"), ("email", "lee@example.com"), ("password", "correct horse"), ("plan", "For me")):
        put(tab, name, text)
    assert send(tab) == f"Welcome, Lee. You are number {number + 1}."


def test_a_page_without_scripts_says_the_same(site: Site, tab: chromium.Tab) -> None:
    tab.call("Emulation.setScriptExecutionDisabled", {"value": True})
    tab.open(site.url)
    put(tab, "email", "kim")
    put(tab, "plan", "For a t")
    send(tab)
    assert message(tab, "email") == "That is not an email address." and message(tab, "seats") == "This is required."
    assert tab.value("[name=email]") == "kim" and tab.value("[name=plan]") == "team" and tab.value("[name=password]") == ""
    put(tab, "email", "kim@example.com")
    put(tab, "name", "Kim")
    put(tab, "seats", "3")
    put(tab, "password", "correct horse")
    assert send(tab).startswith("Welcome, Kim. ")


def test_axe_finds_nothing_on_a_page_before_and_after_its_errors(site: Site, tab: chromium.Tab) -> None:
    tab.open(site.url)
    tab.until(IS_LIVE)
    assert tab.violations() == []
    press(tab)
    tab.until("!document.querySelector('.formd-summary').hidden")
    assert tab.violations() == []
    # The same page as the program draws it, with its errors.
    tab.call("Network.enable")
    tab.call("Network.setBlockedURLs", {"urls": ["*client.js"]})
    tab.open(site.url)
    put(tab, "email", "kim")
    send(tab)
    assert message(tab, "email") == "That is not an email address." and tab.violations() == []


def test_a_page_whose_door_is_away_posts(site: Site, tab: chromium.Tab) -> None:
    tab.call("Network.enable")
    tab.call("Network.setBlockedURLs", {"urls": ["*client.js"]})
    tab.open(site.url)
    put(tab, "email", "kim")
    send(tab)
    assert message(tab, "email") == "That is not an email address."


def test_the_page_and_the_post_show_the_same_messages(site: Site, tab: chromium.Tab) -> None:
    chance = random.Random(67)
    form = Form("account", socket=str(site.daemon.path))
    texts = {
        "name": ["", " ", "Kim", "x" * 120], "email": ["", "kim", " KIM@example.com", "a@b"], "seats": ["", "2", "1", "x", "2.0"],
        "password": ["", "short", "correct horse", "Kim and a horse"], "plan": ["", "free", "team"],
    }  # fmt: skip
    for _ in range(6):
        tab.open(site.url)
        tab.until(IS_LIVE)
        page = {name: chance.choice(some) for name, some in texts.items()}
        page["email"] += "!"  # Nothing is posted: this is no address.
        for name, text in page.items():
            tab.js(f"""(() => {{ const control = document.querySelector('[name={name}]');
                control.value = {json.dumps(text)}; control.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()""")
        press(tab)
        tab.until("!document.querySelector('.formd-summary').hidden")
        shown = {name: message(tab, name) for name in texts}
        result = form.check([*page.items(), ("action", "signUp")])
        assert {name: text for name, text in shown.items() if text} == result.errors, page
