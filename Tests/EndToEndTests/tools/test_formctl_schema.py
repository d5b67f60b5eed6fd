"""`formctl schema`: files that refer to files, and the findings on values."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from harness import formctl

ADDRESS = {"type": "object", "properties": {"zip": {"type": "string", "maxLength": 5}}}


def schema(*arguments: str, standard_input: str = "") -> subprocess.CompletedProcess[str]:
    return formctl("schema", *arguments, standard_input=standard_input)


def write(path: Path, value: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", ["address.json", "other folder/ä 100%.json"])
def test_a_reference_is_followed_from_where_the_schema_lies(folder: Path, name: str) -> None:
    write(folder / "schemas" / name, ADDRESS)
    reference = name.replace("%", "%25").replace(" ", "%20")
    order = write(folder / "schemas" / "order.json", {"properties": {"to": {"$ref": f"{reference}#/properties/zip"}}})
    assert schema("check", order).returncode == 0
    run = schema("validate", order, "-", standard_input='{"to": "12345"}')
    assert (run.returncode, run.stdout) == (0, "valid\n"), run
    run = schema("validate", order, "-", standard_input='{"to": "123456"}')
    assert run.returncode == 1 and "/to" in run.stdout, run


def test_a_schema_may_be_yaml(folder: Path) -> None:
    good = write(folder / "s.yaml", "type: object\nproperties:\n  n: {type: integer, maximum: 100000000000000000000}\n")
    assert schema("check", good).returncode == 0
    run = schema("validate", good, "-", standard_input='{"n": 100000000000000000001}')
    assert run.returncode == 1 and "/n" in run.stdout, run
    run = schema("validate", good, "-", "--language", "yaml", standard_input="n: 100000000000000000000\n")
    assert (run.returncode, run.stdout) == (0, "valid\n"), run
    bad = write(folder / "bad.yml", "type: object\nproperties:\n  a:\n    type: strng\n")
    run = schema("check", bad)
    assert run.returncode == 1 and f"{bad}:4:11: error: " in run.stdout, run
    two = write(folder / "two.yaml", "type: object\n---\ntype: array\n")
    run = schema("validate", two, "-", standard_input="{}")
    assert run.returncode == 2 and "one document" in run.stdout, run


def test_a_schema_with_an_id_is_given_by_hand(folder: Path) -> None:
    address = write(folder / "a.json", {"$id": "https://example.com/address", **ADDRESS})
    order = write(
        folder / "o.json", {"$id": "https://example.com/order", "properties": {"to": {"$ref": "address"}}}
    )
    run = schema("check", order)
    assert run.returncode == 1 and "https://example.com/address" in run.stdout, run
    assert schema("check", "--reference", address, order).returncode == 0
    run = schema("validate", "--reference", address, order, "-", standard_input='{"to": {"zip": 7}}')
    assert run.returncode == 1 and "/to/zip" in run.stdout, run
    run = schema("check", "--reference", write(folder / "n.json", ADDRESS), order)
    assert run.returncode == 2 and "no $id" in run.stderr, run


@pytest.mark.parametrize(("content", "words"), [(None, "there is no file"), ("{", "address.json:1:2")])
def test_what_cannot_be_read_is_said_with_its_file(folder: Path, content: str | None, words: str) -> None:
    if content is not None:
        write(folder / "address.json", content)
    run = schema("check", write(folder / "order.json", {"$ref": "address.json"}))
    assert run.returncode == 1 and "order.json:1:" in run.stdout, run
    assert words in run.stderr and "address.json" in run.stderr, run


def test_a_schema_is_of_the_draft_that_it_names_or_of_the_one_asked_for(folder: Path) -> None:
    exclusive = {"minimum": 1, "exclusiveMinimum": True}
    plain = write(folder / "plain.json", exclusive)
    named = write(folder / "named.json", {"$schema": "http://json-schema.org/draft-04/schema#", "$ref": "plain.json"})
    assert schema("check", plain).returncode == 1
    assert schema("check", "--draft", "4", plain).returncode == 0
    for arguments in (["--draft", "4", plain], [named]):
        run = schema("validate", *arguments, "-", standard_input="1")
        assert run.returncode == 1, run
        assert schema("validate", *arguments, "-", standard_input="2").returncode == 0
    run = schema("check", "--draft", "3", plain)
    assert run.returncode == 2 and "2019-09" in run.stderr, run
    address = write(folder / "id.json", {"id": "https://example.com/address", **exclusive})
    order = write(folder / "order.json", {"$ref": "https://example.com/address"})
    run = schema("validate", "--draft", "4", "--reference", address, order, "-", standard_input="1")
    assert run.returncode == 1, run


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"$defs": {"a": {"type": "strng"}}}, "1:26"),
        ({"$defs": {"a": {"$ref": "#/$defs/nope"}}}, "1:26"),
        ({"$defs": {"a": 5}}, "1:17"),
        ({"required": ["a", "a"]}, "1:14"),
        ({"$anchor": "/x"}, "1:13"),
    ],
)
def test_a_check_looks_at_every_schema_of_a_file(folder: Path, document: Any, place: str) -> None:
    file = write(folder / "s.json", document)
    run = schema("check", file)
    assert run.returncode == 1 and run.stdout.startswith(f"{file}:{place}: error: "), run


def test_a_loop_of_references_is_an_error_only_for_an_instance_that_gets_there(folder: Path) -> None:
    loop = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    run = schema("check", write(folder / "unused.json", loop))
    assert run.returncode == 0 and ": warning: " in run.stdout, run
    used = write(folder / "used.json", {"items": {"$ref": "#/$defs/a"}, **loop})
    run = schema("check", used)
    assert run.returncode == 0 and "an instance that gets there cannot be judged" in run.stdout, run
    assert schema("validate", used, "-", standard_input="[]").returncode == 0
    run = schema("validate", used, "-", standard_input="[1]")
    assert run.returncode == 2, run
    run = schema("check", write(folder / "useless.json", {"anyOf": [{"$ref": "#/$defs/a"}], **loop}))
    assert run.returncode == 1 and ": error: " in run.stdout, run


def test_numbers_of_any_length_are_compared_as_decimals(folder: Path) -> None:
    file = write(folder / "s.json", '{"maximum": 12345678901234567890, "multipleOf": 1e-400}')
    assert schema("check", file).returncode == 0
    for value, code in [("12345678901234567890", 0), ("12345678901234567890.5", 1), ("1.5e400", 1), ("-1e400", 0)]:
        run = schema("validate", file, "-", standard_input=value)
        assert run.returncode == code, (value, run)


def test_a_byte_order_mark_is_skipped(folder: Path) -> None:
    part = write(folder / "part.json", "\ufeff" + '{"type": "null"}')
    file = write(folder / "s.json", "\ufeff" + '{"$ref": "part.json", "type": "nul"}')
    run = schema("check", file)
    assert run.returncode == 1 and run.stdout.startswith(f"{file}:1:31: error: "), run
    run = schema("validate", part, write(folder / "value.json", "\ufeff1"))
    assert run.returncode == 1 and f"{folder}/value.json:1:1" in run.stdout, run
    assert schema("validate", part, "-", standard_input="\ufeffnull").returncode == 0


def test_a_needless_backslash_in_a_pattern_is_an_error_unless_it_is_asked_for(folder: Path) -> None:
    file = write(folder / "s.json", {"pattern": "^[\\w\\_]+\\-\\d$"})
    run = schema("check", file)
    assert run.returncode == 1 and "needs no backslash" in run.stdout, run
    assert schema("check", "--lenient-patterns", file).returncode == 0
    for value, code in [('"a_-1"', 0), ('"a1"', 1)]:
        run = schema("validate", "--lenient-patterns", file, "-", standard_input=value)
        assert run.returncode == code, run


def test_the_first_line_names_what_is_to_be_mended(folder: Path) -> None:
    step = {
        "oneOf": [
            {"properties": {"uses": {"type": "string"}}, "required": ["uses"]},
            {"properties": {"run": {"type": "string"}}, "required": ["run"]},
        ]
    }
    steps = write(folder / "steps.json", {"items": step})
    run = schema("validate", steps, "-", standard_input='[{"run": 5}]')
    assert (run.returncode, run.stdout) == (
        1, "-:1:10: /0/run: This must be a text, not 5. [/items/oneOf/1/properties/run/type]\n"
    ), run
    run = schema("validate", "--all", steps, "-", standard_input='[{"run": 5}]')
    assert [line.rpartition("[")[2] for line in run.stdout.splitlines()] == [
        "/items/oneOf]", "/items/oneOf/1/properties/run/type]", "/items/oneOf/0/required]",
    ]
    run = schema("validate", "--output", "basic", steps, "-", standard_input='[{"run": 5}]')
    assert json.loads(run.stdout)["errors"][0]["error"] == "This must be a text, not 5."


def test_texts_name_what_they_are_about_and_no_secret(folder: Path) -> None:
    user = write(
        folder / "user.json",
        {"required": ["email"], "properties": {"pin": {"minLength": 9, "writeOnly": True}, "zip": {"pattern": "^[0-9]+$"}}},
    )
    run = schema("validate", user, "-", standard_input='{"pin": "hunter2", "zip": "x"}')
    assert [line.split("] ")[0].split(": ", 1)[1].rpartition(" [")[0] for line in run.stdout.splitlines()] == [
        '"email" is required.', "/pin: This must have at least 9 characters.", '/zip: "x" does not match the pattern ^[0-9]+$.',
    ]
    run = schema("validate", "--locale", "ko", user, "-", standard_input="{}")
    assert '필수 항목이 없습니다: "email".' in run.stdout


def test_a_list_that_is_cut_says_how_many_more(folder: Path) -> None:
    texts = write(folder / "texts.json", {"items": {"type": "string"}})
    values = json.dumps(list(range(150)))
    lines = schema("validate", texts, "-", standard_input=values).stdout.splitlines()
    assert len(lines) == 101 and lines[-1] == "-: 50 more failures are not shown; --all shows all"
    assert len(schema("validate", "--all", texts, "-", standard_input=values).stdout.splitlines()) == 150
    output = json.loads(schema("validate", "--output", "basic", texts, "-", standard_input=values).stdout)
    assert len(output["errors"]) == 100 and output["omitted"] == 50


def test_two_ways_to_one_keyword_are_one_line(folder: Path) -> None:
    both = {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"maxLength": 1}}}
    run = schema("validate", write(folder / "both.json", both), "-", standard_input='"abc"')
    assert len(run.stdout.splitlines()) == 1, run


@pytest.mark.parametrize(
    ("arguments", "option"), [(["--steps-max", "20"], "--steps-max"), ([], "--depth-max")], ids=["steps", "depth"]
)
def test_giving_up_is_no_verdict(folder: Path, arguments: list[str], option: str) -> None:
    lists = write(folder / "lists.json", {"items": {"$ref": "#"}})
    deep = "[" * 700 + "]" * 700
    run = schema("validate", *arguments, lists, "-", standard_input=deep)
    assert (run.returncode, run.stdout) == (2, "") and f"Raise the limit with {option}." in run.stderr, run
    for output in ["flag", "basic", "detailed"]:
        run = schema("validate", "--output", output, *arguments, lists, "-", standard_input=deep)
        told = json.loads(run.stdout)
        assert run.returncode == 2 and told["valid"] is None and option in told["error"], run


def test_a_bound_can_be_raised(folder: Path) -> None:
    lists = write(folder / "lists.json", {"items": {"$ref": "#"}})
    run = schema("validate", "--depth-max", "4000", lists, "-", standard_input="[" * 2000 + "]" * 2000)
    assert (run.returncode, run.stdout) == (0, "valid\n"), run
    run = schema("validate", "--depth-max", "4000", lists, "-", standard_input="[" * 1999 + "1" + "]" * 1999)
    assert run.returncode == 0, run
    strict = write(folder / "strict.json", {"type": "array", "items": {"$ref": "#"}})
    run = schema("validate", "--depth-max", "4000", strict, "-", standard_input="[" * 1999 + "1" + "]" * 1999)
    assert run.returncode == 1 and "This must be a list, not 1." in run.stdout, run
    run = schema("validate", "--depth-max", "0", lists, "-", standard_input="1")
    assert run.returncode == 2 and "--depth-max" in run.stderr, run


def test_a_binary_tree_that_two_branches_look_into_gets_its_verdict(folder: Path) -> None:
    node: Any = {"$ref": "#/$defs/n"}
    branches = [
        {"type": "null"},
        {"type": "object", "properties": {"l": node, "r": node}, "required": ["l"]},
        {"type": "object", "properties": {"l": node, "x": {"type": "string"}}, "required": ["x"]},
    ]
    tree: Any = None
    for _ in range(14):
        tree = {"l": tree, "r": tree}
    run = schema(
        "validate", write(folder / "tree.json", {**node, "$defs": {"n": {"oneOf": branches}}}), "-",
        standard_input=json.dumps(tree),
    )
    assert (run.returncode, run.stdout) == (0, "valid\n"), run
