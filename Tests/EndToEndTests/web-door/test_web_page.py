"""protocol/web.md: what it says about a sign-up page in Flask, typed in."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.parse
import zipfile
from pathlib import Path

import pytest

from back_ends import PROGRAMS, free_port
from harness import ROOT, Process, formctl, formd_binary
from page_examples import Page

PAGE = Page("web.md")
SHELL = re.findall(r"^```sh\n(.*?)^```$", PAGE.text, re.DOTALL | re.MULTILINE)


def test_the_examples_have_the_files_of_the_page() -> None:
    for name in ("forms/account.form.json", "formd.json"):
        assert PAGE.files[name] == (PROGRAMS / name).read_text(encoding="utf-8")
    assert formctl("check", "--strict", PROGRAMS / "forms").returncode == 0


def ask(port: int, fields: dict[str, str]) -> tuple[int, str]:
    connection = http.client.HTTPConnection("localhost", port, timeout=30)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST" if fields else "GET", "/", urllib.parse.urlencode(fields) or None, kind)
    response = connection.getresponse()
    return response.status, response.read().decode()


@pytest.mark.parametrize("has_template", [False, True], ids=["drawn by formd", "html of its own"])
def test_the_commands_and_files_of_the_page_make_a_page_that_signs_up(folder: Path, has_template: bool) -> None:
    install, *programs = SHELL
    assert "pip install flask" in install and [command.split()[0] for command in programs] == ["formd", "formd-web", "venv/bin/flask"]
    PAGE.write(folder)
    (folder / "formd.json").chmod(0o644)
    if has_template:
        line = re.search(r"^ +return render_template\(.*$", PAGE.text, re.MULTILINE)
        assert line
        text = (folder / "app.py").read_text(encoding="utf-8").replace("render_template_string", "render_template", 1)
        text = re.sub(r"^    return render_template_string.*$", lambda _: line.group(0), text, flags=re.MULTILINE)
        (folder / "app.py").write_text(text, encoding="utf-8")
    # The tests run beside other programs, so they have ports and a socket of their own.
    port, door = free_port(), free_port()
    config = json.loads((folder / "formd.json").read_text(encoding="utf-8"))
    config["web"] |= {"address": f"127.0.0.1:{door}", "origins": [f"http://localhost:{port}"]}
    assert config["web"].keys() == {"address", "hosts", "origins", "forms"}
    (folder / "formd.json").write_text(json.dumps(config), encoding="utf-8")
    environment = {
        "PATH": f"{formd_binary().parent}:{os.environ['PATH']}", "FORMD_SOCKET": str(folder / "formd.sock"),
        "PYTHONPATH": str(ROOT / "protocol/clients/python"),
    }  # fmt: skip
    running: list[Process] = []
    try:
        for command, ready in zip(programs, ("listening", "listening", "running on")):
            words = command.replace("venv/bin/flask", f"{sys.executable} -m flask").replace("8000", str(port))
            process = Process(["bash", "-c", f"cd {folder} && exec {words}"], environment)
            running.append(process)
            process.line_with(ready)
        status, body = ask(port, {})
        assert status == 200 and 'data-formd-form="account"' in body and "data-formd-post" in body
        good = {"name": "Kim", "email": "kim@example.com", "password": "correct horse", "plan": "free", "action": "signUp"}
        status, body = ask(port, {**good, "email": "kim", "plan": "team"})
        assert status == 422 and "That is not an email address." in body and 'value="kim"' in body and "This is required." in body
        assert ask(port, good)[0] == 303
        # The page may connect to the door, and gets the client from it.
        place = re.search(r'src="http://localhost:8480(/[^"]+)"', body)
        assert place
        connection = http.client.HTTPConnection("localhost", door, timeout=30)
        connection.request("GET", place.group(1), headers={"Origin": f"http://localhost:{port}"})
        client = connection.getresponse()
        assert client.status == 200 and client.headers["Access-Control-Allow-Origin"]
    finally:
        for process in reversed(running):
            process.end()


def test_the_first_commands_of_the_page_install_what_the_program_imports(folder: Path) -> None:
    """`pip` itself needs the network, so the test looks at what it would install."""
    *lines, last = SHELL[0].strip().splitlines()
    assert lines[1:] == ["mkdir signup && cd signup", "python3 -m venv venv"]
    assert last.startswith("venv/bin/pip install flask ")
    client = Path(last.removeprefix("venv/bin/pip install flask ").replace("$FORMD", str(ROOT)).strip('"'))
    # What pip does with the folder: the wheel has all modules, and the folder is as it was.
    copy = folder / "python"
    shutil.copytree(client, copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = sorted(copy.rglob("*"))
    build = re.search(r'^build-backend = "(.+)"$', (copy / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert build
    script = f"import {build.group(1)} as backend; print(backend.build_wheel({str(folder)!r}))"
    run = subprocess.run([sys.executable, "-c", script], cwd=copy, capture_output=True, text=True, check=True)
    assert sorted(copy.rglob("*")) == before
    files = set(zipfile.ZipFile(folder / run.stdout.split()[-1]).namelist())
    modules = {str(path.relative_to(copy)) for path in copy.glob("formd/**/*.py")} | {"formd/py.typed"}
    assert modules == {file for file in files if file.startswith("formd/")}
