"""Rows in rows, and choices that come from a service."""

from __future__ import annotations

from page import NOTE, Stage, note_what_is_sent

ORDERS = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Orders</title>
<h1>Orders</h1>
<form method="post" action="/posted" {data}>
  <p><label for="country">Country</label>
    <select id="country" name="country"><option value="">-</option><option>KR</option><option>CH</option></select></p>
  <p><label for="search">Search</label> <input id="search" name="search"></p>
  <p><label for="city">City</label> <select id="city" name="city"><option value="">Choose a city</option></select></p>
  <div id="orders">
    <template data-formd-row="orders"><fieldset class="order"><legend>Order <span data-formd-number></span></legend>
      <label for="orders[].name">Name</label> <input id="orders[].name" name="orders[].name">
      <div>
        <template data-formd-row="orders[].lines"><fieldset class="line"><legend>Line <span data-formd-number></span></legend>
          <label for="orders[].lines[].sku">Article</label> <input id="orders[].lines[].sku" name="orders[].lines[].sku">
          <label for="orders[].lines[].count">Count</label> <input id="orders[].lines[].count" name="orders[].lines[].count">
          <output data-formd-output="orders[].lines[].twice" class="twice"></output>
          <button type="button" data-formd-move="up" class="line-up">Up</button>
          <button type="button" data-formd-remove class="line-remove">Remove</button></fieldset></template>
      </div>
      <button type="button" data-formd-add="orders[].lines" class="add-line">Add a line</button>
      <button type="button" data-formd-move="up" class="order-up">Up</button>
      <button type="button" data-formd-remove class="order-remove">Remove the order</button></fieldset></template>
  </div>
  <button type="button" data-formd-add="orders" id="add">Add an order</button>
</form>
<script type="module" src="/formd/client.js"></script></html>"""

CITIES = {
    ("KR", ""): ["Seoul", "Busan"], ("KR", "a"): ["Daegu", "Busan"], ("KR", "x"): [], ("CH", ""): ["Bern", "Chur"],
}  # fmt: skip


def go(stage: Stage, **options: object) -> None:
    stage.front.service = lambda body: {
        "cities": [{"name": name, "label": name.upper(), "note": "not for browsers"}
                   for name in CITIES.get((body.get("country"), body.get("search")), [])]}  # fmt: skip
    stage.open("orders", **options)
    stage.go(ORDERS)


def test_rows_in_rows_are_added_moved_and_removed(stage: Stage) -> None:
    go(stage)
    tab = stage.tab
    tab.click("#add")
    tab.until("document.querySelector('[name=\"orders[0].name\"]')")
    tab.click("#add")
    tab.until("document.querySelector('[name=\"orders[1].name\"]')")
    for order, skus in ((0, ["a1", "b1"]), (1, ["c1"])):
        for line, sku in enumerate(skus):
            tab.click(f".order:nth-of-type({order + 1}) .add-line")
            name = f"orders[{order}].lines[{line}]"
            tab.until(f"document.querySelector('[name=\"{name}.count\"]')?.value === '1'")
            tab.focus(f"[name='{name}.sku']")
            tab.type(sku)
    tab.until("document.querySelectorAll('.line').length === 3")
    assert tab.js("[...document.querySelectorAll('.line legend')].map((one) => one.textContent)") == [
        "Line 1", "Line 2", "Line 1"]  # fmt: skip
    assert tab.js("[...document.querySelectorAll('label')].every((label) => label.control)")
    tab.focus("[name='orders[0].lines[1].count']")
    tab.key("Backspace")
    tab.type("7")
    tab.until("document.querySelectorAll('.twice')[1].textContent === '14'")
    # A line moves within its order, and an order with its lines.
    tab.click(".order:nth-of-type(1) .line:nth-of-type(2) .line-up")
    tab.until("document.querySelector('[name=\"orders[0].lines[0].sku\"]').value === 'b1'")
    tab.click(".order:nth-of-type(2) .order-up")
    tab.until("document.querySelector('[name=\"orders[0].lines[0].sku\"]').value === 'c1'")
    tab.settled()
    assert stage.values()["orders"] == [
        {"lines": [{"sku": "c1", "count": 1}]},
        {"lines": [{"sku": "b1", "count": 7}, {"sku": "a1", "count": 1}]},
    ]
    # A message is at its own line, and goes with it.
    tab.focus("[name='orders[1].lines[0].sku']")
    tab.key("Backspace")
    tab.focus("[name='orders[1].lines[0].count']")
    tab.until("document.querySelector('[name=\"orders[1].lines[0].sku\"]').getAttribute('aria-invalid') === 'true'")
    assert tab.accessible("[name='orders[1].lines[0].sku']")["description"] == "At least two characters."
    tab.click(".order:nth-of-type(2) .line:nth-of-type(1) .line-remove")
    tab.until("document.querySelectorAll('.line').length === 2")
    assert not tab.js("document.querySelector('[aria-invalid=true]')")
    tab.click(".order:nth-of-type(2) .order-remove")
    tab.until("document.querySelectorAll('.order').length === 1")
    tab.settled()
    assert stage.values()["orders"] == [{"lines": [{"sku": "c1", "count": 1}]}]


def test_rows_in_rows_of_another_client_appear_and_what_is_typed_stays(stage: Stage) -> None:
    go(stage, values={"orders": [{"name": "one", "lines": [{"sku": "a1"}]}]})
    tab = stage.tab
    assert tab.value("[name='orders[0].lines[0].sku']") == "a1"
    tab.focus("[name='orders[0].lines[0].sku']")
    # What is typed has no answer yet when the values of the new order come, and stands in the same list.
    stage.front.delay = 0.4
    tab.type("23")
    stage.other.call("field/insert", {"field": "orders", "at": 0, "value": {"name": "new", "lines": [{"sku": "zz"}, {}]}})
    tab.until("document.querySelector('[name=\"orders[1].lines[0].sku\"]')?.value === 'a123'")
    assert tab.js("document.activeElement.name") == "orders[1].lines[0].sku"
    tab.until("document.querySelector('[name=\"orders[0].lines[0].sku\"]').value === 'zz'")
    assert tab.js("document.querySelectorAll('.order:nth-of-type(1) .line').length") == 2
    tab.type("4")
    tab.settled()
    assert stage.values()["orders"][1]["lines"] == [{"sku": "a1234", "count": 1}]


def options(stage: Stage) -> list[str]:
    return stage.tab.js("[...document.querySelector('#city').options].map((one) => one.textContent)")


def test_a_service_changes_the_choices_of_a_select_and_the_selection_stays(stage: Stage) -> None:
    go(stage)
    tab = stage.tab
    assert options(stage) == ["Choose a city"]
    tab.focus("#country")
    tab.type("K")
    tab.until("document.querySelector('#city').options.length === 3")
    assert options(stage) == ["Choose a city", "SEOUL", "BUSAN"]
    tab.focus("#city")
    tab.type("B")
    assert tab.value("#city") == "Busan"
    tab.settled()
    # Other choices, with the chosen one at the same place and at another one.
    tab.focus("#search")
    tab.type("a")
    tab.until("document.querySelector('#city').options[1]?.textContent === 'DAEGU'")
    assert (options(stage), tab.value("#city")) == (["Choose a city", "DAEGU", "BUSAN"], "Busan")
    assert tab.js("[...document.querySelector('#city').options].map((one) => one.disabled)") == [False, True, False]
    assert stage.values()["city"] == "Busan"
    # The focus stays in a select whose choices change.
    tab.focus("#city")
    stage.other.call("field/change", {"field": "search", "value": ""})
    tab.until("document.querySelector('#city').options[1]?.textContent === 'SEOUL'")
    assert tab.js("document.activeElement.id") == "city" and tab.value("#city") == "Busan"
    # A city of another country is not a choice any more: the message says so.
    tab.focus("#country")
    tab.type("C")
    tab.until("document.querySelector('#city').options[1]?.textContent === 'BERN'")
    tab.until("document.querySelector('#city').getAttribute('aria-invalid') === 'true'")
    assert "Choose a city of the country." in tab.accessible("#city")["description"]
    tab.focus("#city")
    tab.type("C")
    tab.until("document.querySelector('#city').getAttribute('aria-invalid') === 'false'")
    stage.wait_for_values(city="Chur")


def test_a_page_gets_the_choices_and_not_what_else_the_service_said(stage: Stage) -> None:
    stage.tab.call("Page.addScriptToEvaluateOnNewDocument", {"source": """
        window.heard = [];
        const { set, get } = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
        Object.defineProperty(WebSocket.prototype, 'onmessage', { get, set(hear) {
            set.call(this, (event) => { heard.push(event.data); hear(event); });
        } });
    """})  # fmt: skip
    go(stage)
    stage.tab.focus("#country")
    stage.tab.type("K")
    stage.tab.until("document.querySelector('#city').options.length === 3")
    stage.tab.settled()
    assert stage.other.call("session/get")["document"]["lookups"]["cities"]["value"][0]["note"] == "not for browsers"
    heard = stage.tab.js("heard")
    assert any("BUSAN" in text for text in heard) and not any("not for browsers" in text for text in heard)


def test_a_page_that_does_not_read_for_long_is_not_cut_and_then_shows_the_last_state(stage: Stage) -> None:
    note_what_is_sent(stage)
    stage.open()
    stage.go()
    tab = stage.tab
    upgrades = stage.front.upgrades
    # The page waits for an answer that the front holds back, and does nothing else.
    stage.front.held.clear()
    number = tab.browser.send("Runtime.evaluate", {"expression": """
        const asked = new XMLHttpRequest();
        asked.open('POST', '/service', false);
        asked.send('{}');
    """}, tab.session)  # fmt: skip
    stage.front.wait(lambda: stage.front.asked, "the question of the page")
    # More than sockets hold, in few calls: the page must not be silent for longer than a ping waits.
    for count in range(100):
        stage.other.call("field/change", {"field": "body", "value": f"{count} " + "x" * 40_000})
    stage.other.call("field/change", {"values": {"body": "the end", "why": "because"}})
    stats = stage.other.call("server/stats")
    stage.front.held.set()
    tab.browser.answer(number)
    tab.until("document.querySelector('#body').value === 'the end'")
    tab.settled()
    assert stage.front.upgrades == upgrades, "the page has connected again"
    assert stats["connectionsStalled"] == 0
    assert stage.values()["body"] == "the end"


PHONES = """<div id="phones"><fieldset data-formd-row="phones"><label for="phones[0]">Phone</label>
    <input id="phones[0]" name="phones[0]" value="12"></fieldset>
  <fieldset data-formd-row="phones"><label for="phones[1]">Phone</label> <input id="phones[1]" name="phones[1]" value="34"></fieldset>
  <template data-formd-row="phones"><fieldset><label for="phones[]">Phone</label> <input id="phones[]" name="phones[]"></fieldset></template>
  </div><button type="button" data-formd-add="phones" id="add-phone">Add a phone</button>"""


def test_rows_of_texts_that_the_page_has_keep_their_texts(stage: Stage) -> None:
    stage.open()
    stage.go(NOTE.replace('<div id="rows">', PHONES + '<div id="rows">'))
    tab = stage.tab
    stage.wait_for_values(phones=["12", "34"])
    texts = "[...document.querySelectorAll('#phones input')].map(({ name, value }) => name + '=' + value).join()"
    assert tab.js(texts) == "phones[0]=12,phones[1]=34"
    tab.click("#add-phone")
    tab.until("document.getElementById('phones[2]')")
    tab.focus("[name='phones[2]']")
    tab.type("56")
    stage.wait_for_values(phones=["12", "34", "56"])
    assert tab.js(texts) == "phones[0]=12,phones[1]=34,phones[2]=56"
