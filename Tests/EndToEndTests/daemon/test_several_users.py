"""Several users of the machine and their roles (`peers`), with real users: the tests run as root, and give their
children other users."""

from __future__ import annotations

import grp
import json
import os
import pwd
import re
import socket
import stat
from pathlib import Path
from typing import Any, Callable, List, Optional

import pytest

import formd
import harness
from harness import Daemon

Start = Callable[..., Daemon]

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")

CLIENT, OPERATOR, STRANGER = "nobody", "daemon", "www-data"
"""Users that Debian has."""

GROUP = "games"
"""A group in which none of these users is. A child gets it as a supplementary group."""


def known_users() -> None:
    for name in (CLIENT, OPERATOR, STRANGER):
        try:
            pwd.getpwnam(name)
        except KeyError:
            pytest.skip(f"this machine has no user {name}")
    try:
        grp.getgrnam(GROUP)
    except KeyError:
        pytest.skip(f"this machine has no group {GROUP}")


def as_user(user: str, story: Callable[[], Any], groups: Optional[List[str]] = None) -> Any:
    """What `story` returns in a child process of that user, with these supplementary groups."""
    known = pwd.getpwnam(user)
    numbers = [grp.getgrnam(name).gr_gid for name in groups or []]
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups(numbers)
            os.setgid(known.pw_gid)
            os.setuid(known.pw_uid)
            result = {"result": story()}
        except BaseException as error:  # noqa: BLE001
            result = {"failure": repr(error)}
        os.write(writing, json.dumps(result).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        told = json.loads(stream.read())
    os.waitpid(child, 0)
    assert "failure" not in told, told["failure"]
    return told["result"]


def open_way(path: Path) -> None:
    """All users may enter the folders of the socket, which the tests keep shut. The socket itself is the daemon's."""
    for above in (path.parent, *path.parent.parents):
        if above == Path("/tmp"):
            break
        os.chmod(above, os.stat(above).st_mode | 0o011)


def call(daemon: Daemon, method: str, params: Any = None) -> Callable[[], Any]:
    """A story: one request, and its result or its error. None if the daemon closes the connection."""

    def story() -> Any:
        with daemon.connect() as connection:
            try:
                connection.send(harness.request(1, method, params))
                return connection.read()
            except BrokenPipeError:
                return None

    return story


PEERS = {
    "peers": [
        {"user": CLIENT, "roles": ["client"]},
        {"group": GROUP, "roles": ["operator"]},
    ]
}


@only_root
def test_users_with_a_role_connect_and_others_are_refused_with_a_line_and_a_count(start: Start) -> None:
    known_users()
    daemon = start(PEERS)
    open_way(daemon.path)
    assert stat.S_IMODE(os.stat(daemon.path).st_mode) == 0o666
    opened = as_user(CLIENT, call(daemon, "session/open", {"form": "feedback"}))
    assert opened["result"]["session"] == 1
    assert as_user(STRANGER, call(daemon, "server/ping")) is None
    uid = pwd.getpwnam(STRANGER).pw_uid
    daemon.line_with("a client of another user was refused", f"uid={uid}")
    with daemon.connect() as connection:
        assert connection.call("server/stats")["connectionsRefused"] == 1


@only_root
def test_a_client_cannot_do_what_operators_and_providers_do(start: Start) -> None:
    known_users()
    daemon = start(PEERS)
    open_way(daemon.path)
    with daemon.connect() as other:
        other.call("session/open", {"form": "feedback"})
        for method, params, role in [
            ("server/disconnect", {"connection": 1}, "operator"), ("server/reload", {}, "operator"),
            ("server/stats", {"top": 10}, "operator"), ("server/backup", {"file": "/tmp/x"}, "operator"),
            ("provider/register", {"name": "stock"}, "provider"),
        ]:  # fmt: skip
            error = as_user(CLIENT, call(daemon, method, params))["error"]
            assert error["code"] == 1015 and error["data"] == {"role": role}, (method, error)
        daemon.line_with("without the role for it", "method=server/disconnect", "role=operator")
        assert other.call("session/get")["session"] == 1


@only_root
def test_a_supplementary_group_gives_its_roles(start: Start) -> None:
    known_users()
    daemon = start(PEERS)
    open_way(daemon.path)
    # The user has no role of its own, and its process has the group.
    stats = as_user(OPERATOR, call(daemon, "server/stats", {"top": 10}), groups=[GROUP])
    assert stats["result"]["topClients"][0]["uid"] == pwd.getpwnam(OPERATOR).pw_uid
    assert as_user(OPERATOR, call(daemon, "server/stats"), groups=["tty"]) is None
    refused = as_user(OPERATOR, call(daemon, "form/list"), groups=[GROUP])
    assert refused["error"]["data"] == {"role": "client"}
    # More groups than the daemon asks for at first.
    many = [one.gr_name for one in grp.getgrall() if one.gr_name != GROUP][:30] + [GROUP]
    assert "result" in as_user(OPERATOR, call(daemon, "server/stats"), groups=many)


@only_root
def test_members_of_the_group_of_a_given_socket_connect(folder: Path) -> None:
    """`SocketGroup=` and `SocketMode=0660` of the service manager: the daemon leaves both as they are."""
    known_users()
    path, config = folder / "given.sock", folder / "formd.json"
    config.touch(mode=0o600)
    config.write_text(json.dumps({"peers": [{"group": GROUP, "roles": ["operator"]}]}), encoding="utf-8")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen(8)
        os.chown(path, -1, grp.getgrnam(GROUP).gr_gid)
        os.chmod(path, 0o660)
        open_way(path)
        script = f'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" serve --config "$1" 3<&{listener.fileno()}'
        command = ["bash", "-c", script, str(harness.formd_binary()), str(config)]
        daemon = harness.Process(command, pass_fds=(listener.fileno(),))
        daemon.line_with("listening")

        def ping() -> Any:
            with harness.Connection(path) as connection:
                return connection.call("server/ping")["instanceId"]

        assert as_user(OPERATOR, ping, groups=[GROUP])
        # The kernel refuses all other users.
        with pytest.raises(AssertionError, match="PermissionError"):
            as_user(OPERATOR, ping)
        assert (stat.S_IMODE(path.stat().st_mode), path.stat().st_gid) == (0o660, grp.getgrnam(GROUP).gr_gid)
        assert daemon.end() == 0, daemon.output


@only_root
def test_the_audit_names_the_users_of_providers_and_of_refused_calls(start: Start, folder: Path) -> None:
    known_users()
    audit = folder / "audit.jsonl"
    daemon = start({**PEERS, "audit": {"file": str(audit)}})
    open_way(daemon.path)
    with daemon.connect() as own:
        own.call("provider/register", {"name": "stock"})
        assert as_user(CLIENT, call(daemon, "server/reload"))["error"]["code"] == 1015
    assert daemon.end() == 0
    found = [json.loads(line) for line in audit.read_text(encoding="utf-8").splitlines()]
    acts = [(line["message"], line["details"]["uid"], line["details"].get("name"), line["details"].get("refused")) for line in found]
    client = str(pwd.getpwnam(CLIENT).pw_uid)
    assert acts == [("provider/register", "0", "stock", None), ("server/reload", client, None, "operator")]


@only_root
def test_a_program_of_formd_says_which_role_its_user_needs(start: Start) -> None:
    known_users()
    daemon = start(PEERS)
    open_way(daemon.path)

    def story() -> Any:
        try:
            with formd.Client(str(daemon.path)) as client:
                return client.call("server/stats", {})
        except formd.RoleNeeded as error:
            return [error.code, error.data]

    assert as_user(CLIENT, story) == [1015, {"role": "operator"}]


@only_root
def test_a_reload_gives_and_takes_roles(start: Start) -> None:
    known_users()
    daemon = start({})
    open_way(daemon.path)
    assert stat.S_IMODE(os.stat(daemon.path).st_mode) == 0o600
    with pytest.raises(AssertionError, match="PermissionError"):
        as_user(CLIENT, call(daemon, "server/ping"))

    def reload(config: Any) -> str:
        daemon.config.write_text(json.dumps(config), encoding="utf-8")
        return harness.formctl("reload", "--socket", daemon.path).stdout

    assert "peers" in reload(PEERS)
    assert stat.S_IMODE(os.stat(daemon.path).st_mode) == 0o666
    reading, writing = os.pipe()

    def stays() -> Any:
        with daemon.connect() as connection:
            connection.call("session/open", {"form": "feedback"})
            os.write(writing, b"x")
            return connection.read_to_end()

    # The parent reloads while the child has a session.
    child = os.fork()
    if child == 0:
        last = as_user(CLIENT, stays)
        os._exit(0 if last[-1]["error"]["code"] == 1015 and last[-1]["id"] is None else 1)
    assert os.read(reading, 1) == b"x"
    assert "peers" in reload({"peers": [{"user": CLIENT, "roles": ["operator"]}]})
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    daemon.line_with("users have lost roles")
    assert "result" in as_user(CLIENT, call(daemon, "server/stats"))
    reload({})
    assert stat.S_IMODE(os.stat(daemon.path).st_mode) == 0o600


def check_config(folder: Path, config: Any) -> harness.Process:
    path = folder / "formd.json"
    path.touch(mode=0o600)
    path.write_text(json.dumps(config), encoding="utf-8")
    process = harness.Process([str(harness.formd_binary()), "check-config", str(path)])
    process.wait()
    return process


@pytest.mark.parametrize("key", ["user", "group"])
def test_a_name_that_does_not_exist_is_a_problem_with_its_place(folder: Path, key: str) -> None:
    checked = check_config(folder, {"peers": [{key: "nosuchname", "roles": ["client"]}]})
    assert checked.process.returncode == 2
    assert re.search(rf'formd.json:1:\d+: error: there is no {key} "nosuchname" on this machine', checked.output)
    assert check_config(folder, {"peers": [{key: "4711", "roles": ["client"]}]}).process.returncode == 0


def test_a_reload_with_an_unknown_name_changes_nothing(start: Start) -> None:
    daemon = start({})
    daemon.config.write_text(json.dumps({"peers": [{"user": "nosuchname", "roles": ["client"]}]}), encoding="utf-8")
    assert harness.formctl("reload", "--socket", daemon.path).returncode == 1
    assert stat.S_IMODE(os.stat(daemon.path).st_mode) == 0o600


def test_a_socket_that_no_other_user_can_reach_draws_a_warning(start: Start, folder: Path) -> None:
    (folder / "run").mkdir(mode=0o700)
    start({"peers": [{"user": "4711", "roles": ["client"]}]}).line_with("only the owner of the socket's folder")


def test_the_daemon_makes_a_folder_that_others_may_enter_for_them_only(folder: Path, forms: Path) -> None:
    for name, peers, mode in [("shared", [{"user": "4711", "roles": ["client"]}], 0o755), ("own", [], 0o700)]:
        home = folder / name
        home.mkdir()
        daemon = Daemon(home, {"peers": peers}, forms)
        assert stat.S_IMODE(os.stat(daemon.path.parent).st_mode) == mode
        assert daemon.end() == 0
