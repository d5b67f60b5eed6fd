"""The wheel: what is in it, and what pip makes of it in a virtual environment that has nothing else."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from packing import harness, make

PROGRAMS = ("formd", "formctl", "formd-web")
FORMS = harness.ROOT / "protocol" / "examples"
# PEP 600: every Linux of the wheel's tag has these.
SYSTEM_LIBRARY = re.compile(r"ld-linux.*|lib(c|m|dl|rt|pthread|resolv|gcc_s|stdc\+\+)\.so\.\d+")
SIZE_MAX = 24_000_000
"""The programs take most of it. A new library that needs many others is noticed here."""
PAGE = """<!doctype html><meta charset=windows-1252><form id=contact><label>Größe <input name=size required></label></form>"""
LOGIN = """
import formd
with formd.Client() as client:
    session = client.open("login", locale="en")
    session.change({"email": "kim@example.com", "password": "hunter2"})
    print(session.document["isValid"], session.document["actions"]["login"]["isEnabled"])
"""


@pytest.fixture(scope="module")
def wheel(programs: str, scratch: Path) -> Path:
    return make("wheel", programs, scratch / "first")


class Environment:
    """A virtual environment, and a folder for the daemon's socket and files."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bin = folder, folder / "bin"
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        self.socket = folder / "formd.sock"
        self.variables = {"PATH": f"{self.bin}:/usr/bin:/bin", "HOME": str(folder), "FORMD_SOCKET": str(self.socket)}

    def run(self, *command: str | Path) -> str:
        words = [str(word) for word in command]
        run = subprocess.run(words, capture_output=True, text=True, check=False, env=self.variables, cwd=self.folder)
        assert run.returncode == 0, f"{command}: {run.stdout[-2000:]}{run.stderr[-2000:]}"
        return run.stdout

    def pip(self, *arguments: str | Path) -> str:
        return self.run(self.bin / "python", "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments)

    def install(self, wheel: Path) -> None:
        self.pip("install", "--no-index", "--upgrade", "--force-reinstall", wheel)

    def call(self, method: str, params: Any) -> Any:
        return json.loads(self.run(self.bin / "formctl", "call", "--socket", self.socket, method, json.dumps(params)))

    def serve(self) -> harness.Process:
        store = json.dumps({"store": {"sqlite": {"path": str(self.folder / "kept.sqlite")}}})
        config = self.folder / "formd.json"
        config.touch(mode=0o600)
        config.write_text(store, encoding="utf-8")
        command = [str(self.bin / "formd"), "serve", "--config", str(config), "--socket", str(self.socket), "--forms", str(FORMS)]
        daemon = harness.Process(command)
        daemon.line_with("listening")
        return daemon


@pytest.fixture(scope="module")
def environment(wheel: Path, scratch: Path) -> Environment:
    environment = Environment(scratch / "environment")
    environment.install(wheel)
    return environment


def test_two_wheels_of_the_same_programs_have_the_same_bytes(wheel: Path, programs: str, scratch: Path) -> None:
    again = make("wheel", programs, scratch / "again")
    assert again.name == wheel.name and again.read_bytes() == wheel.read_bytes()


def test_the_wheel_lists_its_parts(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [sbom] = [name for name in names if name.endswith(".dist-info/sboms/formd.spdx.json")]
        parts = {part["name"]: part["versionInfo"] for part in json.loads(archive.read(sbom))["packages"]}
    carried = [Path(name).name for name in names if "/data/lib/formd/" in name]
    assert {"libjansson.so.4", "libpcre2-8.so.0"} <= set(carried)
    for package in ("Swift-runtime", "swift-nio", "libjansson4", "libpcre2-8-0"):
        assert parts[package]
    assert len([name for name in names if re.search(r"\.data/scripts/[^/]+$", name)]) == len(PROGRAMS)


def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size <= SIZE_MAX


def test_a_page_is_imported_without_the_data_of_icu(environment: Environment) -> None:
    [library] = (environment.folder / "lib" / "formd").glob("libicudata.so.*")
    assert library.stat().st_size < 100_000
    (environment.folder / "contact.html").write_text(PAGE, encoding="utf-8")
    form = json.loads(environment.run(environment.bin / "formctl", "import", "html", "contact.html"))
    assert form["fields"] == {"size": {"label": "Größe"}}


def test_the_programs_use_no_other_library_of_the_system(environment: Environment) -> None:
    carried = environment.folder / "lib" / "formd"
    found = re.findall(r"^\s*(\S+) => (\S+)", environment.run("ldd", environment.bin / "formd"), re.MULTILINE)
    assert found
    for name, path in found:
        assert SYSTEM_LIBRARY.fullmatch(name) or Path(path).resolve().parent == carried.resolve(), path


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_program_has_its_name_also_behind_a_link(environment: Environment, program: str, tmp_path: Path) -> None:
    (tmp_path / program).symlink_to(environment.bin / program)
    for path in (environment.bin / program, tmp_path / program):
        assert f"USAGE: {program} " in environment.run(path, "--help")


def test_a_login_is_played_and_formd_web_finds_its_client(environment: Environment) -> None:
    daemon = environment.serve()
    assert environment.run(environment.bin / "formctl", "ping", "--socket", environment.socket)
    assert environment.run(environment.bin / "python", "-c", LOGIN) == "True True\n"
    assert "client.js" in environment.run(environment.bin / "formd-web", "--integrity")
    assert daemon.end() == 0, daemon.output
    assert (environment.folder / "share/formd/schema/form.schema.json").is_file()
    assert (environment.folder / "share/man/man1/formd.1").is_file()


def test_a_kept_session_survives_an_upgrade_and_nothing_stays_behind(
    environment: Environment, wheel: Path, programs: str, scratch: Path
) -> None:
    daemon = environment.serve()
    opened = environment.call("session/open", {"form": "login", "keep": "1h", "values": {"email": "kim@example.com"}})
    environment.install(make("wheel", programs, scratch / "next", "--version", "999.1"))
    assert daemon.end() == 0, daemon.output
    daemon = environment.serve()
    assert environment.call("session/attach", {"key": opened["key"]})["values"] == {"email": "kim@example.com"}
    assert daemon.end() == 0, daemon.output
    assert "999.1" in environment.pip("show", "formd")

    environment.pip("uninstall", "--yes", "formd")
    left = [path for path in environment.folder.rglob("*formd*") if path.parent != environment.folder]
    assert [path for path in left if path.is_file()] == []


def test_a_wheel_for_another_processor_is_refused(wheel: Path, scratch: Path, environment: Environment) -> None:
    other = {"x86_64": "aarch64"}.get(os.uname().machine, "x86_64")
    foreign = scratch / wheel.name.replace(os.uname().machine, other)
    foreign.write_bytes(wheel.read_bytes())
    command = [str(environment.bin / "python"), "-m", "pip", "install", "--no-index", str(foreign)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 1 and "is not a supported wheel on this platform" in run.stderr
