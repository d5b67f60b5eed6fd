"""The ways in which a daemon is started: for one client on standard input and output, by a service manager, with the
user's own configuration."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Iterator, Optional

import pytest

import harness
from harness import Process, encode, formd_binary, frame, request
from web import web_binary

LOGIN = harness.EXAMPLES / "login"


# One client on standard input and output


def stdio(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    command = [str(formd_binary()), "serve", "--stdio", "--forms", str(LOGIN), *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("FORMD_")}
    return subprocess.Popen(
        command, **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment, **options}
    )


def conversation(framing: str = "lines") -> bytes:
    messages = [request(1, "session/open", {"form": "login"}), request(2, "field/change", {"field": "email", "value": "kim@"})]
    return b"".join(frame(encode(message), framing) for message in messages)


@pytest.mark.parametrize("framing", ["lines", "headers"])
def test_one_client_has_all_its_answers_and_the_daemon_ends_with_it(framing: str) -> None:
    with stdio() as process:
        said, log = process.communicate(conversation(framing), timeout=harness.PATIENCE_SECONDS)
    assert process.returncode == 0, log
    assert said.count(b'"result"') == 2 and said.count(b"Content-Length") == (0 if framing == "lines" else 3), said
    assert b"its client has disconnected" in log


def test_the_streams_may_be_files(folder: Path) -> None:
    (folder / "in").write_bytes(conversation())
    with open(folder / "in", "rb") as source, open(folder / "out", "wb") as target:
        with stdio(stdin=source, stdout=target) as process:
            _, log = process.communicate(timeout=harness.PATIENCE_SECONDS)
    assert process.returncode == 0, log
    answers = [json.loads(line) for line in (folder / "out").read_text(encoding="utf-8").splitlines()]
    assert [answer.get("id") for answer in answers if "id" in answer] == [1, 2]


def test_the_streams_stay_as_they_are_for_others_that_share_them() -> None:
    reads, writes = os.pipe()
    with stdio(stdin=reads) as process:
        os.write(writes, conversation())
        assert process.stdout is not None and process.stdout.readline()
        assert not fcntl.fcntl(reads, fcntl.F_GETFL) & os.O_NONBLOCK
        os.close(writes)
        process.communicate(timeout=harness.PATIENCE_SECONDS)
    os.close(reads)
    assert process.returncode == 0


def test_a_client_that_goes_without_reading_ends_the_daemon() -> None:
    with stdio() as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdout.close()
        process.stdin.write(conversation())
        process.stdin.flush()
        # Its input stays open: the daemon ends because its output has no reader.
        assert process.wait(timeout=harness.PATIENCE_SECONDS) == 0
        process.stdin.close()


def test_output_that_cannot_be_written_is_no_success() -> None:
    with open("/dev/full", "wb") as full, stdio(stdout=full) as process:
        _, log = process.communicate(conversation(), timeout=harness.PATIENCE_SECONDS)
    assert process.returncode == 1 and b"standard output: No space left on device" in log, log


def test_what_is_said_at_sigterm_goes_out() -> None:
    with stdio() as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(frame(encode(request(1, "session/open", {"form": "login"})), "lines"))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(signal.SIGTERM)
        rest = [json.loads(line)["method"] for line in process.stdout.read().splitlines()]
        assert rest == ["server/draining", "session/closed"]
        assert process.wait(timeout=harness.PATIENCE_SECONDS) == 0
        process.stdin.close()


def test_a_broken_form_is_logged_and_left_out(folder: Path) -> None:
    (folder / "broken.form.json").write_text('{"form": "broken"', encoding="utf-8")
    (folder / "good.form.json").write_text('{"form": "good", "schema": {"type": "object", "properties": {"a": {}}}}', encoding="utf-8")
    with stdio("--forms", str(folder)) as process:
        said, log = process.communicate(frame(encode(request(1, "form/list")), "lines"), timeout=harness.PATIENCE_SECONDS)
    assert b"broken.form.json:1:" in log
    assert [form["form"] for form in json.loads(said)["result"]["forms"]] == ["good", "login"]


@pytest.mark.parametrize("arguments", [["--socket", "/tmp/x.sock"], ["--idle-exit", "1"]])
def test_stdio_goes_with_nothing_that_is_about_a_socket(arguments: list[str]) -> None:
    with stdio(*arguments) as process:
        _, error = process.communicate(timeout=harness.PATIENCE_SECONDS)
    assert process.returncode == 64 and b"leave out --socket and --idle-exit" in error


# A service manager


class Manager:
    """The part of systemd: it listens on the daemon's socket, passes it to the daemon, and receives the daemon's state.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "given.sock"
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(str(self.path))
        self.listener.listen(8)
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.settimeout(harness.PATIENCE_SECONDS)
        self.notices.bind(str(folder / "notify.sock"))
        self.environment = {"NOTIFY_SOCKET": str(folder / "notify.sock"), "XDG_CONFIG_HOME": str(folder)}

    def start(self, *arguments: str, count: int = 1, descriptor: Optional[int] = None, **variables: str) -> Process:
        """The daemon, with the listener as its descriptor 3. The shell has the process id that the daemon will have."""
        given = self.listener.fileno() if descriptor is None else descriptor
        script = f'LISTEN_PID=$$ LISTEN_FDS={count} exec "$0" serve "$@" 3<&{given}'
        command = ["bash", "-c", script, str(formd_binary()), "--forms", str(LOGIN), *arguments]
        return Process(command, {**self.environment, **variables}, pass_fds=(given,))

    def notice(self) -> list[str]:
        return self.notices.recv(4096).decode().splitlines()

    def notice_with(self, first: str) -> list[str]:
        while (notice := self.notice())[0] != first:
            assert notice[0] in ("READY=1", "WATCHDOG=1"), notice
        return notice


@pytest.fixture
def manager(folder: Path) -> Iterator[Manager]:
    made = Manager(folder)
    yield made
    made.listener.close()
    made.notices.close()


def test_a_socket_that_is_given_is_served_and_stays(manager: Manager) -> None:
    for _ in range(2):
        # A client that connects before the daemon is there waits, and is served.
        with harness.Connection(manager.path) as early:
            daemon = manager.start()
            assert early.call("form/list")["forms"][0]["form"] == "login"
            assert manager.notice()[0] == "READY=1"
        daemon.line_with("listening", str(manager.path), "the service manager")
        assert daemon.end() == 0, daemon.output
        assert manager.notice() == ["STOPPING=1"]
        assert manager.path.exists()


def test_it_is_told_of_a_reload(manager: Manager) -> None:
    daemon = manager.start()
    assert manager.notice()[:2] == ["READY=1", f"MAINPID={daemon.pid}"]
    daemon.signal(signal.SIGHUP)
    reloading = manager.notice()
    assert reloading[0] == "RELOADING=1" and reloading[1].startswith("MONOTONIC_USEC=")
    assert manager.notice()[0] == "READY=1"
    assert daemon.end() == 0


def test_the_loop_says_that_it_lives(manager: Manager) -> None:
    daemon = manager.start(WATCHDOG_USEC="20000")
    manager.notice_with("WATCHDOG=1")
    manager.notice_with("WATCHDOG=1")
    assert daemon.end() == 0


def test_a_manager_that_is_slow_to_read_is_told_all_the_same(manager: Manager) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        other.setblocking(False)
        other.connect(manager.environment["NOTIFY_SOCKET"])
        with contextlib.suppress(BlockingIOError):
            while True:
                other.send(b"WATCHDOG=1")
    daemon = manager.start()
    daemon.line_with("listening")
    manager.notice_with("READY=1")
    assert daemon.end() == 0
    assert manager.notice() == ["STOPPING=1"]


def test_nothing_is_said_behind_stopping(manager: Manager) -> None:
    daemon = manager.start()
    manager.notice_with("READY=1")
    for number in (signal.SIGHUP, signal.SIGTERM):
        daemon.signal(number)
    assert daemon.wait() == 0, daemon.output
    said = [manager.notice()[0]]
    while said[-1] != "STOPPING=1":
        said.append(manager.notice()[0])
    manager.notices.setblocking(False)
    with pytest.raises(BlockingIOError):
        manager.notice()


def test_an_idle_daemon_ends_and_the_next_client_has_another(manager: Manager) -> None:
    for _ in range(2):
        with harness.Connection(manager.path) as connection:
            daemon = manager.start("--idle-exit", "0.05")
            connection.call("server/ping")
        assert daemon.wait() == 0, daemon.output
        daemon.line_with("no client was connected for 0.05 seconds")


def test_sockets_that_it_cannot_use_are_refused(manager: Manager) -> None:
    several = manager.start(count=2)
    assert several.wait() == 1 and "passes 2 sockets" in several.output
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as wrong:
        other = manager.start(descriptor=wrong.fileno())
        assert other.wait() == 1 and "does not pass a listening Unix stream socket" in other.output


def units(folder: Path, kind: str) -> list[Path]:
    """The units of a kind as scripts/install writes them, with `folder` as the prefix."""
    (folder / "bin").mkdir(exist_ok=True)
    for binary in (formd_binary(), harness.formctl_binary(), web_binary()):
        if not (folder / "bin" / binary.name).exists():
            (folder / "bin" / binary.name).symlink_to(binary)
    generator = str(harness.ROOT / "scripts" / "lib" / "units.py")
    subprocess.run([sys.executable, generator, str(folder), str(harness.ROOT / "scripts" / "systemd"), str(folder / "units")], check=True)
    return sorted((folder / "units" / kind).iterdir())


needs_systemd = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze")


@needs_systemd
@pytest.mark.parametrize("kind", ["user", "system"])
@pytest.mark.parametrize("name", ["plain", "a|b & c %h $d"])
def test_systemd_has_nothing_against_the_units(folder: Path, kind: str, name: str) -> None:
    folder = folder / name
    folder.mkdir()
    command = ["systemd-analyze", f"--{kind}", "verify", "--man=no", *map(str, units(folder, kind))]
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(folder)}
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    said = [line for line in (run.stdout + run.stderr).splitlines() if "/formd" in line]
    assert (run.returncode, said) == (0, [])


@needs_systemd
@pytest.mark.parametrize(
    ("kind", "name", "exposure_max"),
    # The user's manager has no views of the file system, and takes no capabilities away (see the unit).
    [("system", "formd.service", 15), ("system", "formd-web.service", 12), ("user", "formd.service", 65)],
)
def test_the_services_can_do_little_harm(folder: Path, kind: str, name: str, exposure_max: int) -> None:
    service = next(unit for unit in units(folder, kind) if unit.name == name)
    command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={exposure_max}", "--no-pager", str(service)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-300:]


@pytest.mark.parametrize("kind", ["user", "system"])
def test_the_daemon_of_a_unit_knows_the_users_of_its_clients(folder: Path, kind: str) -> None:
    service = next(unit for unit in units(folder, kind) if unit.name == "formd.service")
    # In a user namespace of its own the daemon would see `nobody` for each user that `peers` names.
    settings = service.read_text(encoding="utf-8").splitlines()
    assert "NoNewPrivileges=yes" in settings and not any(line.startswith("PrivateUsers=") for line in settings)


@pytest.mark.skipif(not Path("/usr/sbin/apparmor_parser").exists(), reason="there is no apparmor_parser (apt-get install apparmor)")
def test_apparmor_can_read_the_profile(folder: Path) -> None:
    profile = (harness.ROOT / "protocol" / "operations" / "formd.apparmor").read_text(encoding="utf-8")

    def parse(text: str) -> int:
        (folder / "profile").write_text(text, encoding="utf-8")
        command = ["/usr/sbin/apparmor_parser", "--skip-kernel-load", "--skip-cache", "--quiet", str(folder / "profile")]
        return subprocess.run(command, capture_output=True, check=False).returncode

    assert parse(profile) == 0
    assert parse(profile.replace("network unix stream,", "network unix steam,")) != 0


@pytest.mark.parametrize("kind", ["user", "system"])
def test_the_units_wait_for_the_end_of_a_reload_as_their_systemd_can(folder: Path, kind: str) -> None:
    generator = str(harness.ROOT / "scripts" / "lib" / "units.py")
    for version, wanted in (("253", ["Type=notify-reload"]), ("252", ["Type=notify", "ExecReload="])):
        target = folder / version
        arguments = [str(folder), str(harness.ROOT / "scripts" / "systemd"), str(target), version]
        subprocess.run([sys.executable, generator, *arguments], check=True)
        lines = (target / kind / "formd.service").read_text(encoding="utf-8").splitlines()
        found = [line for line in lines if line.startswith(("Type=", "ExecReload="))]
        assert len(found) == len(wanted) and all(map(str.startswith, found, wanted)), found
        listen = next(line for line in (target / kind / "formd.socket").read_text().splitlines() if "ListenStream" in line)
        assert all(f"/bin/formctl\" reload --socket {listen.split('=')[1]}" in line for line in found[1:])


# The user's own configuration


def test_the_user_s_configuration_is_read_when_none_is_named(folder: Path) -> None:
    own = folder / "config" / "formd"
    own.mkdir(parents=True)
    forms = folder / "mine"
    forms.mkdir()
    (forms / "mine.form.json").write_text('{"form": "mine", "schema": {"type": "object", "properties": {"a": {}}}}', encoding="utf-8")
    (own / "formd.json").write_text(json.dumps({"forms": [str(forms)], "socket": str(folder / "own.sock")}), encoding="utf-8")
    for variables in ({"XDG_CONFIG_HOME": str(folder / "config")}, {"XDG_CONFIG_HOME": "", "HOME": str(folder)}):
        if "HOME" in variables:
            (folder / "config").rename(folder / ".config")
        daemon = Process([str(formd_binary()), "serve"], {**variables, "FORMD_CONFIG": ""})
        daemon.line_with("listening", str(folder / "own.sock"))
        with harness.Connection(folder / "own.sock") as connection:
            assert [form["form"] for form in connection.call("form/list")["forms"]] == ["mine"]
        assert daemon.end() == 0
    # A variable that is not an absolute path is ignored (XDG Base Directory Specification).
    daemon = Process([str(formd_binary()), "serve"], {"XDG_CONFIG_HOME": "config", "HOME": str(folder)})
    daemon.line_with("listening", str(folder / "own.sock"))
    assert daemon.end() == 0
    broken = folder / ".config" / "formd" / "formd.json"
    broken.write_text("{", encoding="utf-8")
    for _ in range(2):
        daemon = Process([str(formd_binary()), "serve"], {"XDG_CONFIG_HOME": "", "HOME": str(folder)})
        assert daemon.wait() == 2 and str(broken) in daemon.output
        # One that leads nowhere is not passed over, either.
        broken.unlink(missing_ok=True)
        broken.symlink_to(folder / "nowhere")


# formctl start


class Place:
    """A user's folders, and the daemons that are started there."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "run" / "formd.sock"
        self.log = folder / "state" / "formd" / "formd.log"
        self.environment = {
            **os.environ, "XDG_CONFIG_HOME": str(folder / "none"), "XDG_STATE_HOME": str(folder / "state"),
            "FORMD_SOCKET": str(self.socket),
        }  # fmt: skip

    def popen(self, *arguments: str) -> subprocess.Popen[str]:
        command = [str(harness.formctl_binary()), "start", *arguments]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment
        )

    def start(self, *arguments: str) -> tuple[int, str, str]:
        with self.popen(*arguments) as process:
            output, error = process.communicate(timeout=harness.PATIENCE_SECONDS)
        return process.returncode, output, error

    def info(self) -> Any:
        with harness.Connection(self.socket) as connection:
            return connection.call("server/info")

    def end(self) -> None:
        """Ends the daemon, which is not a child of the test, and waits for the end of its connections."""
        with harness.Connection(self.socket) as connection:
            os.kill(connection.call("server/info")["pid"], signal.SIGTERM)
            connection.read_to_end()


@pytest.fixture
def place(folder: Path) -> Iterator[Place]:
    made = Place(folder)
    yield made
    with contextlib.suppress(OSError):
        made.end()


def test_start_starts_one_daemon_and_prints_its_socket(place: Place) -> None:
    assert place.start("--forms", str(LOGIN)) == (0, f"{place.socket}\n", "")
    first = place.info()["instanceId"]
    assert place.start() == (0, f"{place.socket}\n", "")
    status, output, error = place.start("--forms", str(LOGIN))
    assert (status, output) == (0, f"{place.socket}\n") and "keeps its own forms" in error
    assert place.info()["instanceId"] == first
    assert "listening" in place.log.read_text(encoding="utf-8") and place.log.stat().st_mode & 0o077 == 0


def test_a_log_that_has_grown_makes_room_when_a_daemon_is_started(place: Place) -> None:
    place.log.parent.mkdir(parents=True)
    former = place.log.with_name("formd.log.1")
    for size in (1 << 20, (1 << 20) - 1):
        # The daemon of before may not have said its last word yet.
        place.log.unlink(missing_ok=True)
        place.log.write_bytes(b"x" * size)
        assert place.start() == (0, f"{place.socket}\n", "")
        place.end()
        assert former.read_bytes() == b"x" * (1 << 20)
        text = place.log.read_text(encoding="utf-8")
        assert "listening" in text and text.startswith("x") == (size < 1 << 20)


def test_several_that_start_at_once_have_one_daemon(place: Place) -> None:
    processes = [place.popen() for _ in range(4)]
    ends = [(*process.communicate(timeout=harness.PATIENCE_SECONDS), process.wait()) for process in processes]
    assert ends == [(f"{place.socket}\n", "", 0)] * 4
    assert place.log.read_text(encoding="utf-8").count("listening") == 1


def test_it_waits_for_a_daemon_that_somebody_else_starts(place: Place, folder: Path) -> None:
    slow = folder / "slow"
    slow.mkdir()
    fields = {f"f{number}": {"type": "string"} for number in range(1500)}
    form = {"form": "slow", "schema": {"type": "object", "properties": fields}}
    (slow / "slow.form.json").write_text(json.dumps(form), encoding="utf-8")
    other = Process([str(formd_binary()), "serve", "--socket", str(place.socket), "--forms", str(slow)])
    lock = Path(f"{place.socket}.lock")
    # The daemon prints nothing about its lock: the file names the holder.
    deadline = time.monotonic() + harness.PATIENCE_SECONDS
    while not lock.exists() or not lock.read_text(encoding="ascii").strip():
        assert time.monotonic() < deadline and other.process.poll() is None, other.output
    assert not place.socket.exists(), "the form is too small: its daemon listens already"
    assert place.start() == (0, f"{place.socket}\n", "")
    assert place.info()["pid"] == other.pid
    assert other.end() == 0


def test_a_daemon_that_is_started_has_nothing_of_its_starter(place: Place, folder: Path) -> None:
    place.environment |= {"NOTIFY_SOCKET": str(folder / "nobody"), "WATCHDOG_USEC": "1", "LISTEN_FDS": "1"}
    reads, writes = os.pipe()
    command = [str(harness.formctl_binary()), "start"]
    run = subprocess.run(
        command, capture_output=True, text=True, env=place.environment, pass_fds=(writes,), check=False
    )
    assert (run.returncode, run.stdout) == (0, f"{place.socket}\n"), run.stderr
    os.close(writes)
    # The pipe ends only when no process has its writing end.
    assert os.read(reads, 1) == b""
    os.close(reads)


def test_a_folder_that_is_not_the_user_s_alone_is_refused(folder: Path) -> None:
    """If no socket is named, clients send their secrets to the path that formctl prints."""
    private = Path(f"/tmp/formd-{os.geteuid()}")
    if private.exists() or private.is_symlink() or Path(f"/run/user/{os.geteuid()}").exists():
        pytest.skip("the user has a private folder already")
    environment = {**os.environ, "HOME": str(folder), "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "", "XDG_RUNTIME_DIR": "", "FORMD_SOCKET": ""}
    private.mkdir(mode=0o755)
    try:
        run = subprocess.run(
            [str(harness.formctl_binary()), "start"], capture_output=True, text=True, env=environment, check=False
        )
        assert (run.returncode, run.stdout) == (2, "") and "is open to other users" in run.stderr
    finally:
        private.rmdir()


def test_what_keeps_it_from_starting_is_said(place: Place, folder: Path) -> None:
    status, output, error = place.start("--forms", str(folder / "nowhere"))
    assert (status, output) == (2, "") and f"there is no folder {folder / 'nowhere'}" in error and str(place.log) in error
    place.socket.parent.mkdir(exist_ok=True)
    place.socket.write_text("not a socket", encoding="utf-8")
    status, output, error = place.start()
    assert status == 2 and "is not a socket" in error
