"""`formctl expr`: expressions that begin as options do, values from files, types from schemas, assertions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import formctl


@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        (["-1"], "-1"),
        (["-1 + 2"], "1"),
        (["-x", "--var", "x=3"], "-3"),
        (["--var", "x=3", "-(x)"], "-3"),
        (["--json", "-1.5"], "-1.5"),
        (["--", "-1"], "-1"),
        (["--var", "x=3", "--", "--x"], "3"),
        (["[,]"], "[]"),
    ],
)
def test_an_expression_may_begin_with_a_minus_sign(arguments: list[str], result: str) -> None:
    done = formctl("expr", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{result}\n", ""), done


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--jsno", "1"], "--jsno"),
        (["1", "+", "2"], "2 unexpected arguments"),
        ([], "Missing expected argument"),
    ],
)
def test_what_is_no_expression_is_trouble(arguments: list[str], words: str) -> None:
    done = formctl("expr", *arguments)
    assert done.returncode == 2 and words in done.stderr, done


PORTS = {"properties": {"port": {"type": "integer"}, "price": {"type": "number"}, "tags": {"type": "array", "items": {"type": "string"}}, "at": {"properties": {"city": {"type": "string"}}}}}


def write(path: Path, content: str) -> str:
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_a_variable_may_be_a_file(folder: Path) -> None:
    for name, content in (("a.json", '{"n": [1, 2]}'), ("a.yaml", "n: [1, 2]\n")):
        done = formctl("expr", "x.n.size() + y", "--var", f"x=@{write(folder / name, content)}", "--var", "y=1")
        assert (done.returncode, done.stdout) == (0, "3\n"), done
    done = formctl("expr", "x", "--var", f"x=@{folder}/gone.json")
    assert done.returncode == 2 and "gone.json: No such file" in done.stderr, done
    two = write(folder / "two.yaml", "a: 1\n---\na: 2\n")
    done = formctl("expr", "x", "--var", f"x=@{two}")
    assert done.returncode == 2 and "--input" in done.stderr, done


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("self.prot < 1024", "port"), ("self.at.ctiy == ''", "city"), ("self.port.contains('x')", "contains"),
        ("self.tags.exists(t, t > 1)", "string"),
    ],
)
def test_a_schema_says_what_self_has(folder: Path, expression: str, words: str) -> None:
    schema = write(folder / "s.json", json.dumps(PORTS))
    done = formctl("expr", expression, "--schema", schema)
    assert done.returncode == 1 and words in done.stderr, done


def test_values_are_of_the_types_that_a_schema_says(folder: Path) -> None:
    schema = write(folder / "s.json", json.dumps(PORTS))
    done = formctl("expr", "self.price * 1.5", "--schema", schema, "--var", 'self={"price": 2}')
    assert (done.returncode, done.stdout) == (0, "3.0\n"), done
    done = formctl("expr", "self.port", "--schema", schema, "--types", "--var", 'self={"port": 2}')
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "2", done


def test_each_value_of_the_input_is_self(folder: Path) -> None:
    lines = write(folder / "v.jsonl", '{"n": 1}\n\n{"n": 2}\n{"m": 3}\n')
    done = formctl("expr", "self.n.orValue(0) * 10", "--input", lines)
    assert (done.returncode, done.stdout) == (0, "10\n20\n0\n"), done
    done = formctl("expr", "self.n * 10", "--input", "-", "--language", "yaml", standard_input="n: 1\n---\nn: 2\n")
    assert (done.returncode, done.stdout) == (0, "10\n20\n"), done
    done = formctl("expr", "1", "--input", folder / "gone", "--input", lines)
    assert done.returncode == 2 and "gone" in done.stderr, done


def test_an_assertion_that_does_not_hold_is_told_with_its_line(folder: Path) -> None:
    lines = write(folder / "v.jsonl", '{"n": 1}\n{"n": 5}\n{"n": 2}\n')
    done = formctl("expr", "self.n < 3", "--assert", "--input", lines)
    assert (done.returncode, done.stdout) == (1, f"{lines}:2: the assertion does not hold: false\n"), done
    assert formctl("expr", "self.n < 9", "--assert", "--input", lines).returncode == 0
    assert formctl("expr", "1 == 1", "--assert").returncode == 0
    done = formctl("expr", "1 == 2", "--assert")
    assert (done.returncode, done.stdout) == (1, "the assertion does not hold: false\n"), done
    assert formctl("expr", "'true'", "--assert").returncode == 1
