"""`formctl expr`: expressions that begin as options do."""

from __future__ import annotations

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
