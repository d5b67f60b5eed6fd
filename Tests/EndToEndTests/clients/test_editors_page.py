"""The entries for other editors in `protocol/editors.md` can be read, and start the language server. The plugins can be
installed as their pages say, in a home folder that has nothing yet."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

import harness

ROOT = harness.ROOT
CLIENTS = ROOT / "protocol" / "clients"
PAGE = (ROOT / "protocol" / "editors.md").read_text(encoding="utf-8")
KAKOUNE = shutil.which("kak")
HELIX = shutil.which("hx") or shutil.which("helix")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def tables() -> list[dict[str, Any]]:
    return [tomllib.loads(block) for block in blocks("toml")]


def test_the_entries_of_helix_start_the_server_for_json_and_for_forms_alone() -> None:
    server, form = (table for table in tables() if "language" in table)
    assert server["language-server"]["formd"] == {"command": "formctl", "args": ["lsp"]}
    assert [entry["name"] for entry in server["language"]] == ["json"]
    assert form["language"][0]["file-types"] == [{"glob": "*.form.json"}, {"glob": "*.test.json"}]
    assert all(entry["language-servers"][0] == "formd" for table in (server, form) for entry in table["language"])


def test_the_files_of_zed_can_be_read() -> None:
    extension, cargo = (table for table in tables() if "name" in table or "package" in table)
    assert list(extension["language_servers"]) == ["formd"]
    assert cargo["lib"]["crate-type"] == ["cdylib"]
    (code,) = blocks("rust")
    assert 'which("formctl")' in code and '"lsp"' in code


def test_the_json_of_the_page_can_be_read() -> None:
    for block in blocks("json"):
        json.loads(block)


def kakoune_entry() -> str:
    (entry,) = re.findall(r"^```\n(hook .*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return entry


def test_the_entry_of_kakoune_is_a_hook_with_a_table_of_servers() -> None:
    entry = kakoune_entry()
    servers = tomllib.loads(re.findall(r"lsp_servers %\{(.*?)\n  \}", entry, re.DOTALL)[0])
    assert servers["formd"] == {"command": "formctl", "args": ["lsp"], "root_globs": [".git"]}
    assert entry.count("{") == entry.count("}")


@pytest.mark.skipif(KAKOUNE is None, reason="Kakoune is not installed")
def test_kakoune_takes_the_entry(tmp_path: Path) -> None:
    configuration = tmp_path / "kakrc"
    configuration.write_text("declare-option str lsp_servers\n" + kakoune_entry(), encoding="utf-8")
    script = f"source {configuration}; set-option buffer filetype json; echo -to-file {tmp_path}/out %opt{{lsp_servers}}; kill! 0"
    subprocess.run([str(KAKOUNE), "-n", "-ui", "dummy", "-e", script], check=True, timeout=60)
    assert "formctl" in (tmp_path / "out").read_text(encoding="utf-8")


@pytest.mark.skipif(HELIX is None, reason="Helix is not installed")
def test_helix_takes_the_entries(tmp_path: Path) -> None:
    folder = tmp_path / "helix"
    folder.mkdir()
    for block in blocks("toml"):
        if "[[language]]" in block:
            (folder / "languages.toml").write_text(block, encoding="utf-8")
            done = subprocess.run(
                [str(HELIX), "--health", "json"], env={"XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)},
                capture_output=True, text=True, timeout=60, check=False,
            )  # fmt: skip
            assert "error" not in done.stderr.lower()


def in_a_clean_home(home: Path, *command: str) -> str:
    """What the command writes, run at the top of the repository by a user whose home folder is empty."""
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "TERM": "dumb", "LANG": "C.UTF-8"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def install_by_hand(plugin: str, home: Path) -> None:
    """Does what the page of a plugin for Vim or Neovim says."""
    page = (CLIENTS / plugin / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"\| `([^`]*cp -r [^`]*)`", page)
    in_a_clean_home(home, "bash", "-c", command)


def install_for_emacs(home: Path) -> Path:
    """Does what the page of the package for Emacs says. Returns the path of `init.el`."""
    page = (CLIENTS / "emacs" / "README.md").read_text(encoding="utf-8")
    (lines,) = re.findall(r"\*\*By hand\*\*.*?```elisp\n(.*?)```", page, re.DOTALL)
    (home / "src").mkdir()
    (home / "src" / "formd").symlink_to(ROOT)
    initialization = home / ".emacs.d" / "init.el"
    initialization.parent.mkdir()
    initialization.write_text(lines, encoding="utf-8")
    return initialization


@pytest.mark.parametrize(
    ("plugin", "editor"),
    [
        ("neovim", ["nvim", "--headless"]),
        ("vim", ["vim", "-es", "-c", "runtime! plugin/**/*.vim", "-c", "packloadall"]),
    ],
)
def test_a_plugin_is_installed_by_hand_in_a_clean_home(plugin: str, editor: list[str], tmp_path: Path) -> None:
    if shutil.which(editor[0]) is None:
        pytest.skip(f"{editor[0]} is not installed")
    install_by_hand(plugin, tmp_path)
    commands = ("helptags ALL", "verbose echo exists(':Form') exists(':FormAttach')", "help :Form", "qa!")
    written = in_a_clean_home(tmp_path, *editor, *(part for command in commands for part in ("-c", command)))
    assert "2 2" in written and "E149" not in written, written


@pytest.mark.skipif(shutil.which("emacs") is None, reason="Emacs is not installed")
def test_the_package_for_emacs_is_installed_by_hand_in_a_clean_home(tmp_path: Path) -> None:
    initialization = install_for_emacs(tmp_path)
    written = in_a_clean_home(
        tmp_path, "emacs", "--batch", "-l", str(initialization),
        "--eval", "(princ (list (commandp 'formd) (commandp 'formd-attach) (commandp 'formd-definition-mode)))",
    )  # fmt: skip
    assert "(t t t)" in written, written
