"""The manual pages that scripts/install makes, of the built programs and the schemas."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator

import pytest

from harness import ROOT, formd_binary

PROGRAMS = formd_binary().parent
PAGES = ("formd.1", "formctl.1", "formd-web.1", "formd.json.5", "form.json.5", "test.json.5")


@pytest.fixture(scope="module")
def manual(scratch: Path) -> Path:
    """The folder of the pages."""
    folder = scratch / "manual"
    generator = str(ROOT / "scripts" / "lib" / "manual.py")
    subprocess.run([sys.executable, generator, "--programs", str(PROGRAMS), "--to", str(folder)], check=True)
    return folder


def text_of(page: Path) -> str:
    """A page without fonts, and with its escapes resolved as far as names have any."""
    return re.sub(r"\\f[BIR]", "", page.read_text(encoding="ascii")).replace("\\-", "-")


def commands(command: Any) -> Iterator[tuple[list[str], Any]]:
    """A command and all below it that are shown, each with the words that call it."""
    yield [command["commandName"]], command
    for child in command.get("subcommands", []):
        if child["shouldDisplay"] and child["commandName"] != "help":
            for words, one in commands(child):
                yield [command["commandName"], *words], one


def properties(schema: Any) -> Iterator[str]:
    """The names of all members that a schema speaks of."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield from schema["properties"]
        for name, member in schema.items():
            # An example is a value, and not a schema.
            if name != "examples":
                yield from properties(member)
    elif isinstance(schema, list):
        for element in schema:
            yield from properties(element)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("checker", [["groff", "-man", "-ww", "-Tutf8"], ["mandoc", "-Tlint", "-Wwarning"]])
def test_no_roff_formatter_warns_of_a_page(manual: Path, page: str, checker: list[str]) -> None:
    if not shutil.which(checker[0]):
        pytest.skip(f"there is no {checker[0]}")
    run = subprocess.run([*checker, str(manual / page)], capture_output=True, text=True, check=False)
    assert run.stderr == "" and run.returncode == 0
    assert checker[0] != "mandoc" or run.stdout == ""


@pytest.mark.parametrize("program", ["formd", "formctl", "formd-web"])
def test_a_program_s_page_names_every_command_and_every_option(manual: Path, program: str) -> None:
    text = text_of(manual / f"{program}.1")
    help_text = subprocess.run([PROGRAMS / program, "--experimental-dump-help"], capture_output=True, check=True).stdout
    missing = []
    for words, command in commands(json.loads(help_text)["command"]):
        if " ".join(words) not in text:
            missing.append(words)
        for argument in command.get("arguments", []):
            names = [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument.get("names", [])]
            missing += [[*words, name] for name in names or [argument["valueName"]] if name not in text]
    assert missing == []


def test_no_line_of_formctl_s_help_is_too_long_for_a_terminal() -> None:
    help_text = subprocess.run([PROGRAMS / "formctl", "--experimental-dump-help"], capture_output=True, check=True).stdout
    wide = [
        line
        for _, command in commands(json.loads(help_text)["command"])
        for line in (command.get("discussion") or "").splitlines()
        if len(line) > 80 and "{" not in line
    ]
    assert wide == []


@pytest.mark.parametrize("program", ["formd", "formctl", "formd-web"])
def test_a_program_s_page_has_the_sections_that_readers_look_for(manual: Path, program: str) -> None:
    headings = re.findall(r"^\.SH (.*)", text_of(manual / f"{program}.1"), re.MULTILINE)
    expected = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]
    # formd-web has options only.
    if program == "formd-web":
        expected[expected.index("COMMANDS")] = "OPTIONS"
    assert [heading for heading in headings if heading in expected] == expected


@pytest.mark.parametrize("page, schema", [("formd.json.5", "config"), ("form.json.5", "form"), ("test.json.5", "test")])
def test_a_format_s_page_names_every_key_of_its_schema(manual: Path, page: str, schema: str) -> None:
    described = json.loads((ROOT / "protocol" / "schema" / f"{schema}.schema.json").read_text(encoding="utf-8"))
    terms = re.findall(r"^\.TP\n(\S+)", text_of(manual / page), re.MULTILINE)
    named = {re.split(r"[.\]]", term)[-1] for term in terms}
    assert set(properties(described)) <= named


def example(page: Path) -> str:
    """The first text that a page shows under EXAMPLES."""
    shown = re.search(r"\.SH EXAMPLES.*?\.nf\n(.*?)\n\.fi", text_of(page), re.DOTALL)
    assert shown
    return shown[1].replace("\\(dq", '"').replace("\\(aq", "'")


def test_the_form_and_the_case_that_their_pages_show_are_good(manual: Path, tmp_path: Path) -> None:
    form, cases = tmp_path / "invitation.form.json", tmp_path / "invitation.test.json"
    form.write_text(example(manual / "form.json.5"), encoding="utf-8")
    cases.write_text(example(manual / "test.json.5"), encoding="utf-8")
    for command in (["check", "--strict", form], ["test", cases]):
        run = subprocess.run([PROGRAMS / "formctl", *command], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
