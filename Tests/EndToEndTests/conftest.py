"""Fixtures: a backend and a daemon for all, and ways to start others."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import Callable, Iterator

import pytest

import harness
import witness
from harness import Backend, Daemon


def pytest_sessionstart(session: pytest.Session) -> None:
    # A background process of a shell ignores Ctrl-C, and so would all programs under test (POSIX, "Asynchronous
    # Lists").
    signal.signal(signal.SIGINT, signal.default_int_handler)
    binary = harness.formd_binary()
    if not os.access(binary, os.X_OK):
        pytest.exit(f"there is no daemon at {binary}: run `swift build`, or name one in FORMD_BIN", returncode=2)
    # The processes of pytest-xdist record into the folder of the first process.
    if "FORMD_RECORDINGS" not in os.environ:
        folder = os.environ.get("FORMD_WITNESS")
        if folder is None:
            folder = tempfile.mkdtemp(prefix="formd-e2e-witness-", dir="/tmp")
            session.config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        witness.record_daemons(Path(folder))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # The longest module runs first, beside the others. The module that judges all recorded conversations runs last.
    order = {"test_web_parity.py": 0, "test_protocol_document.py": 2}
    items.sort(key=lambda item: order.get(item.path.name, 1))


@pytest.fixture(scope="session")
def scratch() -> Iterator[Path]:
    """A folder with a short path, whatever TMPDIR says: the address of a Unix socket holds 108 bytes."""
    folder = Path(tempfile.mkdtemp(prefix="formd-e2e-", dir="/tmp"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def folder(scratch: Path) -> Path:
    """A fresh folder for one test."""
    return Path(tempfile.mkdtemp(dir=scratch))


@pytest.fixture(scope="session")
def backend(scratch: Path) -> Iterator[Backend]:
    backend = Backend(scratch / "example.sqlite")
    yield backend
    backend.end()


@pytest.fixture(scope="session")
def forms(scratch: Path) -> Path:
    """The example forms, the tests' own forms, and `login-quick`: a login that waits 500 ms for its server instead of
    10 s."""
    forms = scratch / "forms"
    shutil.copytree(harness.EXAMPLES, forms, ignore=shutil.ignore_patterns("*.md", "formd.*"))
    login = (forms / "login" / "login.form.json").read_text(encoding="utf-8")
    quick = login.replace('"form": "login"', '"form": "login-quick"').replace('"timeout": "10s"', '"timeout": "500ms"')
    assert quick.count("login-quick") == 1 and quick.count("500ms") == 1
    (forms / "login-quick").mkdir()
    (forms / "login-quick" / "login-quick.form.json").write_text(quick, encoding="utf-8")
    shutil.copytree(Path(__file__).parent / "forms", forms / "of-the-tests")
    return forms


@pytest.fixture
def own_forms(folder: Path, forms: Path) -> Path:
    """A copy of the forms that one test may change."""
    own = folder / "forms"
    shutil.copytree(forms, own)
    return own


@pytest.fixture(scope="module")
def daemon(scratch: Path, backend: Backend, forms: Path) -> Iterator[Daemon]:
    """One daemon for a module's tests. Afterwards it is still the same process, and ends as it should."""
    folder = Path(tempfile.mkdtemp(dir=scratch))
    daemon = Daemon(folder, harness.configuration(backend), forms)
    yield daemon
    assert daemon.process.poll() is None, f"the daemon ended by itself; its log:\n{daemon.output}"
    assert daemon.end() == 0, daemon.output


@pytest.fixture
def start(folder: Path, backend: Backend, forms: Path) -> Iterator[Callable[..., Daemon]]:
    """Starts daemons that only this test uses: `start(config=None, forms=..., arguments=(), wait=True)`."""
    started: list[Daemon] = []

    def start(config: harness.JSON = None, forms: Path = forms, **options: harness.JSON) -> Daemon:
        home = options.pop("folder", folder)
        daemon = Daemon(home, harness.configuration(backend) if config is None else config, forms, **options)
        started.append(daemon)
        return daemon

    yield start
    for daemon in started:
        if daemon.process.poll() is None:
            daemon.process.kill()
            daemon.wait()
