"""protocol/ci.md, the page for checks of files in pipelines: its commands print the shown output, and its pipelines
call commands that exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from harness import formctl
from page_examples import Page, name_of

PAGE = Page("ci.md")


@pytest.fixture(scope="module")
def page(scratch: Path) -> Path:
    """A folder with the files of the page."""
    folder = scratch / "ci-page"
    folder.mkdir()
    PAGE.write(folder)
    return folder


@pytest.mark.parametrize("console", PAGE.consoles, ids=name_of)
def test_a_command_of_the_page_prints_what_stands_there(console: str, page: Path) -> None:
    PAGE.type_in(page, console)


CALLS = sorted(set(re.findall(r"^ +(?:- )?(?:run: |entry: )?(formctl [^\n|>&]+)", PAGE.text, re.MULTILINE)))


@pytest.mark.parametrize("call", CALLS)
def test_a_call_in_a_pipeline_of_the_page_is_understood(call: str, page: Path) -> None:
    words = [str(page / word) if (page / word).exists() else word for word in shlex.split(call)[1:]]
    run = formctl(*words)
    assert "Usage:" not in run.stderr, run


def test_there_are_calls_in_pipelines() -> None:
    assert len(CALLS) >= 3
