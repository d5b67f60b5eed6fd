"""The modules for React, Vue and libraries with Standard Schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from front import NODE, WEB
from page import Stage

REACT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>React</title><main id="root"></main>
<script src="/node/react/umd/react.development.js"></script>
<script src="/node/react-dom/umd/react-dom.development.js"></script>
<script type="module" src="/app.js"></script></html>"""

REACT_APP = """
import { connect } from "/formd/client.js";
import { hooks } from "/formd/react.js";
const { usePart, useValue, useField } = hooks(React);
const h = React.createElement;
const form = (window.form = await connect({ key: "KEY" }));
window.renders = { Shout: 0, Field: 0 };

function Field({ name, kind = "input" }) {
  window.renders.Field += 1;
  const { props, message } = useField(form, name);
  return h("p", null, h("label", { htmlFor: name }, name), h(kind, { id: name, ...props }),
    h("span", { id: name + "-message" }, message));
}
function Shout() {
  window.renders.Shout += 1;
  return h("output", { id: "shout" }, usePart(form, "/outputs/shout"));
}
function Items() {
  const items = useValue(form, "items") ?? [];
  return h("ul", null, items.map((item, index) => h("li", { key: index }, item?.name)));
}
function App() {
  const [event, setEvent] = React.useState(null);
  const tap = () => form.tap("send").then(setEvent);
  const [isShown, setShown] = React.useState(true);
  return h("form", { onSubmit: (event) => event.preventDefault() }, h(Field, { name: "title" }),
    h(Field, { name: "copies" }), h(Field, { name: "body", kind: "textarea" }), isShown && h(Shout), h(Items),
    h("button", { id: "send", onClick: tap }, "Send"), h("button", { id: "hide", onClick: () => setShown(false) }, "Hide"),
    h("p", { id: "event" }, event?.kind));
}
window.root = ReactDOM.createRoot(document.querySelector("#root"));
window.root.render(h(React.StrictMode, null, h(App)));
"""


def open_react(stage: Stage) -> Any:
    """Opens the page in React, and returns its tab."""
    if not all((NODE / module / "umd").is_dir() for module in ("react", "react-dom")):
        pytest.skip("there is no React: install it (apt-get install node-react node-react-dom)")
    stage.open()
    stage.front.pages["/page"] = REACT
    stage.front.pages["/app.js"] = REACT_APP.replace("KEY", stage.opened["key"])
    stage.tab.open(stage.front.url + "/page")
    return stage.tab


def test_react_18_shows_what_the_session_says_and_tells_what_the_user_types(stage: Stage) -> None:
    tab = open_react(stage)
    tab.until("document.querySelector('#title')")
    tab.focus("#title")
    tab.type("Hi  there")
    # The value is normalized, and the text stays as it was typed.
    tab.until("document.querySelector('#shout').textContent === 'HI THERE'")
    assert tab.value("#title") == "Hi  there"
    assert tab.js("document.activeElement.selectionStart") == 9
    # What another client says comes when the user has left the field.
    stage.other.call("field/change", {"field": "title", "value": "another"})
    tab.type("!")
    assert tab.value("#title") == "Hi  there!"
    tab.focus("#body")
    tab.until("['another', 'Hi there!'].includes(document.querySelector('#title').value)")
    assert tab.value("#title") == stage.values()["title"]
    stage.other.call("field/change", {"field": "copies", "value": 4})
    tab.until("document.querySelector('#copies').value === '4'")
    # An invalid number is shown with its message, and a number is a number.
    tab.focus("#copies")
    tab.key("Backspace")
    tab.type("0")
    tab.until("document.querySelector('#copies-message').textContent")
    assert tab.accessible("#copies")["invalid"] == "true"
    tab.key("Backspace")
    tab.type("5")
    stage.wait_for_values(copies=5)
    stage.other.call("field/insert", {"field": "items", "value": {"name": "first"}})
    tab.until("document.querySelector('li')?.textContent === 'first'")
    # A tap is rejected, and the messages of all fields appear.
    tab.click("#send")
    tab.until("document.querySelector('#event').textContent === 'rejected'")
    assert tab.text("#body-message") == "Write something."
    # A component that is gone hears nothing more.
    tab.click("#hide")
    tab.until("!document.querySelector('#shout')")
    renders = tab.js("renders.Shout")
    stage.other.call("field/change", {"field": "title", "value": "other"})
    tab.until("form.document.outputs.shout === 'OTHER'")
    assert tab.js("renders.Shout") == renders


def test_a_composition_in_react_is_told(stage: Stage) -> None:
    tab = open_react(stage)
    tab.until("document.querySelector('#body')")
    tab.js("window.told = []; const set = form.set.bind(form); form.set = (...all) => (told.push(all), set(...all))")
    tab.focus("#body")
    for text in ("ㅎ", "하", "한"):
        tab.compose(text)
    tab.insert("한")
    stage.wait_for_values(body="한")
    told = tab.js("told")
    assert all(options == {"composing": True} for _, _, options in told[:3]), told
    assert told[-1][1] == "한" and not (told[-1] + [None, None])[2]


def test_vue_refs_follow_the_session_and_can_be_written(stage: Stage) -> None:
    stage.open()
    stage.front.pages["/page"] = "<!doctype html><title>Vue</title><p>Nothing"
    stage.front.pages["/vue.js"] = (Path(__file__).parent / "vue-stand-in.js").read_text(encoding="utf-8")
    tab = stage.tab
    tab.open(stage.front.url + "/page")
    tab.js(f"""Promise.all(['/formd/client.js', '/formd/vue.js', '/vue.js'].map((path) => import(path))).then(
        async ([{{ connect }}, {{ composables }}, vue]) => {{
            const form = (window.form = await connect({{ key: '{stage.opened["key"]}' }}));
            const {{ usePart, useField }} = composables(vue);
            const [refs, end] = vue.effectScope(() => ({{
                shout: usePart(form, '/outputs/shout'), title: useField(form, 'title'), copies: useField(form, 'copies'),
            }}));
            Object.assign(window, {{ ...refs, end, seen: [] }});
            vue.watch(refs.shout, (value) => seen.push(value));
        }})""")
    tab.js("title.value.value = 'Hi'")
    tab.until("seen.at(-1) === 'HI'")
    assert tab.js("title.value.value") == "Hi"
    # What `v-model` gives is a text; the field wants a number.
    tab.js("copies.value.value = '12'")
    tab.until("copies.message.value")
    assert tab.js("copies.field.value.isValid") is False
    tab.js("copies.value.value = '3'")
    stage.wait_for_values(copies=3, title="Hi")
    tab.js("end()")
    heard = tab.js("seen.length")
    stage.other.call("field/change", {"field": "title", "value": "other"})
    tab.until("form.document.outputs.shout === 'OTHER'")
    assert tab.js("seen.length") == heard


def test_a_standard_schema_answers_the_values_or_the_issues(stage: Stage) -> None:
    stage.open()
    stage.front.pages["/page"] = "<!doctype html><title>Schema</title><p>Nothing"
    tab = stage.tab
    tab.open(stage.front.url + "/page")
    tab.js(f"""Promise.all(['/formd/client.js', '/formd/standard-schema.js'].map((path) => import(path))).then(
        async ([{{ connect }}, {{ standardSchema }}]) => {{
            window.form = await connect({{ key: '{stage.opened["key"]}' }});
            window.schema = standardSchema(form);
        }})""")
    assert tab.js("[schema['~standard'].version, schema['~standard'].vendor]") == [1, "formd"]
    validate = "schema['~standard'].validate("
    good = {"title": " A  note ", "email": "Kim@Example.com", "body": "Text", "password": "secret", "items": [{"name": "a"}]}
    assert tab.js(f"{validate}{json.dumps(good)})") == {
        "value": {"title": "A note", "email": "kim@example.com", "body": "Text", "length": 4, "password": "secret",
                  "items": [{"name": "a", "count": 1}]}}  # fmt: skip
    bad = {"title": "x", "email": "kim", "items": [{"name": "a"}, {"count": "many"}], "nothing": 1, "address": {"city": 7}}
    issues = tab.js(f"{validate}{json.dumps(bad)})")["issues"]
    assert sorted("/".join(map(str, issue["path"])) for issue in issues) == [
        "address/city", "body", "email", "items/1/count", "items/1/name", "nothing"], issues  # fmt: skip
    assert all(isinstance(issue["message"], str) and issue["message"] for issue in issues)
    assert {"message": "Write something.", "path": ["body"]} in issues
    for wrong in ("null", "7", "[]", "'x'"):
        assert tab.js(f"{validate}{wrong})")["issues"][0]["path"] == []
    # The last answer is about the last value.
    assert tab.js(f"{validate}{json.dumps(good)})").get("issues") is None


@pytest.mark.parametrize("name", ["react.js", "vue.js", "standard-schema.js"])
def test_a_module_for_a_framework_has_at_most_60_lines(name: str) -> None:
    text = (WEB / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60
