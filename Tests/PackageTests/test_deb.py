"""The Debian package: what is in it, and what it does to a machine that has nothing else.

The machine is a folder with a minimal Debian (debootstrap), entered by chroot. No service manager runs there, so the
tests start the daemon themselves, as the unit does.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Iterator

import pytest

from packing import harness, make

FORM = {"form": "note", "schema": {"type": "object", "properties": {"text": {"type": "string", "maxLength": 80}}}}


def build(programs: str, folder: Path, *options: str) -> Path:
    return make("deb", programs, folder, *options)


@pytest.fixture(scope="module")
def deb(programs: str, scratch: Path) -> Path:
    return build(programs, scratch / "first")


def contents(deb: Path) -> dict[str, str]:
    """The mode and the owner of each path in the package."""
    lines = subprocess.run(["dpkg-deb", "-c", str(deb)], check=True, capture_output=True, text=True).stdout.splitlines()
    return {words[5].removeprefix("."): f"{words[0]} {words[1]}" for words in map(str.split, lines)}


def test_two_packages_of_the_same_programs_have_the_same_bytes(deb: Path, programs: str, scratch: Path) -> None:
    again = build(programs, scratch / "again")
    assert again.name == deb.name and again.read_bytes() == deb.read_bytes()


def test_the_package_has_programs_pages_units_and_completions(deb: Path) -> None:
    found = contents(deb)
    for path in (
        "/usr/bin/formd", "/usr/bin/formctl", "/usr/bin/formd-web",
        "/usr/share/man/man1/formd.1.gz", "/usr/share/man/man5/form.json.5.gz",
        "/lib/systemd/system/formd.socket", "/lib/systemd/system/formd.service", "/lib/systemd/system/formd-web.service",
        "/usr/lib/systemd/user/formd.socket", "/usr/lib/systemd/user/formd.service",
        "/usr/share/bash-completion/completions/formctl", "/usr/share/zsh/vendor-completions/_formctl",
        "/usr/share/fish/vendor_completions.d/formctl.fish",
        "/usr/share/formd/web/client.js", "/usr/share/formd/web/studio/studio.html",
        "/usr/share/formd/schema/form.schema.json", "/usr/share/formd/operations.md",
        "/usr/share/doc/formd/copyright", "/usr/share/doc/formd/changelog.gz", "/usr/share/doc/formd/formd.spdx.json",
        "/etc/formd/formd.json", "/etc/formd/forms/",
    ):  # fmt: skip
        assert path in found, path
    assert all(owner.endswith("root/root") for owner in found.values())
    assert not [path for path in found if "site-functions" in path or path.startswith("/usr/share/formd/systemd")]


def test_the_list_of_parts_names_what_is_linked_in(deb: Path, scratch: Path) -> None:
    subprocess.run(["dpkg-deb", "-x", str(deb), str(scratch / "tree")], check=True)
    parts = json.loads((scratch / "tree/usr/share/doc/formd/formd.spdx.json").read_text(encoding="utf-8"))
    resolved = json.loads((harness.ROOT / "Package.resolved").read_text(encoding="utf-8"))
    named = {(part["name"], part["versionInfo"]) for part in parts["packages"]}
    assert {(pin["identity"], pin["state"]["version"]) for pin in resolved["pins"]} <= named
    assert "Swift-runtime" in {name for name, _ in named}


def test_lintian_has_nothing_against_the_package(deb: Path) -> None:
    if not shutil.which("lintian"):
        pytest.skip("there is no lintian: apt-get install lintian")
    run = subprocess.run(
        ["lintian", "--fail-on", "error,warning", str(deb)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


class Machine:
    """A minimal Debian in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *command: str) -> str:
        """Runs a command inside and returns what it prints."""
        run = subprocess.run(
            ["chroot", str(self.root), *command], capture_output=True, text=True, check=False,
            timeout=600, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"},
        )  # fmt: skip
        assert run.returncode == 0, f"{command}: {run.stdout[-2000:]}{run.stderr[-2000:]}"
        return run.stdout

    def install(self, deb: Path) -> None:
        shutil.copy(deb, self.root / "tmp" / deb.name)
        self.run("apt-get", "install", "-y", "--no-install-recommends", f"/tmp/{deb.name}")

    def call(self, method: str, params: Any) -> Any:
        """Calls a method of the daemon inside."""
        return json.loads(self.run("formctl", "call", "--socket", "/run/formd/formd.sock", method, json.dumps(params)))


class MachineDaemon(harness.Process):
    """The daemon of a machine, run as the unit runs it."""

    def __init__(self, machine: Machine) -> None:
        # The unit of the socket makes this folder.
        machine.run("install", "-d", "-o", "formd", "-g", "formd", "-m", "0700", "/run/formd")
        serve = ["formd", "serve", "--config", "/etc/formd/formd.json", "--socket", "/run/formd/formd.sock"]
        super().__init__(["chroot", "--userspec=formd:formd", str(machine.root), *serve])
        self.line_with("listening")


@pytest.fixture(scope="module")
def machine(scratch: Path) -> Iterator[Machine]:
    if os.geteuid() != 0:
        pytest.skip("only root can make a machine in a folder")
    if not shutil.which("debootstrap"):
        pytest.skip("there is no debootstrap: apt-get install debootstrap")
    release = next(
        (line.partition("=")[2].strip('"') for line in Path("/etc/os-release").read_text().splitlines()
         if line.startswith("VERSION_CODENAME=")), "stable",
    )  # fmt: skip
    root = scratch / "machine"
    run = subprocess.run(["debootstrap", "--variant=minbase", release, str(root)], capture_output=True, text=True, check=False)
    if run.returncode:
        pytest.skip(f"debootstrap cannot fetch Debian {release}: {(run.stdout + run.stderr)[-300:]}")
    # Programs in Swift find their arguments there.
    subprocess.run(["mount", "-t", "proc", "proc", str(root / "proc")], check=True)
    try:
        yield Machine(root)
    finally:
        subprocess.run(["umount", str(root / "proc")], check=True)


def test_a_kept_session_survives_an_upgrade_and_a_purge_leaves_nothing(
    deb: Path, programs: str, scratch: Path, machine: Machine
) -> None:
    # Installed: the user, the configuration that only it and root can read, the socket that the next boot starts.
    machine.install(deb)
    assert machine.run("stat", "-c", "%U:%G %a", "/etc/formd/formd.json") == "root:formd 640\n"
    assert machine.run("id", "-un", "formd") == "formd\n"
    assert (machine.root / "etc/systemd/system/sockets.target.wants/formd.socket").is_symlink()
    assert machine.run("formd", "check-config", "/etc/formd/formd.json") == "0 forms, 0 problems, 0 warnings\n"
    (machine.root / "etc/formd/forms/note.form.json").write_text(json.dumps(FORM), encoding="utf-8")

    daemon = MachineDaemon(machine)
    opened = machine.call("session/open", {"form": "note", "keep": "1h", "values": {"text": "half a note"}})

    # Upgraded. The maintainer scripts would restart the service; here the test does.
    machine.install(build(programs, scratch / "next", "--version", "0.1.1"))
    assert "0.1.1" in machine.run("dpkg-query", "-W", "formd")
    daemon.end()
    daemon = MachineDaemon(machine)
    attached = machine.call("session/attach", {"key": opened["key"]})
    assert attached["values"] == {"text": "half a note"}
    daemon.end()

    # Removed: no program; the operator's files stay.
    machine.run("apt-get", "remove", "-y", "formd")
    assert not (machine.root / "usr/bin/formd").exists()
    assert (machine.root / "etc/formd/formd.json").exists() and (machine.root / "var/lib/formd/kept.sqlite").exists()

    # Purged: nothing that the package made stays but the operator's form and the user.
    machine.run("apt-get", "purge", "-y", "formd")
    assert not (machine.root / "var/lib/formd").exists() and not (machine.root / "etc/formd/formd.json").exists()
    assert not list((machine.root / "etc/systemd/system").rglob("formd*"))
    assert (machine.root / "etc/formd/forms/note.form.json").exists()
