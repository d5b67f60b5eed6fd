"""Chromium by its DevTools protocol over a pipe (https://chromedevtools.github.io/devtools-protocol/).

Nothing here sleeps: conditions of a page are awaited inside the page.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any, Callable, Iterator, Optional

import harness
import pytest

JSON = Any
AXE = harness.ROOT / ".build" / "axe" / "axe_playwright_python" / "axe.min.js"
PATIENCE_SECONDS = 30.0

KEYS = {
    "Tab": (9, ""), "Enter": (13, "\r"), "Escape": (27, ""), " ": (32, " "), "Backspace": (8, ""),
    "ArrowLeft": (37, ""), "ArrowUp": (38, ""), "ArrowRight": (39, ""), "ArrowDown": (40, ""), "Home": (36, ""),
    "End": (35, ""),
}  # fmt: skip


def program() -> Optional[str]:
    return os.environ.get("CHROMIUM_BIN") or shutil.which("chromium") or shutil.which("chromium-browser")


def described(node: JSON) -> JSON:
    """A node of the accessibility tree: role, name, description and properties."""
    return {
        "role": node["role"]["value"],
        "name": node.get("name", {}).get("value", ""),
        "description": node.get("description", {}).get("value", ""),
        **{one["name"]: one["value"].get("value") for one in node.get("properties", [])},
    }


class Chromium:
    """A headless Chromium with a profile of its own."""

    def __init__(self, profile: Path, arguments: tuple[str, ...] = ()) -> None:
        to_read, self._out = os.pipe()
        self._in, to_write = os.pipe()
        chromium = program()
        assert chromium
        self.process = subprocess.Popen(
            # Chromium reads commands from descriptor 3 and writes answers to descriptor 4.
            ["bash", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "_", chromium, "--headless=new",
             "--remote-debugging-pipe", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
             "--disable-background-networking", "--disable-component-update", "--no-proxy-server",
             f"--user-data-dir={profile}", *arguments, "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(to_read, to_write), start_new_session=True,
        )  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        self._numbers = itertools.count(1)
        self._answers: dict[int, JSON] = {}
        self.events: list[JSON] = []
        self._more = threading.Condition()
        self._ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        unread = b""
        while data := os.read(self._in, 1 << 16):
            unread += data
            *messages, unread = unread.split(b"\0")
            with self._more:
                for text in messages:
                    message = json.loads(text)
                    if "id" in message:
                        self._answers[message["id"]] = message
                    else:
                        self.events.append(message)
                self._more.notify_all()
        with self._more:
            self._ended = True
            self._more.notify_all()

    def send(self, method: str, params: JSON = None, session: Optional[str] = None) -> int:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        return number

    def answer(self, number: int) -> JSON:
        with self._more:
            self._more.wait_for(lambda: number in self._answers or self._ended, PATIENCE_SECONDS)
            assert number in self._answers, "Chromium gave no answer"
            answer = self._answers.pop(number)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def call(self, method: str, params: JSON = None, session: Optional[str] = None) -> JSON:
        return self.answer(self.send(method, params, session))

    def event(self, method: str, session: str, after: int, fits: Callable[[JSON], bool] = lambda _: True) -> JSON:
        def found() -> JSON:
            return next(
                (event for event in self.events[after:] if event["method"] == method
                 and event.get("sessionId") == session and fits(event["params"])), None)  # fmt: skip

        with self._more:
            self._more.wait_for(lambda: found() or self._ended, PATIENCE_SECONDS)
            event = found()
        assert event, f"no {method} came"
        return event["params"]

    def tab(self) -> Tab:
        return Tab(self)

    def end(self) -> None:
        if self.process.poll() is None:
            self.send("Browser.close")
        try:
            self.process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Tab:
    """A page of the browser, in a context of its own."""

    def __init__(self, browser: Chromium) -> None:
        self.browser = browser
        self.context = browser.call("Target.createBrowserContext")["browserContextId"]
        target = browser.call("Target.createTarget", {"url": "about:blank", "browserContextId": self.context})
        self.target = target["targetId"]
        self.session = browser.call("Target.attachToTarget", {"targetId": self.target, "flatten": True})["sessionId"]
        self.began = len(browser.events)
        for domain in ("Page", "Runtime", "DOM", "Accessibility", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setFocusEmulationEnabled", {"enabled": True})

    def call(self, method: str, params: JSON = None) -> JSON:
        return self.browser.call(method, params, self.session)

    def open(self, url: str, waits: bool = True) -> None:
        before = len(self.browser.events)
        self.call("Page.navigate", {"url": url})
        if waits:
            self.browser.event("Page.loadEventFired", self.session, before)

    def js(self, expression: str) -> JSON:
        answer = self.call(
            "Runtime.evaluate",
            {"expression": expression, "awaitPromise": True, "returnByValue": True, "userGesture": True},
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, condition: str) -> JSON:
        """Waits until the expression is true, and returns its value."""
        value = self.js(f"""new Promise((resolve) => {{
            const end = performance.now() + {PATIENCE_SECONDS * 0.9 * 1000};
            const look = () => {{
                let value = null;
                try {{ value = {condition}; }} catch (error) {{ value = null; }}
                if (value || performance.now() > end) resolve(value instanceof Element || value); else setTimeout(look, 5);
            }};
            look();
        }})""")
        assert value, f"this did not come about: {condition}; the page:\n{self.js('document.body.outerHTML')}"
        return value

    def live(self) -> None:
        self.until("document.querySelector('form').dataset.formdState === 'live'"
                   " && document.querySelector('form').formdIsReady !== false")  # fmt: skip
        # A whole round trip: all earlier messages have their answers.
        self.settled()

    def settled(self) -> None:
        """Waits until the daemon has answered everything that the page sent."""
        self.js("""import(document.querySelector('script[src$="client.js"]')?.src ?? '/formd/client.js').then(async ({ enhance }) => {
            const form = enhance(document.querySelector('form'));
            await form.ready;
            await form.request('session/get', {});
        })""")

    # Input

    def key(self, key: str, modifiers: int = 0) -> None:
        # Only letters and digits have their own codes as virtual keys: 46 is "Delete" and not a full stop.
        code, text = KEYS[key] if key in KEYS else (ord(key.upper()) if key.isascii() and key.isalnum() else 0, key)
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        down = "keyDown" if text else "rawKeyDown"
        self.call("Input.dispatchKeyEvent", {"type": down, "text": text, **common} if text else {"type": down, **common})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", **common})

    def type(self, text: str) -> None:
        for character in text:
            self.key("Enter" if character == "\n" else character)

    def click(self, selector: str, count: int = 1) -> None:
        """Waits until the control is enabled and stays where it is, and clicks on it."""
        self.until(f"!document.querySelector({json.dumps(selector)}).disabled")
        last, place = None, self._place(selector)
        while place != last:
            last, place = place, self._place(selector)
        for number in range(1, count + 1):
            for kind in ("mousePressed", "mouseReleased"):
                self.call("Input.dispatchMouseEvent", {"type": kind, "x": place[0], "y": place[1], "button": "left",
                                                       "clickCount": number})  # fmt: skip

    def _place(self, selector: str) -> JSON:
        """Where to click on a control: x and y in the window."""
        return self.js(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{ block: 'center' }});
            const box = element.getBoundingClientRect();
            return [box.x + Math.min(box.width / 2, 20), box.y + box.height / 2];
        }})()""")

    def focus(self, selector: str) -> None:
        self.js(f"document.querySelector({json.dumps(selector)}).focus()")

    def compose(self, text: str) -> None:
        self.call("Input.imeSetComposition", {"text": text, "selectionStart": len(text), "selectionEnd": len(text)})

    def insert(self, text: str) -> None:
        """Ends a composition with this text."""
        self.call("Input.insertText", {"text": text})

    # Looking

    def value(self, selector: str) -> str:
        return self.js(f"document.querySelector({json.dumps(selector)}).value")

    def text(self, selector: str) -> str:
        return self.js(f"document.querySelector({json.dumps(selector)}).textContent")

    def accessible(self, selector: str) -> JSON:
        """The node of the accessibility tree: role, name, description and properties."""
        document = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", {"nodeId": document, "selector": selector})["nodeId"]
        found = self.call("Accessibility.getPartialAXTree", {"nodeId": node, "fetchRelatives": False})["nodes"][0]
        return described(found)

    def accessible_tree(self) -> list[JSON]:
        """All nodes of the accessibility tree that a screen reader meets, in its order, each as `accessible` has it."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}

        def walk(node: JSON) -> Iterator[JSON]:
            if not node["ignored"]:
                yield described(node)
            for child in node.get("childIds", []):
                yield from walk(by_id[child])

        return list(walk(nodes[0]))

    def violations(self) -> list[str]:
        """What axe-core finds: rules of WCAG 2.2 AA and good practice that elements break, with the elements."""
        if not AXE.exists():
            pytest.skip("there is no axe-core: scripts/setup --tests could not install it")
        self.js(AXE.read_text(encoding="utf-8") + ";0")
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        found = self.js(f"axe.run(document, {{ runOnly: {json.dumps(tags)} }}).then(({{ violations }}) => violations.map("
                        "({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))")  # fmt: skip
        return list(found)

    def problems(self) -> list[str]:
        """What the console of the page complained about: errors of scripts and refusals of the content policy."""
        found = []
        for event in self.browser.events[self.began :]:
            if event.get("sessionId") != self.session:
                continue
            if event["method"] == "Runtime.exceptionThrown":
                details = event["params"]["exceptionDetails"]
                found.append(details.get("exception", {}).get("description") or details["text"])
            if event["method"] == "Log.entryAdded" and event["params"]["entry"]["source"] == "security":
                found.append(event["params"]["entry"]["text"])
        return found

    def warnings(self) -> list[str]:
        """The warnings that the scripts of the page wrote to the console."""
        return [
            event["params"]["args"][0]["value"] for event in self.browser.events[self.began :]
            if event.get("sessionId") == self.session and event["method"] == "Runtime.consoleAPICalled"
            and event["params"]["type"] == "warning"
        ]  # fmt: skip

    def screenshot(self, path: Path, width: int, scheme: str = "light") -> None:
        """Writes a picture of the whole page."""
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": 100, "deviceScaleFactor": 1, "mobile": width < 500})  # fmt: skip
        self.call("Emulation.setScrollbarsHidden", {"hidden": True})
        self.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        data = self.call("Page.captureScreenshot", {"captureBeyondViewport": True})["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self) -> None:
        self.browser.call("Target.disposeBrowserContext", {"browserContextId": self.context})
