"""`formd.web`: what pages post becomes values and errors, as in a session of a browser."""

from __future__ import annotations

import asyncio
import io
import json
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Iterator, Optional

import pytest
from django.conf import settings

from harness import EXAMPLES, ROOT, Backend, Daemon, configuration, formd

if not settings.configured:
    import django

    settings.configure(USE_TZ=True, LANGUAGE_CODE="en")
    django.setup()

from django.http import HttpResponse, QueryDict  # noqa: E402
from django.test import RequestFactory  # noqa: E402
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart  # noqa: E402
from starlette.datastructures import FormData, UploadFile  # noqa: E402
from werkzeug.datastructures import MultiDict  # noqa: E402

from formd import web  # noqa: E402
from formd.web.django import Form as DjangoForm  # noqa: E402
from formd.web.html import render  # noqa: E402
from formd.web.posted import Posted, name_of, pointer_of, tokens_of, value_of_text  # noqa: E402

JSON = Any

FORM: JSON = {
    "form": "order",
    "locale": "en",
    "schema": {
        "type": "object", "required": ["name"],
        "properties": {
            "name": {"type": "string", "maxLength": 20},
            "pin": {"type": "string", "writeOnly": True, "minLength": 4},
            "guests": {"type": "integer", "minimum": 1},
            "size": {"enum": [1, 2.5, "x", None]},
            "news": {"type": "boolean", "default": True},
            "urgent": {"type": "boolean"},
            "tags": {"type": "array", "items": {"enum": ["new", "old"]}, "maxItems": 1},
            "text": {"type": "string"},
            "slug": {"type": "string", "minLength": 2},
            "fixed": {"type": "string", "readOnly": True},
            "total": {"type": "integer"},
            "address": {"type": "object", "properties": {
                "city": {"type": "string", "minLength": 2}, "code": {"type": "string", "writeOnly": True},
                "keep": {"type": "boolean", "default": True}}},
            "items": {"type": "array", "items": {"type": "object", "required": ["sku"], "properties": {
                "sku": {"type": "string", "minLength": 2}, "isFree": {"type": "boolean"},
                "key": {"type": "string", "writeOnly": True}}}},
        },
    },
    "fields": {
        "name": {"normalize": ["trim"]},
        "text": {"visible": "values.urgent == true"},
        "slug": {"suggested": "values.name.lowerAscii()"},
        "total": {"computed": "size(values.name)"},
        "/items/*/sku": {"visible": "row.isFree != true"},
    },
    "rules": [{"id": "whole", "check": "values.name != 'whole'", "message": "Not so."}],
    "actions": {"send": {"label": "Send"}, "save": {"scope": ["name"]}},
}  # fmt: skip


@pytest.fixture(scope="module")
def daemon(scratch: Path, backend: Backend) -> Iterator[Daemon]:
    folder = scratch / "web-forms"
    forms = folder / "forms"
    shutil.copytree(EXAMPLES, forms, ignore=shutil.ignore_patterns("*.md", "formd.*"))
    (forms / "order.form.json").write_text(json.dumps(FORM), encoding="utf-8")
    shutil.copy(ROOT / "protocol/clients/python/examples/forms/account.form.json", forms)
    config = configuration(backend)
    daemon = Daemon(folder, config, forms)
    yield daemon
    daemon.end()


@pytest.fixture(scope="module")
def form(daemon: Daemon) -> web.Form:
    return web.Form("order", socket=str(daemon.path))


@pytest.fixture(scope="module")
def fields(form: web.Form, daemon: Daemon) -> JSON:
    with formd.Client(str(daemon.path)) as client:
        return client.describe("order")["fields"]


def values(fields: JSON, *pairs: tuple[str, Any]) -> JSON:
    return Posted(pairs, "order", fields).values


@pytest.mark.parametrize(("name", "pointer"), [
    ("email", "/email"), ("address.city", "/address/city"), ("address[city]", "/address/city"),
    ("items[0].sku", "/items/0/sku"), ("items[0][sku]", "/items/0/sku"), ("items.0.sku", "/items/0/sku"),
    ("tags[]", "/tags"), ("/a.b", "/a.b"), ("/a~1b/~0", "/a~1b/~0"), ("", ""), ("[]", ""),
])  # fmt: skip
def test_a_name_of_html_is_a_place(name: str, pointer: str) -> None:
    assert pointer_of(tokens_of(name)) == pointer
    tokens = tokens_of(pointer)
    assert tokens_of(name_of(tokens)) == tokens


def test_a_field_that_reads_texts_gets_the_text() -> None:
    field = {"type": "number", "read": "number"}
    assert [value_of_text(text, field) for text in ("1.234", "12", "")] == ["1.234", "12", None]
    assert value_of_text("12", {"type": "number"}) == 12


def test_names_and_texts_mean_the_same_in_the_browser() -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("there is no node: install it (apt-get install nodejs)")
    chance = random.Random(67)
    kinds = ["string", "integer", "number", "boolean", "any", "object", "array"]
    options = [{"value": value} for value in [1, 2.5, -0.5, "x", True, None, "", "1", 1e21, 10.0]]
    alphabet = ["1", "2", "0", ".", "-", "+", "e", "E", " ", "\t", "\u00a0", "\ufeff", "x", "٣", "true", "false", "null", "9" * 16]
    cases = []
    for _ in range(3000):
        text = "".join(chance.choice(alphabet) for _ in range(chance.randrange(6)))
        field: JSON = {"type": chance.choice(kinds)}
        if chance.random() < 0.2:
            field["options"] = chance.sample(options, 3)
        cases.append([text, field])
    names = ["".join(chance.choice("ab01.[]/~") for _ in range(chance.randrange(9))) for _ in range(1000)]
    script = f"""
      import {{ pointerOfName, valueOfText }} from {json.dumps(str(ROOT / "protocol/clients/web/client.js"))};
      let text = ""; for await (const part of process.stdin) text += part;
      const {{ cases, names }} = JSON.parse(text);
      console.log(JSON.stringify([cases.map(([text, field]) => valueOfText(text, field) ?? null), names.map(pointerOfName)]));
    """
    run = subprocess.run(
        [node, "--input-type=module", "--eval", script], input=json.dumps({"cases": cases, "names": names}),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    browser_values, browser_pointers = json.loads(run.stdout)
    for (text, field), value in zip(cases, browser_values):
        here = value_of_text(text, field)
        assert here == value and isinstance(here, bool) == isinstance(value, bool), (text, field)
    for name, pointer in zip(names, browser_pointers):
        # A pointer stays as it is written there, and is read here.
        assert pointer_of(tokens_of(name)) == pointer or name.startswith("/"), name


def test_texts_become_values(fields: JSON) -> None:
    posted = values(
        fields, ("csrf", "t"), ("action", "send"), ("name", " Kim\r\nLee\r"), ("guests", " 2 "), ("size", "2.5"),
        ("urgent", "on"), ("news", "false"), ("news", "true"), ("tags", "new"), ("tags", "old"), ("slug", ""), ("fixed", "x"), ("total", "9"),
        ("address[city]", "Seoul"), ("items[7].sku", "b"), ("items[2].sku", "a"), ("items[2][isFree]", "on"),
        ("photo", io.BytesIO()),
    )  # fmt: skip
    assert posted == {
        "name": " Kim\nLee\n", "guests": 2, "size": 2.5, "urgent": True, "news": True, "tags": ["new", "old"],
        "address": {"city": "Seoul", "keep": False}, "items": [{"sku": "a", "isFree": True}, {"sku": "b"}],
    }  # fmt: skip


def test_a_hidden_control_before_a_box_says_that_the_box_is_not_checked(fields: JSON) -> None:
    for text in ("0", "false"):
        assert values(fields, ("urgent", text), ("name", "Kim"))["urgent"] is False
        assert values(fields, ("urgent", text), ("urgent", "1"), ("name", "Kim"))["urgent"] is True


def test_a_box_that_is_not_checked_is_false_if_it_begins_checked(fields: JSON) -> None:
    assert values(fields, ("name", "Kim")) == {"name": "Kim", "news": False, "address": {"keep": False}}


@pytest.mark.parametrize("body", [
    MultiDict([("tags", "new"), ("tags", "old"), ("name", "Kim")]),
    QueryDict("tags=new&tags=old&name=Kim"),
    FormData([("tags", "new"), ("tags", "old"), ("name", "Kim")]),
    [("tags", "new"), ("tags", "old"), ("name", "Kim")],
    {"tags": ["new", "old"], "name": "Kim", "news": False, "address": {"keep": False}},
], ids=["flask", "django", "starlette", "pairs", "json"])  # fmt: skip
def test_the_bodies_of_all_frameworks_are_read(body: Any, form: web.Form) -> None:
    result = form.check(body)
    assert result.values["tags"] == ["new", "old"] and result.values["name"] == "Kim" and not result.is_valid
    assert list(result.errors) == ["tags"] and result.status == 422


@pytest.mark.parametrize(("pairs", "part"), [
    ([("name", "a"), ("name", "b")], "name 2 times"),
    ([("address", "x"), ("address.city", "y")], "address"),
    ([("address.city", "y"), ("address[city]", "x")], "address"),
    ([("name", io.BytesIO(b"x"))], "name is a file"),
    ([("name", UploadFile(io.BytesIO(b"x"), filename="x"))], "name is a file"),
    ([("name", "x" * (1 << 20))], "more than 1048576"),
    ([("x" * (1 << 20), "x")], "more than 1048576"),
    ([("name", "\ud800")], "not JSON"),
    ([(f"items[{row}].sku", "ab") for row in range(5000)], "rowsMax"),
])  # fmt: skip
def test_a_body_that_no_page_sends_is_refused_with_its_reason(pairs: Any, part: str, form: web.Form) -> None:
    with pytest.raises(web.BadPost, match=part):
        form.check(pairs)


@pytest.mark.parametrize("body", [
    {"name": float("nan")}, {"name": "x" * (1 << 20)}, {"items": [{"sku": "ab"}] * 5000}, {"tags": json.loads("[" * 900 + "]" * 900)},
])  # fmt: skip
def test_an_object_that_no_page_sends_is_refused(body: Any, form: web.Form) -> None:
    with pytest.raises(web.BadPost):
        form.check(body)


@pytest.mark.parametrize("body", [
    {"name": 1 << 80}, {"name": ["x"]}, {"address": 7}, {"items": {"0": {}}}, {"address": {"city": {}}}, {"guests": 1e300},
    [("items", "x")], [("address", "x")], [("items[0]", "x")], [("a" * 1000, "x")], [("[" * 1000, "x"), ("a.b" * 1000, "")],
    [("items[99999999999999999999].sku", "x")], [("items[-1].sku", "x")], [("address.city.x", "y")], [],
])  # fmt: skip
def test_any_other_body_gets_errors(body: Any, form: web.Form) -> None:
    assert not form.check(body).is_valid


def test_errors_have_the_names_of_the_page(form: web.Form) -> None:
    result = form.check([("name", "whole"), ("items[4][sku]", "a"), ("items[2][isFree]", "on"), ("items[9].isFree", ""), ("address.city", ""), ("size", "7")])  # fmt: skip
    assert set(result.errors) == {"size", "items[4][sku]", "items[9].sku", ""} and result.errors[""] == "Not so."
    assert result.text("items[4][sku]") == "a" and result.text("none") == ""


def test_a_row_whose_values_are_all_hidden_or_secret_is_an_empty_object(form: web.Form, daemon: Daemon) -> None:
    with formd.Client(str(daemon.path)) as client:
        rows: JSON = [{"sku": "x", "isFree": True}, {"key": "secret"}, {}, None]
        hidden = {"schema": {"properties": {"items": FORM["schema"]["properties"]["items"]}}, "fields": {
            "/items/*/sku": {"visible": "false"}, "/items/*/isFree": {"visible": "false"}}}  # fmt: skip
        verdict = client.call("form/validate", {"definition": {"form": "hidden", **hidden}, "values": {"items": rows}})
        # Only a row that was emptied is null.
        assert verdict["values"] == {"items": [{}, {}, {}, None]}


def test_values_have_secrets_and_no_hidden_fields(form: web.Form) -> None:
    result = form.check([
        ("name", " Kim "), ("pin", "1234"), ("text", "hidden"), ("address.code", "c"), ("address.city", "Seoul"), ("action", "save"),
        ("items[0].sku", "ab"), ("items[0].key", "k0"), ("items[1].isFree", "on"), ("items[1].sku", "cd"), ("items[1].key", "k1"),
        ("items[2].sku", "ef"), ("items[2].key", "k2"),
    ])  # fmt: skip
    assert result.is_valid and result.errors == {} and result.status == 200 and result.action == "save"
    assert result.values == {
        "name": "Kim", "pin": "1234", "news": False, "slug": "kim", "total": 3,
        "address": {"city": "Seoul", "code": "c", "keep": False},
        "items": [{"sku": "ab", "key": "k0"}, {"isFree": True, "key": "k1"}, {"sku": "ef", "key": "k2"}],
    }  # fmt: skip
    assert "1234" not in repr(result)


def test_a_row_without_values_is_an_object(form: web.Form) -> None:
    for body in ([("name", "Kim"), ("items[0].sku", ""), ("items[1].key", "k")], {"name": "Kim", "items": [{"sku": ""}, {"key": "k"}]}):
        assert form.check(body).values["items"] == [{}, {"key": "k"}]


def test_only_some_controls_are_judged(form: web.Form) -> None:
    pairs = [("guests", "0"), ("items[3].sku", "a"), ("items[5].sku", "b")]
    assert set(form.check(pairs).errors) == {"name", "guests", "items[3].sku", "items[5].sku"}
    for only, expected in [
        (["guests"], {"guests"}), (["items[5].sku"], {"items[5].sku"}), (["items.*.sku", "pin"], {"items[3].sku", "items[5].sku"}),
        (["none", "items[9].sku"], set()), (["items"], {"items[3].sku", "items[5].sku"}),
    ]:  # fmt: skip
        result = form.check(pairs, only=only)
        assert set(result.errors) == expected and result.is_valid == (not expected), only


def test_a_name_that_is_nearly_a_fields_is_logged_once(form: web.Form, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        form.check([("nmae", "x"), ("guest", "2"), ("csrf_token", "x")])
    assert [record.getMessage() for record in caplog.records] == [
        "the form order has no field 'nmae'; did the page mean 'name'?", "the form order has no field 'guest'; did the page mean 'guests'?",
    ]  # fmt: skip


def test_a_text_that_was_not_in_utf_8_is_logged_once(form: web.Form, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        assert form.check([("name", "Ren\ufffd")]).values["name"] == "Ren\ufffd"
    assert [record.getMessage() for record in caplog.records] == [
        'name of the form order is probably not in UTF-8: does the page have <meta charset="utf-8">?'
    ]
    assert 'accept-charset="utf-8"' in form.render()


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_django_reads_the_form_data_of_each_method(method: str, daemon: Daemon) -> None:
    view = DjangoForm("order", socket=str(daemon.path)).view(
        lambda _, result: HttpResponse(json.dumps(result.values or result.errors), status=result.status)
    )
    names = {"name": "Kim", "tags": ["new"], "items[0].sku": "ab"}
    for body, kind in [
        ("name=Kim&tags=new&items[0].sku=ab", "application/x-www-form-urlencoded"),
        (encode_multipart(BOUNDARY, names), MULTIPART_CONTENT),
    ]:
        told = json.loads(view(RequestFactory().generic(method, "/", body, content_type=kind)).content)
        assert (told["name"], told["tags"], told["items"]) == ("Kim", ["new"], [{"sku": "ab"}])
        # The field of this name is not a file.
    file = encode_multipart(BOUNDARY, {"name": io.BytesIO(b"x")})
    answer = view(RequestFactory().generic(method, "/", file, content_type=MULTIPART_CONTENT))
    assert answer.status_code == 400 and b"name is a file" in answer.content


def test_a_page_gets_a_session_and_this_program_leaves_it(form: web.Form, daemon: Daemon) -> None:
    key = form.open(values={"name": "Kim"}, keep="1m")
    with formd.Client(str(daemon.path)) as client:
        session = client.attach(key)
        assert session.values["name"] == "Kim"
        session.close()


def test_the_asynchronous_form_does_the_same(daemon: Daemon) -> None:
    async def main() -> None:
        form = web.AsyncForm("order", socket=str(daemon.path))
        result, other = await asyncio.gather(form.check([("name", "Kim"), ("guests", "0")]), form.check([("name", "")]))
        assert list(result.errors) == ["guests"] and "name" in other.errors
        assert "Not" not in await form.render(result) and await form.open(keep="1m")

    asyncio.run(main())
    # Another loop has another connection.
    asyncio.run(main())


def test_a_daemon_that_is_away_is_an_error_until_it_is_back(scratch: Path, folder: Path) -> None:
    forms = folder / "forms"
    forms.mkdir()
    (forms / "order.form.json").write_text(json.dumps(FORM), encoding="utf-8")
    form = web.Form("order", socket=str(folder / "run" / "formd.sock"))
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    with pytest.raises(formd.ConnectionLost, match="formd serve"):
        form.check([("name", "Kim")])
    answer = form.receive([("name", "Kim")], {**headers, "Accept": "application/json"})
    assert isinstance(answer, web.Answer) and answer.status == 503 and answer.headers["Retry-After"]
    for _ in range(2):
        daemon = Daemon(folder, {}, forms)
        form.path = str(daemon.path)
        assert form.check([("name", "Kim"), ("slug", "kim"), ("guests", "1")]).is_valid
        daemon.end()


def test_an_unknown_form_is_an_error_of_the_program(daemon: Daemon) -> None:
    with pytest.raises(formd.UnknownForm, match="odrer"):
        web.Form("odrer", socket=str(daemon.path)).check([])


def test_precognition_answers_as_its_clients_expect(form: web.Form) -> None:
    early = {"Precognition": "true"}
    good = {"name": "Kim", "guests": 2, "address": {"city": "Seoul"}}
    answer = form.receive(good, early)
    assert isinstance(answer, web.Answer) and (answer.status, answer.body) == (204, "")
    assert answer.headers == {"Precognition": "true", "Precognition-Success": "true"}
    bad = {"name": "", "guests": "0", "items": [{"sku": "a"}, {}], "address": {"city": "x"}}
    answer = form.receive(bad, early)
    assert isinstance(answer, web.Answer) and answer.status == 422 and "Precognition-Success" not in answer.headers
    assert answer.headers["Precognition"] == "true"
    told = json.loads(answer.body)
    assert set(told["errors"]) == {"name", "guests", "address.city", "items.0.sku", "items.1.sku"}
    assert all(isinstance(texts, list) and texts[0] for texts in told["errors"].values())
    assert told["message"] == told["errors"]["name"][0]
    for only, expected in [("guests,address.city", {"guests", "address.city"}), ("items.*.sku", {"items.0.sku", "items.1.sku"}), ("pin", None), ("", None)]:  # fmt: skip
        answer = form.receive(bad, {**early, "Precognition-Validate-Only": only})
        assert isinstance(answer, web.Answer)
        assert (set(json.loads(answer.body)["errors"]) if answer.status == 422 else None) == expected, only
        assert answer.headers["Precognition"] == "true"
    # Without the header, its clients say that the server does not know Precognition.
    answer = form.receive([("name", "x"), ("name", "y")], early)
    assert isinstance(answer, web.Answer) and answer.status == 400 and answer.headers["Precognition"] == "true"
    answer = web.Form("order", socket="/nonexistent/formd.sock").receive(good, early)
    assert isinstance(answer, web.Answer) and answer.status == 503 and answer.headers["Precognition"] == "true"


def test_precognition_names_the_places_of_form_data_as_those_of_json(form: web.Form) -> None:
    page = [("name", ""), ("items[4][sku]", "a"), ("items[2][sku]", "b"), ("address[city]", "x"), ("tags[0]", "new"), ("tags[1]", "no")]
    answer = form.receive(page, {"Precognition": "true", "Content-Type": "multipart/form-data; boundary=x"})
    assert isinstance(answer, web.Answer) and answer.status == 422
    assert set(json.loads(answer.body)["errors"]) == {"name", "items.4.sku", "items.2.sku", "address.city", "tags.1", "tags"}
    early = {"Precognition": "true", "Precognition-Validate-Only": "items.4.sku"}
    answer = form.receive(page, early)
    assert isinstance(answer, web.Answer) and set(json.loads(answer.body)["errors"]) == {"items.4.sku"}
    # Without Precognition, the page chooses the names.
    assert "items[4][sku]" in form.check(page).errors


@pytest.mark.parametrize(("body", "kind", "part"), [
    ([], "text/plain", "the body is text/plain: send application/x-www-form-urlencoded"),
    ([], "application/xml; charset=utf-8", "the body is application/xml"),
    (b"{", "application/json", "not JSON"),
    (b"", "application/json", "not JSON"),
    (b"\xff", "application/json", "not JSON"),
    (b"[" * 200_000, "application/json", "not JSON"),
    (b"[]", "application/json; charset=utf-8", "not an object"),
], ids=["text", "xml", "broken", "empty", "bytes", "deep", "list"])  # fmt: skip
def test_a_body_of_a_kind_that_no_page_sends_is_refused(body: Any, kind: str, part: str, form: web.Form) -> None:
    for early in ({}, {"Precognition": "true"}):
        answer = form.receive(body, {"Content-Type": kind, **early})
        assert isinstance(answer, web.Answer) and answer.status == 400 and part in answer.body
        assert answer.headers.get("Precognition") == early.get("Precognition")


def test_a_page_begins_with_what_a_session_shows(daemon: Daemon) -> None:
    path = str(daemon.path)
    for locale, text in (("en", "100%"), ("de", "100\u00a0%")):
        form = web.Form("expenses", locale=locale, socket=path)
        assert f'name="share" aria-describedby="formd-share-message" inputmode="decimal" value="{text}"' in form.render()
        assert form.check([("share", text)]).values["share"] == 1
        with formd.Client(path) as client, client.open("expenses", locale=locale) as session:
            assert session.document["fields"]["share"]["text"] == text


def test_a_page_has_no_control_for_an_object_without_fields(daemon: Daemon) -> None:
    page = web.Form("settings", socket=str(daemon.path)).render()
    assert 'name="window.width"' in page and 'name="environment"' not in page


def test_a_page_shows_what_was_computed(daemon: Daemon) -> None:
    sums: JSON = {
        "form": "sums",
        "schema": {"properties": {
            "a": {"type": "object", "properties": {"x": {"type": "integer"}, "double": {"type": "integer"}}},
            "rows": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "integer"}, "double": {"type": "integer"}}}},
        }},
        "fields": {
            "/a/double": {"computed": "values.a.x * 2"}, "/rows/*/double": {"computed": "row.x * 2"},
            "/rows/*": {"visible": "row.x != 9"},
        },
    }  # fmt: skip
    with formd.Client(str(daemon.path)) as client:
        fields = client.call("form/describe", {"definition": sums})
        page = Posted([("a.x", "4"), ("rows[2].x", "5"), ("rows[7].x", "6")], "sums", fields["fields"])
        verdict = client.call("form/validate", {"definition": sums, "values": page.values})
        html = render(fields, web.Result(page, verdict))
        assert [f">{number}</output>" in html for number in (8, 10, 12)] == [True] * 3
        assert html.index(">10<") < html.index(">12<")
        # The values have no hidden rows, and do not say which rows these are.
        page = Posted([("rows[2].x", "9"), ("rows[7].x", "6")], "sums", fields["fields"])
        verdict = client.call("form/validate", {"definition": sums, "values": page.values})
        assert ">12<" not in render(fields, web.Result(page, verdict))


@pytest.mark.parametrize("terms", [{"const": True}, {"type": "boolean", "const": True}, {"enum": [True]}])
def test_a_consent_is_a_checkbox(terms: JSON, daemon: Daemon) -> None:
    consent: JSON = {"form": "consent", "schema": {"required": ["terms"], "properties": {"terms": terms}}}
    with formd.Client(str(daemon.path)) as client:
        fields = client.call("form/describe", {"definition": consent})

        def posted(*pairs: tuple[str, str]) -> web.Result:
            page = Posted(pairs, "consent", fields["fields"])
            return web.Result(page, client.call("form/validate", {"definition": consent, "values": page.values}))

        assert posted(("terms", "on")).values == {"terms": True} == posted(("terms", "true")).values
        assert sorted(posted().errors) == ["terms"] == sorted(posted(("terms", "false")).errors)
        assert '<input type="checkbox" id="formd-terms"' in render(fields, web.Result())
        assert " checked>" in render(fields, posted(("terms", "on")))


@pytest.mark.parametrize(("name", "type_of_input"), [
    ("date", "date"), ("local-time", "time"), ("local-date-time", "datetime-local"), ("email", "email"), ("uri", "url"),
    # The inputs of browsers have no zone.
    ("time", None), ("date-time", None),
])  # fmt: skip
def test_an_input_has_the_type_that_holds_the_values_of_its_format(
    name: str, type_of_input: Optional[str], daemon: Daemon
) -> None:
    schema = {"properties": {"at": {"type": "string", "format": name}}}
    with formd.Client(str(daemon.path)) as client:
        fields = client.call("form/describe", {"definition": {"form": "times", "schema": schema}})
    page = render(fields, web.Result())
    assert ("type=" in page.split("<input")[1].split(">")[0]) == (type_of_input is not None)
    assert type_of_input is None or f'type="{type_of_input}"' in page


def test_choices_have_groups_helps_and_disabled_ones(daemon: Daemon) -> None:
    choices: JSON = [
        {"value": "bus", "label": "Bus", "group": "By road", "help": "A day"},
        {"value": "taxi", "label": "Taxi", "group": "By road"},
        {"value": "zeppelin", "disabled": True},
    ]
    schema: JSON = {"properties": {
        "way": {"enum": ["bus", "taxi", "zeppelin"]}, "back": {"enum": ["bus", "taxi", "zeppelin"]},
        "ways": {"type": "array", "items": {"enum": ["bus", "taxi", "zeppelin"]}}, "place": {"type": "string", "maxLength": 9},
    }}  # fmt: skip
    more: JSON = {"back": {"widget": "radio"}, "place": {"other": True}}
    of = {name: {"options": choices, **more.get(name, {})} for name in ("way", "back", "/ways/*", "place")}
    with formd.Client(str(daemon.path)) as client:
        description = client.call("form/describe", {"definition": {"form": "ways", "schema": schema, "fields": of}})
        page = render(description, web.Result())
        assert page.count('<optgroup label="By road"><option value="bus">Bus – A day</option><option') == 1
        assert '</optgroup><option value="zeppelin" disabled>zeppelin</option></select>' in page
        assert page.count('<p class="formd-group">By road</p>\n<label') == 2
        for name, kind in (("back", "radio"), ("ways", "checkbox")):
            assert re.search(f'<label class="choice" inert><input type="{kind}" name="{name}" value="zeppelin"', page)
        # Other texts than the choices can be typed.
        assert 'list="formd-place-options"' in page and '<datalist id="formd-place-options"><option value="bus">Bus' in page
        # What is chosen already is posted again.
        again = Posted([(name, "zeppelin") for name in ("way", "back", "ways")], "ways", description["fields"])
        page = render(description, web.Result(again, client.call("form/validate", {"form": "settings", "values": {}})))
        assert page.count(" disabled>") == 1 and "inert" not in page and page.count('<option value="zeppelin" selected>') == 1


def test_a_view_adds_an_error(form: web.Form) -> None:
    result = form.check([("name", "kim"), ("slug", "kim"), ("items[0].sku", "ab")])
    assert result.is_valid and result.status == 200
    result.add_error("name", "This name was taken in the meantime.")
    result.add_error("name", "another")
    assert not result.is_valid and result.status == 422
    assert result.errors == {"name": "This name was taken in the meantime."}
    assert "This name was taken in the meantime." in form.render(result)


def test_a_form_gets_its_context(daemon: Daemon) -> None:
    path = str(daemon.path)
    page = [("items[0].what", "Taxi"), ("items[0].amount", "30"), ("approved", "on")]
    form = web.Form("approval", context={"role": "clerk", "limit": 20}, socket=path)
    # What costs more than the limit needs a reason, and only a manager approves.
    assert form.check(page).errors.keys() == {"items[0].reason"} and "approved" not in form.check(page).values
    assert form.check(page, context={"role": "manager", "limit": 50}).values["approved"] is True
    with formd.Client(path) as client:
        assert not client.attach(form.open()).document["fields"]["approved"]["isVisible"]
    # A function makes it of the request.
    of_request = web.Form("approval", context=lambda request: {"role": request}, socket=path)
    assert of_request.respond(lambda result: result.values.get("approved"), "manager", page, {}) is True
    assert of_request.respond(lambda result: result.values.get("approved"), "clerk", page, {}) is None
    with pytest.raises(TypeError, match="give context="):
        of_request.check(page)
    # The program's mistakes are not the user's.
    for context in (None, {"role": "boss"}):
        with pytest.raises(formd.InvalidParams, match="/context"):
            web.Form("approval", context=context, socket=path).receive(page, {})


def test_a_view_that_needs_the_daemon_says_when_it_is_away() -> None:
    form = web.Form("order", socket="/nonexistent/formd.sock")
    answer = form.respond(lambda result: form.render(result), None, None, {})
    assert isinstance(answer, web.Answer) and answer.status == 503 and answer.headers["Retry-After"] == "5"


@pytest.mark.parametrize("framework", ["django", "flask", "starlette"])
def test_the_glue_of_a_framework_has_at_most_60_lines(framework: str) -> None:
    path = ROOT / "protocol/clients/python/formd/web" / f"{framework}.py"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 60


def test_a_submission_of_a_program_gets_its_errors_as_json(form: web.Form) -> None:
    answer = form.receive({"name": ""}, {})
    assert isinstance(answer, web.Answer) and answer.status == 422 and "Precognition" not in answer.headers
    assert "name" in json.loads(answer.body)["errors"]
    answer = form.receive([("name", "")], {"Accept": "application/json"})
    assert isinstance(answer, web.Answer) and answer.status == 422
    assert isinstance(form.receive([("name", "")], {"Accept": "text/html"}), web.Result)
    assert isinstance(form.receive({"name": "Kim"}, {}), web.Result)
    answer = form.receive([("name", "x"), ("name", "y")], {"Accept": "application/json"})
    assert isinstance(answer, web.Answer) and answer.status == 400 and "2 times" in answer.body


def test_a_page_whose_post_cannot_be_judged_keeps_its_texts(form: web.Form) -> None:
    result = form.receive([("name", "<x>"), ("name", "y"), ("guests", "3"), ("action", "send")], {})
    assert isinstance(result, web.Result) and result.status == 400 and not result.is_valid and result.values == {}
    assert "2 times" in result.errors[""] and result.text("guests") == "3" and result.action == "send"
    drawn = form.render(result)
    assert 'value="3"' in drawn and "2 times" in drawn and "<x>" not in drawn
    # Without the daemon, the page is drawn by the last description.
    form = web.Form("order", socket=form.path)
    form.render()
    form.path = "/nonexistent/formd.sock"
    page = [("name", "Kim"), ("pin", "1234"), ("guests", "3")]
    drawn = form.respond(lambda result: (result.status, form.render(result)), None, page, {})
    assert drawn[0] == 503 and "Please try again in a moment." in drawn[1]
    assert 'value="Kim"' in drawn[1] and "1234" not in drawn[1]
    form.unavailable = "Bitte später."
    assert form.receive(page, {}).errors == {"": "Bitte später."}
