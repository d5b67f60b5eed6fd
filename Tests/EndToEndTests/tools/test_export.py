"""`formctl export`: what pydantic, a browser's parser and node say about the texts that it writes."""

from __future__ import annotations

import copy
import importlib.util
import itertools
import json
import random
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Iterator

import pydantic
import pytest
from jsonschema import Draft202012Validator

from harness import ROOT, formctl, node
from schema_values import SchemaValues, checker, names_in

FORM: dict[str, Any] = {
    "form": "order",
    "title": 'An "order" \\ of things',
    "schema": {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "count", "tags", "to", "lines", "kind", "agreed"],
        "properties": {
            "name": {"type": "string", "minLength": 2, "maxLength": 8, "title": "Name", "description": "As on the door"},
            "first-name": {"type": "string", "maxLength": 5},
            "class": {"type": "string", "pattern": "^[A-Z]\\d{2}$"},
            "model_config": {"type": "string", "maxLength": 3},
            "day": {"type": "string", "format": "date"},
            "count": {"type": "integer", "minimum": 1, "maximum": 10},
            "even": {"type": "integer", "multipleOf": 2, "exclusiveMinimum": 0, "exclusiveMaximum": 9},
            "price": {"type": "number", "minimum": 0.5, "maximum": 99},
            "agreed": {"type": "boolean"},
            "news": {"type": "boolean"},
            "kind": {"enum": ["small", "large", "it's \"big\""]},
            "level": {"enum": [1, 2, 2.5]},
            "mixed": {"enum": ["x", 1, True, None]},
            "note": {"type": ["string", "null"], "maxLength": 4},
            "version": {"oneOf": [{"const": "v1", "title": "One"}, {"const": "v2", "title": "Two"}]},
            "tags": {"type": "array", "uniqueItems": True, "maxItems": 3, "items": {"type": "string", "minLength": 1, "maxLength": 3}},
            "sizes": {"type": "array", "minItems": 1, "items": {"enum": ["s", "m", "l"]}},
            "to": {
                "type": "object",
                "required": ["city"],
                "properties": {
                    "city": {"type": "string", "maxLength": 6},
                    "zip": {"type": "string", "pattern": "^[0-9]{4}$"},
                },
            },
            "from": {"$ref": "#/$defs/Place"},
            "lines": {
                "type": "array",
                "minItems": 1,
                "maxItems": 3,
                "items": {
                    "type": "object",
                    "required": ["sku", "amount"],
                    "properties": {
                        "sku": {"type": "string", "maxLength": 4},
                        "amount": {"type": "integer", "minimum": 1},
                    },
                },
            },
        },
        "$defs": {"Place": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string", "maxLength": 6}}}},
    },
}


def export(
    folder: Path, kind: str, form: dict[str, Any], *arguments: str
) -> tuple[subprocess.CompletedProcess[str], str]:
    source = folder / "order.form.json"
    source.write_text(json.dumps(form, indent=1), encoding="utf-8")
    run = formctl("export", kind, source, *arguments)
    return run, run.stdout


def losses_of(run: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    [file] = json.loads(run.stderr)["files"]
    return list(file["findings"])


def model_of(folder: Path, text: str, name: str = "Order") -> Any:
    path = folder / "exported_order.py"
    path.write_text(text, encoding="utf-8")
    specification = importlib.util.spec_from_file_location("exported_order", path)
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    # pydantic looks for the module of a class by its name.
    sys.modules["exported_order"] = module
    specification.loader.exec_module(module)
    return getattr(module, name)


def accepts(model: Any, value: Any) -> bool:
    try:
        model.model_validate_json(json.dumps(value))
    except pydantic.ValidationError:
        return False
    return True


def wrong_lines(form: Path, values: list[Any]) -> dict[int, str]:
    """For each wrong value, its first error by formd."""
    run = formctl("validate", form, "-", "--language", "jsonl", standard_input="".join(json.dumps(v) + "\n" for v in values))
    assert run.returncode in (0, 1), run
    found: dict[int, str] = {}
    for line in run.stdout.splitlines():
        match = re.match(r"-:(\d+):\d+: (?!warning)(.*)", line)
        if match:
            found.setdefault(int(match[1]) - 1, match[2])
    return found


STRANGE: list[Any] = [
    "", None, 0, 1, 2.5, True, False, "x", "1", [], {}, ["s"], "A12", 1.0, -3, "2026-02-30", "2026-02-28", "é́", [1, 1],
]  # fmt: skip


def value_for(schema: dict[str, Any], chance: random.Random) -> Any:
    """Mostly a value that fits."""
    if chance.random() < 0.03:
        return chance.choice(STRANGE)
    if "$ref" in schema:
        return value_for(FORM["schema"]["$defs"]["Place"], chance)
    if "oneOf" in schema:
        return chance.choice(schema["oneOf"])["const"]
    if "enum" in schema:
        return chance.choice(schema["enum"])
    kind = schema["type"]
    if isinstance(kind, list):
        kind = chance.choice(kind)
    match kind:
        case "string" if schema.get("format") == "date":
            return chance.choice(["2026-11-28", "2024-02-29", "1999-12-31"])
        case "string" if "pattern" in schema:
            return chance.choice(["A12", "1234", "Z99"]) if chance.random() < 0.3 else {"^[A-Z]\\d{2}$": "B07"}.get(schema["pattern"], "8001")
        case "string":
            return "".join(chance.choice("abcé") for _ in range(chance.randint(schema.get("minLength", 1), schema.get("maxLength", 6))))
        case "integer":
            return chance.randint(1, 4) * schema.get("multipleOf", 1)
        case "number":
            return chance.choice([0.5, 1, 7.25, 99])
        case "boolean":
            return chance.random() < 0.5
        case "null":
            return None
        case "array":
            elements = [value_for(schema["items"], chance) for _ in range(chance.randint(schema.get("minItems", 0), 3))]
            return elements
        case _:
            required = schema.get("required", [])
            return {
                name: value_for(member, chance)
                for name, member in schema["properties"].items()
                if chance.random() < (0.98 if name in required else 0.5)
            }


def has_empty_rows(value: Any) -> bool:
    """Whether a list has an element without a value, which the report names as a difference."""
    if isinstance(value, list):
        return any(element in ("", None) or has_empty_rows(element) for element in value)
    return isinstance(value, dict) and any(map(has_empty_rows, value.values()))


def test_pydantic_and_formd_agree_on_random_values(folder: Path) -> None:
    run, text = export(folder, "pydantic", FORM, "--report", "json")
    assert run.returncode == 1, run
    assert {loss["code"] for loss in losses_of(run)} == {"emptyRows"}, run.stderr
    model = model_of(folder, text)
    chance = random.Random(70)
    values = [value for value in (value_for(FORM["schema"], chance) for _ in range(2000)) if not has_empty_rows(value)]
    wrong = wrong_lines(folder / "order.form.json", values)
    assert 200 < len(wrong) < len(values) - 200 and len(values) > 1500
    different = [
        (value, wrong.get(index, "valid by formd")) for index, value in enumerate(values)
        if accepts(model, value) == (index in wrong)
    ]
    assert not different, different[:3]


def test_the_model_has_the_texts_the_names_and_the_limits(folder: Path) -> None:
    _, text = export(folder, "pydantic", FORM)
    model = model_of(folder, text)
    schema = model.model_json_schema()
    assert schema["title"] == FORM["title"]
    assert schema["required"] == ["name", "count", "agreed", "kind"]
    name = schema["properties"]["name"]
    assert name == {"title": "Name", "description": "As on the door", "type": "string", "minLength": 2, "maxLength": 8}
    count = schema["properties"]["count"]
    assert (count["type"], count["minimum"], count["maximum"]) == ("integer", 1, 10)
    assert schema["properties"]["kind"]["enum"] == FORM["schema"]["properties"]["kind"]["enum"]
    assert "first-name" in schema["properties"] and "class" in schema["properties"]
    value = {"name": "Kim", "count": 1, "kind": "small", "agreed": True, "to": {"city": "Bern"}, "lines": [{"sku": "a", "amount": 1}]}
    order = model.model_validate(value)
    assert (order.first_name, order.to.city, order.lines[0].amount, order.tags) == (None, "Bern", 1, [])


def branch(kind: str, **properties: Any) -> dict[str, Any]:
    return {"properties": {"kind": {"const": kind}, **properties}, "required": ["kind", *properties]}


PAYMENT: dict[str, Any] = {
    "type": "object",
    "required": ["kind"],
    "properties": {"kind": {"enum": ["card", "cash"]}},
    "oneOf": [branch("card", number={"type": "string", "maxLength": 4}), branch("cash")],
}
UNION: dict[str, Any] = {
    "form": "order",
    "schema": {"type": "object", "required": ["pay"], "properties": {"pay": PAYMENT}},
}


@pytest.mark.parametrize("is_referred", [False, True])
def test_a_discriminated_union_stays_one(folder: Path, is_referred: bool) -> None:
    form = copy.deepcopy(UNION)
    if is_referred:
        payment = form["schema"]["properties"]["pay"]
        form["schema"]["$defs"] = dict(zip(["Card", "Cash"], payment["oneOf"]))
        payment["oneOf"] = [{"$ref": "#/$defs/Card"}, {"$ref": "#/$defs/Cash"}]
    run, text = export(folder, "pydantic", form)
    assert run.returncode == 0, run
    assert 'discriminator="kind"' in text
    model = model_of(folder, text)
    assert accepts(model, {"pay": {"kind": "card", "number": "1234"}})
    assert accepts(model, {"pay": {"kind": "cash"}})
    assert not accepts(model, {"pay": {"kind": "card"}})
    assert not accepts(model, {"pay": {"kind": "gold"}})


EXAMPLES = sorted(path for path in (ROOT / "protocol" / "examples").glob("*/*.form.json"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_each_example_is_exported_and_each_loss_has_a_place(folder: Path, path: Path) -> None:
    definition = json.loads(path.read_text(encoding="utf-8"))
    for kind in ("pydantic", "zod", "html"):
        run = formctl("export", kind, path, "--report", "json")
        assert run.returncode in (0, 1), run
        losses = losses_of(run)
        assert bool(losses) == (run.returncode == 1)
        for loss in losses:
            value = definition
            for token in loss["path"].split("/")[1:]:
                token = token.replace("~1", "/").replace("~0", "~")
                value = value[int(token)] if isinstance(value, list) else value[token]
        if kind == "pydantic":
            name = re.findall(r"class (\w+)\(", run.stdout)[-1]
            assert model_of(folder, run.stdout, name).model_json_schema()


def test_a_wrong_form_is_not_exported(folder: Path) -> None:
    run, text = export(folder, "zod", {"form": "x", "schema": {"type": "objct"}}, "-o", str(folder / "x.ts"))
    assert (run.returncode, text) == (2, "") and "[/schema/type]" in run.stderr, run
    assert not (folder / "x.ts").exists()


def test_a_file_is_replaced_only_with_force(folder: Path) -> None:
    target = folder / "x.py"
    target.write_text("mine", encoding="utf-8")
    run, _ = export(folder, "pydantic", FORM, "-o", str(target))
    assert run.returncode == 2 and target.read_text(encoding="utf-8") == "mine", run
    run, _ = export(folder, "pydantic", FORM, "-o", str(target), "--force")
    assert run.returncode == 1 and "class Order(BaseModel)" in target.read_text(encoding="utf-8"), run


ZOD = ROOT / ".build" / "zod" / "utilsBundle.js"


def refused_by_zod(folder: Path, text: str, name: str, values: list[Any]) -> set[int]:
    """The positions of the values that an exported schema refuses, by the zod 4 that the package playwright has."""
    if not ZOD.exists():
        pytest.skip("there is no zod: scripts/setup --tests could not install it")
    package = folder / "node_modules" / "zod"
    package.mkdir(parents=True, exist_ok=True)
    (package / "package.json").write_text('{"type": "module", "exports": "./index.js"}', encoding="utf-8")
    module = 'import { createRequire } from "node:module";\n'
    module += f"export const {{ z }} = createRequire(import.meta.url)({json.dumps(str(ZOD))});\n"
    (package / "index.js").write_text(module, encoding="utf-8")
    (folder / "exported.mjs").write_text(text, encoding="utf-8")
    program = f"""
      import {{ readFileSync }} from "node:fs";
      import {{ {name} as schema }} from "./exported.mjs";
      const values = JSON.parse(readFileSync("values.json", "utf8"));
      console.log(JSON.stringify(values.flatMap((value, at) => schema.safeParse(value).success ? [] : [at])));
    """
    (folder / "main.mjs").write_text(program, encoding="utf-8")
    (folder / "values.json").write_text(json.dumps(values), encoding="utf-8")
    ran = subprocess.run([node(), "main.mjs"], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr
    return set(json.loads(ran.stdout))


def test_zod_and_formd_agree_on_random_values(folder: Path) -> None:
    run, text = export(folder, "zod", FORM, "--report", "json")
    assert {loss["code"] for loss in losses_of(run)} == {"emptyRows"}, run.stderr
    chance = random.Random(71)
    values = [value for value in (value_for(FORM["schema"], chance) for _ in range(2000)) if not has_empty_rows(value)]
    wrong = wrong_lines(folder / "order.form.json", values)
    assert 200 < len(wrong) < len(values) - 200 and len(values) > 1500
    refused = refused_by_zod(folder, text, "orderSchema", values)
    different = [
        (value, wrong.get(index, "valid by formd")) for index, value in enumerate(values)
        if (index in refused) != (index in wrong)
    ]
    assert not different, different[:3]


def test_zod_tells_alternatives_apart(folder: Path) -> None:
    run, text = export(folder, "zod", UNION)
    assert run.returncode == 0 and 'z.discriminatedUnion("kind"' in text, run
    payments: list[Any] = [{"kind": "card", "number": "1234"}, {"kind": "cash"}, {"kind": "card"}, {}]
    assert refused_by_zod(folder, text, "orderSchema", [{"pay": payment} for payment in payments]) == {2, 3}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_each_example_is_a_schema_of_zod(folder: Path, path: Path) -> None:
    text = formctl("export", "zod", path).stdout
    (name,) = re.findall(r"^export const (\w+) =", text, re.MULTILINE)
    assert refused_by_zod(folder, text, name, [1, "x", []]) == {0, 1, 2}


def lists_of(schema: Any, field: str = "") -> Iterator[str]:
    """The addresses of the lists of a schema."""
    for name, member in schema.get("properties", {}).items():
        yield from lists_of(member, f"{field}/{name}")
    if isinstance(schema.get("items"), dict):
        yield f"{field}/*"
        yield from lists_of(schema["items"], f"{field}/*")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_values_of_an_example_are_judged_alike_where_nothing_is_lost(folder: Path, path: Path) -> None:
    """The schema of each example, with elements of lists that have values. formd alone evaluates the rest."""
    schema = json.loads(path.read_text(encoding="utf-8"))["schema"]
    if "schema.json" in json.dumps(schema):
        pytest.skip("the schema is in another file")
    form = {"form": "order", "schema": schema, "fields": {row: {"required": True} for row in lists_of(schema)}}
    source = SchemaValues(schema, schema, Draft202012Validator(schema, format_checker=checker()), seed=70)
    values = [value for _, value in itertools.islice(source.values(), 600)]
    judged = 0
    for kind in ("pydantic", "zod"):
        run, text = export(folder, kind, form, "--report", "json")
        codes = {loss["code"] for loss in losses_of(run)} if run.stderr else set()
        assert codes <= {"otherFormat"}, run.stderr
        if codes:
            continue
        wrong = wrong_lines(folder / "order.form.json", values)
        assert 60 < len(wrong) < len(values) - 60
        if kind == "zod":
            refused = refused_by_zod(folder, text, "orderSchema", values)
        else:
            model = model_of(folder, text)
            refused = {index for index, value in enumerate(values) if not accepts(model, value)}
        different = [(kind, values[index], wrong.get(index)) for index in refused ^ set(wrong)]
        assert not different, different[:2]
        judged += 1
    assert judged == 2 or path.stem in ("booking.form", "claim.form", "signup.form")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_page_of_an_example_is_imported_with_its_fields_and_without_a_loss(folder: Path, path: Path) -> None:
    page = folder / "page.html"
    assert formctl("export", "html", path, "-o", page).returncode in (0, 1)
    run = formctl("import", "html", page)
    assert (run.returncode, run.stderr) == (0, ""), run
    assert formctl("check", "-", standard_input=run.stdout).returncode == 0
    definition = json.loads(path.read_text(encoding="utf-8"))
    if "schema.json" not in json.dumps(definition["schema"]):
        assert names_in(definition["schema"]) == names_in(json.loads(run.stdout)["schema"])


VOID = {"input", "br", "meta", "link"}


class Page(HTMLParser):
    """The controls of a page, with the elements that are open around them."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.controls: dict[str, dict[str, Any]] = {}
        self.labels: dict[str, str] = {}
        self.choices: dict[str, list[str]] = {}
        self.ids: list[str] = []
        self.text_of: str | None = None
        self.select = ""
        self.form: dict[str, Any] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.form = given
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag in ("input", "select", "textarea") and given.get("name"):
            self.controls[str(given["name"])] = {"tag": tag, **given}
        if tag == "select":
            self.select = str(given["name"])
        if tag == "option" and given.get("value"):
            self.choices.setdefault(self.select, []).append(str(given["value"]))
        if tag == "label" and given.get("for"):
            self.text_of = str(given["for"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag == "label":
            self.text_of = None

    def handle_data(self, data: str) -> None:
        if self.text_of:
            self.labels[self.text_of] = self.labels.get(self.text_of, "") + data.strip()


def test_the_page_has_the_names_the_types_and_the_limits(folder: Path) -> None:
    run, text = export(folder, "html", FORM)
    assert run.returncode == 1, run
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open
    assert page.form["data-formd-form"] == "order" and page.form["method"] == "post"
    assert len(page.ids) == len(set(page.ids))
    controls = page.controls
    assert (controls["name"]["minlength"], controls["name"]["maxlength"]) == ("2", "8")
    assert "required" in controls["name"] and "required" not in controls["first-name"]
    assert controls["name"]["aria-describedby"] in page.ids
    assert (controls["count"]["type"], controls["count"]["min"], controls["count"]["max"]) == ("number", "1", "10")
    assert controls["day"]["type"] == "date"
    assert re.fullmatch(controls["class"]["pattern"], "A12") and not re.fullmatch(controls["class"]["pattern"], "A1")
    assert controls["agreed"]["type"] == "checkbox" and "required" not in controls["agreed"]
    assert page.choices["kind"] == FORM["schema"]["properties"]["kind"]["enum"]
    assert {"to.city", "to.zip", "from.city", "lines[].sku", "lines[].amount", "sizes", "tags[]"} <= set(controls)
    for name, control in controls.items():
        if control.get("type") != "checkbox":
            assert page.labels[name], name


def test_texts_of_a_form_stay_texts_of_the_page(folder: Path) -> None:
    form = {
        "form": 'a"b',
        "title": "<script>alert(1)</script>",
        "schema": {"type": "object", "properties": {"x": {"type": "string", "default": '"><b>', "title": "a & b < c"}}},
    }
    run, text = export(folder, "html", form)
    assert run.returncode == 0, run
    page = Page()
    page.feed(text)
    assert "<script>" not in text and page.controls["x"]["value"] == '"><b>'
    assert page.labels["x"] == "a & b < c" and page.form["data-formd-form"] == 'a"b'


def test_the_page_is_imported_again_with_its_names_types_and_limits(folder: Path) -> None:
    page = folder / "order.html"
    run, _ = export(folder, "html", FORM, "-o", str(page))
    assert run.returncode == 1, run
    run = formctl("import", "html", page, "-o", folder / "again.form.json")
    assert run.returncode in (0, 1), run
    again = json.loads((folder / "again.form.json").read_text(encoding="utf-8"))
    given, found = FORM["schema"], again["schema"]
    properties = found["properties"]
    assert set(properties) == set(given["properties"])
    row = properties["lines"]["items"]
    assert list(row["properties"]) == ["sku", "amount"] and row["required"] == ["sku", "amount"]
    assert row["properties"]["sku"] == {"type": "string", "maxLength": 4}
    assert row["properties"]["amount"] == {"type": "integer", "minimum": 1}
    assert properties["tags"]["items"] == {"type": "string", "minLength": 1, "maxLength": 3}
    assert again["fields"]["lines"]["label"] == "Lines" and again["fields"]["tags"]["label"] == "Tags"
    for name in ("name", "first-name"):
        for keyword in ("type", "minLength", "maxLength"):
            assert properties[name].get(keyword) == given["properties"][name].get(keyword), name
    for keyword in ("type", "minimum", "maximum"):
        assert properties["count"][keyword] == given["properties"]["count"][keyword]
    # A step of 2 allows whole numbers only.
    assert properties["even"]["multipleOf"] == 2 and properties["price"]["type"] == "number"
    assert properties["agreed"]["type"] == "boolean" and properties["day"]["format"] == "date"
    assert properties["kind"]["enum"] == given["properties"]["kind"]["enum"]
    assert {"name", "count"} <= set(found["required"]) and "first-name" not in found["required"]
    assert set(properties["to"]["properties"]) == {"city", "zip"}
    assert again["fields"]["name"]["label"] == "Name" and again["fields"]["name"]["help"] == "As on the door"


def test_the_page_about_imports_describes_each_code() -> None:
    page = (ROOT / "protocol" / "import.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^\| `(\w+)` \| (?:unsupported|unknown|assumed) \|", page, re.MULTILINE))
    source = (ROOT / "Sources" / "FormImport" / "Reports" / "LossCode.swift").read_text(encoding="utf-8")
    client = (ROOT / "protocol" / "clients" / "python" / "formd" / "web" / "imported.py").read_text(encoding="utf-8")
    codes = set(re.findall(r"^  case (\w+)$", source, re.MULTILINE))
    codes |= {code for _, code in re.findall(r'"(unsupported|unknown|assumed)", "(\w+)",? ', client)} - {"unknown"}
    assert codes == described
