"""Secrets from files and from the service manager: what is sent, what a reload takes over, and what nobody is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Callable

import pytest

import harness
from harness import Daemon, Process
from service import Service

Start = Callable[..., Daemon]

CANARY = "canary-7c1-and-more"
FORM_VALUES = {"values": {"email": "kim@example.com", "password": "x"}}


def write_secret(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")


def sent_header(daemon: Daemon, service: Service) -> str:
    """The header `x-key` of one request that the daemon sends for a form."""
    count = len(service.requests)
    with daemon.connect() as connection:
        connection.call("session/open", {"form": "login"})
        connection.call("field/change", FORM_VALUES)
        connection.call("action/tap", {"action": "login", "await": True})
    return service.wait_for(count + 1)[-1].headers["x-key"]


def reload(daemon: Daemon) -> Any:
    return harness.formctl("reload", "--socket", daemon.path)


def with_header(service: Service, source: Any) -> Any:
    return {
        "services": {"accounts": {"http": {"baseURL": service.url, "headers": {"x-key": source}}}},
        "log": {"level": "trace"},
    }


def test_a_header_from_a_file_is_sent_and_a_reload_reads_it_again(start: Start, folder: Path) -> None:
    write_secret(folder / "key", CANARY + "\n")
    with Service() as service:
        service.answer()
        daemon = start(with_header(service, {"file": "key"}))
        assert sent_header(daemon, service) == CANARY
        write_secret(folder / "key", CANARY + "-2\r\n")
        assert sent_header(daemon, service) == CANARY
        assert "services.accounts" in reload(daemon).stdout
        assert sent_header(daemon, service) == CANARY + "-2"
        # A file that is gone is a problem with its path, and changes nothing.
        (folder / "key").unlink()
        failed = reload(daemon)
        assert failed.returncode == 1 and str(folder / "key") in failed.stdout + failed.stderr
        assert sent_header(daemon, service) == CANARY + "-2"
    assert daemon.end() == 0
    assert "canary" not in daemon.output


def test_a_credential_of_the_service_manager_is_read(start: Start, folder: Path) -> None:
    write_secret(folder / "vault", CANARY + "\n")
    config = {"providers": {"vault": {"secrets": True, "token": {"credential": "vault"}}}}
    daemon = start(config, environment={"CREDENTIALS_DIRECTORY": str(folder)})
    with daemon.connect() as connection:
        assert connection.refused("provider/register", {"name": "vault", "token": CANARY + "x"})["code"] == 1009
        connection.call("provider/register", {"name": "vault", "token": CANARY})
        # A new token in the file is a new token of the configuration.
        write_secret(folder / "vault", CANARY + "-2\n")
        assert "providers.vault" in reload(daemon).stdout
        assert connection.read_to_end()[-1]["error"]["code"] == 1009
    assert daemon.end() == 0
    assert "canary" not in daemon.output


def check(folder: Path, config: Any, *arguments: str, **environment: str) -> Process:
    write_secret(folder / "formd.json", json.dumps(config))
    process = Process(
        [str(harness.formd_binary()), "check-config", str(folder / "formd.json"), *arguments], environment or None
    )
    process.wait()
    return process


def token(source: Any) -> Any:
    return {"providers": {"vault": {"token": source}}}


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ({"file": "nowhere"}, "/nowhere: the secret cannot be read"),
        ({"file": "folder"}, "/folder: the secret cannot be read"),
        ({"file": "empty"}, "the file is empty"),
        ({"file": "long"}, "/long: the secret cannot be read"),
        ({"file": "short"}, "a token has 16 to 256 characters"),
        ({"file": "open"}, "other users may change"),
        ({"credential": "vault"}, "CREDENTIALS_DIRECTORY is not set"),
        ({"credential": "../vault"}, "a credential of the service manager"),
    ],
    ids=lambda one: str(one),
)
def test_a_secret_that_cannot_be_used_is_a_problem_with_its_place(folder: Path, source: Any, why: str) -> None:
    (folder / "folder").mkdir()
    write_secret(folder / "empty", "")
    write_secret(folder / "long", "canary" * 20_000)
    write_secret(folder / "short", "canary\n")
    write_secret(folder / "open", CANARY)
    (folder / "open").chmod(0o622)
    checked = check(folder, token(source))
    assert checked.process.returncode == 2
    assert "formd.json:1:" in checked.output and why in checked.output, checked.output
    assert "canary" not in checked.output


def test_a_secret_that_others_may_read_draws_a_warning(folder: Path) -> None:
    write_secret(folder / "token", CANARY)
    # The configuration itself has no secret then, and others may read it.
    assert "0 warnings" in check(folder, token({"file": "token"})).output
    (folder / "formd.json").chmod(0o644)
    assert "0 warnings" in check(folder, token({"file": "token"})).output
    (folder / "token").chmod(0o644)
    warned = check(folder, token({"file": "token"}))
    assert "chmod go-rwx" in warned.output and warned.process.returncode == 0
    assert check(folder, token({"file": "token"}), "--strict").process.returncode == 1
    # The service manager answers for the rights of its credentials.
    assert "0 warnings" in check(folder, token({"credential": "token"}), CREDENTIALS_DIRECTORY=str(folder)).output


def test_a_service_s_own_timeout_ends_a_request_before_the_form_s(start: Start) -> None:
    with Service() as service:
        config = {"services": {"accounts": {"http": {"baseURL": service.url, "timeout": "50ms"}}}}
        daemon = start(config)
        with daemon.connect() as connection:
            connection.call("session/open", {"form": "login"})
            connection.call("field/change", FORM_VALUES)
            event = connection.call("action/tap", {"action": "login", "await": True})["event"]
            assert event["kind"] == "failed"
        daemon.line_with("accounts", "timeout")
