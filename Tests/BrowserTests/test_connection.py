"""Whatever ends in between, no typed character is lost, and each tap runs at most once."""

from __future__ import annotations

from typing import Callable

import harness
import pytest
from page import Stage, note_what_is_sent

FORTY = "The quick brown fox jumps over two dogs."


def cut_the_socket(stage: Stage) -> None:
    stage.front.cut()


def kill_the_door(stage: Stage) -> None:
    stage.kill_door()
    stage.start_door()


def kill_the_daemon(stage: Stage) -> None:
    stage.restart_daemon()
    stage.attach_other()


FAILURES = [cut_the_socket, kill_the_door, kill_the_daemon]


@pytest.mark.parametrize("name", ["title", "body"])
@pytest.mark.parametrize("fail", FAILURES)
def test_nothing_that_is_typed_is_lost(stage: Stage, fail: Callable[[Stage], None], name: str) -> None:
    stage.open()
    stage.go()
    stage.front.delay = 0.05
    stage.tab.focus("#" + name)
    for number, character in enumerate(FORTY):
        stage.tab.type(character)
        if number in (7, 22):
            fail(stage)
    assert stage.tab.value("#" + name) == FORTY
    stage.tab.live()
    assert stage.tab.value("#" + name) == FORTY
    assert stage.values()[name] == FORTY


@pytest.mark.parametrize("fail", FAILURES)
def test_all_comes_back_values_messages_rows_and_secrets(stage: Stage, fail: Callable[[Stage], None]) -> None:
    stage.open()
    stage.go()
    tab = stage.tab
    tab.focus("#password")
    tab.type("secret")
    tab.focus("#email")
    tab.type("kim")
    tab.click("#blue")
    # The message moves what is below it, so that it must be there before the next click.
    shown = "document.querySelector('[data-formd-message=email]')?.textContent"
    assert tab.until(shown) == "That is not an email address."
    tab.click("#add")
    tab.until("document.querySelector('[name=\"items[0].count\"]').value === '1'")
    tab.focus("[name='items[0].name']")
    tab.type("row")
    tab.settled()
    fail(stage)
    stage.other.call("field/change", {"field": "/address/city", "value": "Seoul"})
    tab.until("document.querySelector('#city').value === 'Seoul'")
    tab.settled()
    assert tab.value("#password") == "secret" and tab.value("#email") == "kim"
    assert tab.js("document.querySelector('#blue').checked") and tab.until(shown)
    assert tab.value("[name='items[0].name']") == "row" and tab.js("document.activeElement.name") == "items[0].name"
    document = stage.other.call("session/get")["document"]
    assert document["fields"]["password"]["isEmpty"] is False
    tab.type("s")
    tab.settled()
    assert stage.values()["items"] == [{"name": "rows", "count": 1}]


@pytest.mark.parametrize("fail", FAILURES)
@pytest.mark.parametrize("moment", ["at the tap", "while it runs"])
def test_a_tap_runs_at_most_once(stage: Stage, fail: Callable[[Stage], None], moment: str) -> None:
    stage.open(values={"title": "t", "email": "a@b", "body": "b"})
    stage.go()
    stage.front.held.clear()
    # The answer of the daemon to the tap never arrives.
    stage.front.delay = 0.3
    stage.tab.click("#send")
    if moment == "while it runs":
        stage.front.wait(lambda: stage.front.asked, "a request of the daemon")
    fail(stage)
    stage.front.delay = 0
    stage.front.held.set()
    stage.tab.live()
    stage.tab.until("document.querySelector('.formd-status').textContent")
    assert len(stage.front.asked) <= 1
    # It is not stuck: the next tap is another one.
    before = len(stage.front.asked)
    stage.tab.js("window.heard = []; document.addEventListener('formd:event', ({ detail }) => heard.push(detail.kind))")
    harness.eventually(lambda: not stage.other.call("session/get")["document"]["actions"]["send"]["isLoading"], "rest")
    stage.tab.settled()
    stage.tab.click("#send")
    stage.front.wait(lambda: len(stage.front.asked) == before + 1, "the next request")
    stage.tab.until("heard.includes('succeeded')")
    assert len(stage.front.asked) == before + 1


def test_what_another_client_changed_in_the_meantime_is_not_overwritten_by_the_page(stage: Stage) -> None:
    stage.open(values={"title": "old", "body": "old"})
    stage.go()
    stage.tab.focus("#email")
    stage.tab.type("a")
    stage.tab.settled()
    stage.front.refuses = True
    stage.front.cut()
    stage.tab.until("document.querySelector('form').dataset.formdState === 'waiting'")
    stage.other.call("field/change", {"values": {"title": "new", "body": "new"}})
    stage.tab.type("b")
    stage.front.refuses = False
    stage.tab.live()
    assert stage.tab.value("#title") == "new" and stage.tab.value("#body") == "new"
    assert stage.tab.value("#email") == "ab"
    values = stage.values()
    assert (values["title"], values["body"], values["email"]) == ("new", "new", "ab")


def test_a_socket_that_is_silent_after_sleep_is_replaced(stage: Stage) -> None:
    stage.open()
    note_what_is_sent(stage)
    stage.go()
    before = stage.front.upgrades
    stage.front.open.clear()
    # The machine wakes up, and the network has forgotten the connection.
    stage.tab.js("dispatchEvent(new Event('online'))")
    # A connection that works answers this question, and stays.
    stage.tab.until("sent.some(({ method }) => method === 'server/ping')")
    stage.tab.until("document.querySelector('form').dataset.formdState !== 'live'")
    stage.tab.focus("#title")
    stage.tab.type("asleep")
    stage.front.open.set()
    stage.tab.live()
    assert stage.front.upgrades > before
    assert stage.values()["title"] == "asleep"


def test_back_brings_the_page_with_a_new_socket_and_what_was_typed(stage: Stage) -> None:
    stage.open()
    stage.go()
    stage.front.pages["/other"] = "<!doctype html><title>Other</title><a href='/page'>Back</a>"
    tab = stage.tab
    tab.focus("#title")
    tab.type("before")
    tab.settled()
    tab.js("window.isTheSamePage = true; addEventListener('pageshow', ({ persisted }) => (window.wasKept = persisted))")
    tab.focus("#body")
    tab.type("unsent")
    tab.open(stage.front.url + "/other")
    stage.other.call("field/change", {"field": "/address/city", "value": "Busan"})
    tab.js("history.back()")
    tab.until("document.querySelector('form')")
    tab.live()
    assert tab.value("#title") == "before" and tab.value("#body") == "unsent"
    tab.until("document.querySelector('#city').value === 'Busan'")
    assert stage.values()["body"] == "unsent"
    assert tab.js("window.isTheSamePage && window.wasKept"), "the browser did not keep the page"


def test_after_three_failures_the_form_posts_and_a_tap_that_waits_is_posted_once(stage: Stage) -> None:
    stage.open()
    stage.front.refuses = True
    stage.go(live=False)
    stage.tab.focus("#title")
    stage.tab.type("posted")
    stage.tab.click("#send")
    stage.front.wait(lambda: stage.front.posts, "the post")
    [(path, fields)] = stage.front.posts
    assert path == "/posted"
    assert fields["title"] == "posted" and fields["action"] == "send" and fields["token"] == "t1"
    stage.tab.until("document.querySelector('h1').textContent === 'Posted'")
    assert stage.front.asked == []


def test_a_session_that_is_gone_is_posted_at_once(stage: Stage) -> None:
    stage.open()
    stage.other.call("session/close")
    stage.go(live=False)
    stage.tab.until("document.querySelector('form').dataset.formdState === 'ended'")
    stage.tab.focus("#body")
    stage.tab.type("kept")
    stage.tab.click("#send")
    stage.front.wait(lambda: stage.front.posts, "the post")
    assert stage.front.posts[0][1]["body"] == "kept"


def test_a_form_that_the_door_refuses_is_posted_at_once(stage: Stage) -> None:
    stage.go(data='data-formd-form="login"', live=False)
    stage.tab.until("document.querySelector('form').dataset.formdState === 'ended'")
    assert stage.front.upgrades == 1


def test_without_scripts_the_form_posts_as_ever(stage: Stage) -> None:
    stage.open()
    stage.tab.call("Emulation.setScriptExecutionDisabled", {"value": True})
    stage.go(live=False, rows='<fieldset data-formd-row="items"><input name="items[0].name" value="r"></fieldset>')
    stage.tab.click("#title")
    stage.tab.type("plain")
    stage.tab.key("Enter")
    stage.front.wait(lambda: stage.front.posts, "the post")
    fields = stage.front.posts[0][1]
    assert fields["title"] == "plain" and fields["items[0].name"] == "r" and fields["action"] == "send"
    assert "items[].name" not in fields


def test_a_form_that_anybody_may_open_is_restored_in_a_new_session_when_its_session_is_gone(stage: Stage) -> None:
    stage.go(data='data-formd-form="note"', rows='''<fieldset data-formd-row="items"><legend>Item</legend>
      <label>Name <input name="items[0].name" value="of the page"></label></fieldset>''')
    tab = stage.tab
    tab.focus("#email")
    tab.type("kim")
    tab.focus("#password")
    tab.type("secret")
    tab.click("#urgent")
    tab.focus("[name='items[0].name']")
    tab.key("End")
    tab.type("!")
    tab.settled()
    tab.until("document.querySelector('[data-formd-message=email]').textContent")
    tab.js("window.had = document.activeElement")
    stage.front.cut()
    tab.until("document.querySelector('form').dataset.formdState !== 'live'")
    tab.type("?")
    tab.live()
    assert tab.js("document.activeElement === window.had")
    tab.settled()
    values = tab.js("""import('/formd/client.js').then(({ enhance }) => {
        const form = enhance(document.querySelector('form'));
        return { email: form.get('email'), isUrgent: form.get('isUrgent'), items: form.get('items'),
          isEmpty: form.field('password').isEmpty, message: form.document.messages.email };
    })""")
    assert values["items"][0]["name"] == "of the page!?" and values["email"] == "kim" and values["isUrgent"] is True
    assert values["isEmpty"] is False and values["message"] == "That is not an email address."
    assert tab.value("#email") == "kim" and tab.value("#password") == "secret"
    assert tab.js("document.querySelector('#urgent').checked")
