"""Fixtures: a browser, a front, a door and a daemon."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEndTests"))

import chromium  # noqa: E402
import harness  # noqa: E402
import web  # noqa: E402
from page import Stage  # noqa: E402

JSON = Any


@pytest.fixture(scope="session")
def scratch() -> Iterator[Path]:
    """A folder with a short path: the address of a Unix socket holds 108 bytes."""
    with tempfile.TemporaryDirectory(prefix="formd-web-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def pytest_sessionstart(session: pytest.Session) -> None:
    for binary in (harness.formd_binary(), web.web_binary()):
        if not os.access(binary, os.X_OK):
            pytest.exit(f"there is no {binary}: run `swift build`", returncode=2)


@pytest.fixture(scope="session")
def browser(scratch: Path) -> Iterator[chromium.Chromium]:
    if not chromium.program():
        pytest.skip("there is no chromium: install it (apt-get install chromium), or name it in CHROMIUM_BIN")
    browser = chromium.Chromium(scratch / "profile")
    yield browser
    browser.end()


@pytest.fixture(scope="session")
def backend(scratch: Path) -> Iterator[harness.Backend]:
    backend = harness.Backend(scratch / "example.sqlite")
    yield backend
    backend.end()


@pytest.fixture
def stage(browser: chromium.Chromium, backend: harness.Backend, scratch: Path) -> Iterator[Stage]:
    """A daemon, a door, a front, and a tab of the browser. No page may have complained in the end."""
    stage = Stage(browser, backend, Path(tempfile.mkdtemp(dir=scratch)))
    yield stage
    problems = stage.tab.problems() if stage.looks_at_the_console else []
    stage.end()
    assert problems == []
