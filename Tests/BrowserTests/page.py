"""The stage of a test, and the page that most tests open."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Optional

import chromium
import harness
import web
from front import Front

JSON = Any

NOTE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A note</title>
<h1>A note</h1>
<form method="post" action="/posted" {data}>
  <input type="hidden" name="token" value="t1">
  <p><label for="title">Title</label> <input id="title" name="title" aria-describedby="hint"> <span id="hint">A hint.</span></p>
  <p><label for="email">Email</label> <input id="email" name="email" autocomplete="email"></p>
  <p><label for="password">Password</label> <input id="password" name="password" type="password"></p>
  <p><label for="body">Text</label> <textarea id="body" name="body"></textarea></p>
  <p data-formd-message="body" id="body-message"></p>
  <p><label for="kind">Kind</label> <select id="kind" name="kind"><option value="">-</option><option>letter</option><option>memo</option></select></p>
  <p><label for="copies">Copies</label> <input id="copies" name="copies" inputmode="numeric"></p>
  <fieldset><legend>Color</legend>
    <label><input type="radio" name="color" value="red" id="red"> Red</label>
    <label><input type="radio" name="color" value="blue" id="blue"> Blue</label></fieldset>
  <fieldset><legend>Tags</legend>
    <label><input type="checkbox" name="tags" value="new" id="new"> New</label>
    <label><input type="checkbox" name="tags" value="old" id="old"> Old</label></fieldset>
  <p><label><input type="checkbox" name="isUrgent" id="urgent"> Urgent</label></p>
  <p data-formd-field="why" id="why-part"><label for="why">Why</label> <input id="why" name="why"></p>
  <p><label for="city">City</label> <input id="city" name="address.city"></p>
  <div id="rows">
    {rows}
    <template data-formd-row="items"><fieldset><legend>Item <span data-formd-number></span></legend>
      <label for="items[].name">Name</label> <input id="items[].name" name="items[].name">
      <label for="items[].count">Count</label> <input id="items[].count" name="items[].count">
      <span data-formd-output="items[].twice" class="twice"></span>
      <button type="button" data-formd-move="up" class="up">Up</button>
      <button type="button" data-formd-remove class="remove">Remove</button></fieldset></template>
  </div>
  <button type="button" data-formd-add="items" id="add">Add an item</button>
  <p>Length: <output name="length" id="length"></output> <output data-formd-output="shout" id="shout"></output></p>
  <button name="action" value="send" id="send">Send</button>
</form>
<script type="module" src="/formd/client.js"></script></html>"""


class Stage:
    def __init__(self, browser: chromium.Chromium, backend: harness.Backend, folder: Path) -> None:
        self.folder = folder
        self.forms = folder / "forms"
        shutil.copytree(harness.EXAMPLES, self.forms, ignore=shutil.ignore_patterns("*.md", "formd.*"))
        shutil.copytree(Path(__file__).parent / "forms", self.forms / "of-the-tests")
        self.front = Front()
        self.config = harness.configuration(backend)
        self.config["services"]["notes"] = {"http": {"baseURL": self.front.url}}
        self.config["store"] = {"sqlite": {"path": str(folder / "store.sqlite")}}
        self.daemon = harness.Daemon(folder, self.config, self.forms)
        self.start_door()
        self.tab = browser.tab()
        self.looks_at_the_console = True
        self.other: harness.Connection = self.daemon.connect()

    def start_door(self) -> None:
        """The front is the proxy that the pages and the door have in common."""
        forms = {name: {"open": True} for name in ("note", "orders", "signup", "booking", "invoice")}
        rules = {"address": "127.0.0.1:0", "hosts": [self.front.host], "origins": [self.front.url], "forms": forms}
        self.door = web.Door(self.folder, self.daemon.path, rules)
        self.front.door_port = self.door.port

    def kill_door(self) -> None:
        self.door.process.kill()
        self.door.wait()

    def restart_daemon(self) -> None:
        """Kills the daemon, and starts it again with the same store."""
        self.daemon.process.kill()
        self.daemon.wait()
        self.start_daemon()

    def start_daemon(self) -> None:
        self.daemon = harness.Daemon(self.folder, self.config, self.forms)

    def open(self, form: str = "note", **options: JSON) -> JSON:
        """A kept session, opened by the other client, which stays in it."""
        self.opened = self.other.call("session/open", {"form": form, "locale": "en", "keep": "10m", **options})
        return self.opened

    def go(self, html: str = NOTE, rows: str = "", data: Optional[str] = None, more: str = "", live: bool = True) -> None:
        """Opens the page with the session of `open`."""
        data = data or f'data-formd="{self.opened["key"]}"'
        self.front.pages["/page"] = html.replace("{data}", f"{data} {more}").replace("{rows}", rows)
        self.tab.open(self.front.url + "/page")
        if live:
            self.tab.live()

    def values(self) -> JSON:
        """The values of the session, as the other client sees them."""
        return self.other.call("session/get")["values"]

    def wait_for_values(self, **wanted: JSON) -> None:
        def fits() -> bool:
            values = self.values()
            return all(values.get(name) == value for name, value in wanted.items())

        harness.eventually(fits, f"{wanted}, but there is {self.values()}")

    def attach_other(self) -> None:
        """The other client comes back after the daemon ended."""
        self.other = self.daemon.connect()
        self.other.call("session/attach", {"key": self.opened["key"]})

    def end(self) -> None:
        self.front.open.set()
        self.front.held.set()
        self.tab.close()
        self.other.close()
        for process in (self.door, self.daemon):
            if process.process.poll() is None:
                process.process.kill()
                process.wait()
        self.front.end()


def note_what_is_sent(stage: Stage) -> None:
    """Notes what pages send, from the next one on; see `changes`."""
    stage.tab.call("Page.addScriptToEvaluateOnNewDocument", {"source": """
        window.sent = [];
        const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (text) { window.sent.push(JSON.parse(text)); send.call(this, text); };
    """})  # fmt: skip


def changes(stage: Stage, field: str) -> list[JSON]:
    """The params of all changes of a field that the page has sent."""
    return [message["params"] for message in stage.tab.js("sent")
            if message["method"] == "field/change" and message["params"].get("field") == field]  # fmt: skip
