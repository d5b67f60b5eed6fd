#!/usr/bin/env python3
"""Writes the manual pages: formd.1, formctl.1 and formd-web.1 from the programs' own descriptions; formd.json.5,
form.json.5 and test.json.5 from the schemas.

    scripts/lib/manual.py --programs DIR --to DIR [--share DIR]

`--programs` has formd, formctl and formd-web. `--share` is the folder with the installed examples, schemas and
protocol.

A command's discussion becomes paragraphs. An indented paragraph, or a paragraph with columns, is printed unchanged; in
the discussion of the program itself it is an example. There, "Exit status: 0 this, 1 that" becomes the section EXIT
STATUS. Environment variables are found in the help of the options: a bare name replaces the option, and a name after a
$ is part of its default.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import subprocess
import textwrap
from pathlib import Path
from typing import Any, Iterator, Optional

JSON = Any

ROOT = Path(__file__).resolve().parents[2]

SMALLEST_FORM = """\
{
  "form": "invitation",
  "schema": {
    "type": "object",
    "required": ["email"],
    "properties": { "email": { "type": "string", "maxLength": 254 } }
  },
  "fields": { "email": { "label": "Email", "normalize": ["trim"] } },
  "rules": [
    { "id": "email.shape", "field": "email", "check": "self.isEmail()",
      "message": "That is not an email address." }
  ],
  "actions": {
    "invite": {
      "run": { "http": { "service": "accounts", "path": "/invite",
                         "json": { "to": "values.email" } } },
      "outcomes": [
        { "when": "response.kind == 'ok' && response.status == 200",
          "success": "response.body" },
        { "failure": "response.kind" }
      ]
    }
  }
}"""


SMALLEST_TEST = """\
{
  "cases": [
    {
      "name": "an address is asked for, and the invitation is sent",
      "answers": [
        { "http": { "service": "accounts", "path": "/invite", "json": { "to": "kim@example.org" } },
          "response": { "body": { "id": 7 } } }
      ],
      "steps": [
        { "change": { "/email": "kim@" }, "expect": { "isValid": false } },
        { "change": { "/email": "kim@example.org" }, "expect": { "isValid": true } },
        { "tap": "invite", "expect": { "actions": { "invite": { "result": { "id": 7 } } } } }
      ]
    }
  ]
}"""


class Page:
    """A manual page that is being written."""

    def __init__(self, name: str, section: int, purpose: str, version: str, share: str) -> None:
        self.file = f"{name}.{section}"
        self.share = share
        moment = os.environ.get("SOURCE_DATE_EPOCH")
        date = (
            datetime.datetime.fromtimestamp(int(moment), datetime.timezone.utc) if moment else datetime.datetime.now()
        )
        self.lines = [f'.TH {self.escaped(name.upper())} {section} {date:%Y-%m-%d} "{version}"', ".nh", ".ad l"]
        self.heading("NAME")
        self.lines.append(f"{self.escaped(name)} \\- {self.escaped(purpose)}")

    def escaped(self, text: str) -> str:
        """`text` as roff reads it; paths of the repository become paths of the installation."""
        text = text.replace("protocol/", self.share + "/")
        for character, escape in [("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ('"', "\\(dq"), ("`", "\\(ga"),
                                  ("^", "\\(ha"), ("~", "\\(ti")]:  # fmt: skip
            text = text.replace(character, escape)
        return "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in text)

    def heading(self, title: str) -> None:
        self.lines.append(f".SH {self.escaped(title)}")

    def subheading(self, title: str) -> None:
        self.lines.append(f".SS {self.escaped(title)}")

    def fill(self, text: str) -> None:
        """Flowing text. Each sentence begins a line, as usual in roff."""
        for sentence in re.split(r"(?<=[.!?:;]) +(?=[A-Z])", " ".join(text.split())):
            lines = textwrap.wrap(self.escaped(sentence), 78, break_on_hyphens=False, break_long_words=False)
            self.lines += ["\\&" + line if line.startswith(".") else line for line in lines]

    def paragraph(self, text: str) -> None:
        self.part()
        self.fill(text)

    def part(self) -> None:
        """Begins a paragraph, unless a heading has begun one."""
        if not self.lines[-1].startswith((".SH", ".SS")):
            self.lines.append(".PP")

    def literal(self, text: str) -> None:
        """Text that is printed line by line."""
        self.part()
        lines = [self.escaped(line) for line in textwrap.dedent(text).splitlines()]
        lines = ["\\&" + line if line.startswith(".") else line for line in lines]
        self.lines += [".RS 4", ".nf", *lines, ".fi", ".RE"]

    def item(self, term: str, text: str) -> None:
        """Adds the description `text` of `term`, which is roff."""
        if not text:
            raise SystemExit(f"manual.py: {self.file}: {term} has no description")
        self.lines += [".TP", term]
        self.fill(text)

    def also(self, *pages: str) -> None:
        self.heading("SEE ALSO")
        names = sorted(pages, key=lambda page: (page[-2], page))
        self.lines += [f".BR {self.escaped(name[:-3])} {name[-3:]}{',' * (name != names[-1])}" for name in names]

    def write(self, folder: Path) -> None:
        (folder / self.file).write_text("\n".join(self.lines) + "\n", encoding="ascii")


# Programs


def is_literal(paragraph: str) -> bool:
    """Whether a paragraph of a discussion is indented or has columns."""
    return any(line.startswith(" ") or "   " in line for line in paragraph.splitlines())


def paragraphs(discussion: Optional[str]) -> list[str]:
    return [part.strip("\n") for part in re.split(r"\n[ ]*\n", discussion or "") if part.strip()]


def option_names(argument: JSON) -> list[str]:
    return [("--" if name["kind"] == "long" else "-") + name["name"] for name in argument.get("names", [])]


def own_arguments(command: JSON) -> list[JSON]:
    """The arguments of a command without --version and --help, which all commands take."""
    return [
        argument
        for argument in command.get("arguments", [])
        if argument["shouldDisplay"] and not {"--help", "--version"} & set(option_names(argument))
    ]


def own_commands(command: JSON, prefix: str) -> Iterator[tuple[str, JSON]]:
    """The commands below one, each with its whole name; a group of commands comes before its members."""
    for child in command.get("subcommands", []):
        if child["shouldDisplay"] and child["commandName"] != "help":
            name = f"{prefix} {child['commandName']}"
            yield name, child
            yield from own_commands(child, name)


def synopsis(page: Page, name: str, command: JSON) -> str:
    parts = [f"\\fB{page.escaped(name)}\\fR"]
    for argument in own_arguments(command):
        value = f"\\fI{page.escaped(argument['valueName'])}\\fR"
        if argument["kind"] == "option":
            value = f"\\fB{page.escaped(option_names(argument)[-1])}\\fR {value}"
        elif argument["kind"] == "flag":
            value = f"\\fB{page.escaped(option_names(argument)[-1])}\\fR"
        if argument["isOptional"]:
            value = f"[{value}]"
        parts.append(value + (" ..." if argument["isRepeating"] else ""))
    return " ".join(parts)


def described(argument: JSON) -> str:
    return " ".join(filter(None, [argument.get("abstract"), argument.get("discussion")]))


def options(page: Page, arguments: list[JSON]) -> None:
    for argument in arguments:
        value = f"\\fI{page.escaped(argument['valueName'])}\\fR"
        term = ", ".join(f"\\fB{page.escaped(name)}\\fR" for name in option_names(argument))
        if argument["kind"] == "option":
            term += " " + value
        text = described(argument)
        if "defaultValue" in argument and argument["kind"] != "flag":
            text += f" (default: {argument['defaultValue']})"
        page.item(term or value, text)


def environment_and_files(page: Page, commands: list[tuple[str, JSON]], files: list[tuple[str, str]]) -> None:
    variables: dict[str, str] = {}
    defaults: dict[str, str] = {}
    for _, command in commands:
        for argument in own_arguments(command):
            text = described(argument)
            name = (option_names(argument) or [argument["valueName"]])[-1]
            for variable in re.findall(r"(?<!\$)\b[A-Z]+_[A-Z_]+\b", text):
                variables[variable] = f"Is used if {name} is not given."
            for path in re.findall(r"\$[A-Z]+_[A-Z_]+[\w/.]*\w", text):
                variables[path[1:].split("/")[0]] = f"If neither {name} nor its variable is given, the path is {path}."
                defaults[path] = f"The default of {name}."
    page.heading("ENVIRONMENT")
    for variable in sorted(variables):
        page.item(f"\\fB{variable}\\fR", variables[variable])
    page.heading("FILES")
    for path, text in [*defaults.items(), *files]:
        page.item(f"\\fI{page.escaped(path)}\\fR", text)


def program_page(programs: Path, program: str, version: str, share: str, files: list[tuple[str, str]]) -> Page:
    dump = subprocess.run([programs / program, "--experimental-dump-help"], check=True, capture_output=True, text=True)
    command = json.loads(dump.stdout)["command"]
    commands = list(own_commands(command, program))
    has_commands = bool(commands)
    if not has_commands:
        # The program is its only command. ArgumentParser lists a command `help` in any case.
        commands = [(program, {**command, "subcommands": []})]
    purpose = command["abstract"].rstrip(".")
    page = Page(program, 1, purpose[0].lower() + purpose[1:], version, share)
    page.heading("SYNOPSIS")
    for name, child in commands:
        if not child.get("subcommands"):
            page.lines += [synopsis(page, name, child), ".br"]
    page.lines.pop()

    page.heading("DESCRIPTION")
    discussion = paragraphs(command.get("discussion"))
    exit_status = [text for text in discussion if text.startswith("Exit status")]
    examples = [text for text in discussion if is_literal(text)]
    for text in discussion:
        if text not in exit_status + examples:
            page.paragraph(text)

    if has_commands:
        page.heading("COMMANDS")
        for name, child in commands:
            page.subheading(name)
            page.fill(child["abstract"])
            for text in paragraphs(child.get("discussion")):
                (page.literal if is_literal(text) else page.paragraph)(text)
            options(page, own_arguments(child))
        page.heading("OPTIONS OF EVERY COMMAND")
    else:
        page.heading("OPTIONS")
    options(page, command["arguments"])

    environment_and_files(page, commands, files)
    if exit_status:
        page.heading("EXIT STATUS")
        text = " ".join(exit_status[0].split(":", 1)[1].split())
        for status, meaning in re.findall(r"(\d+) (.*?)(?:, (?=\d)|\.?$)", text):
            page.item(f"\\fB{status}\\fR", meaning[0].upper() + meaning[1:] + ".")
    if examples:
        page.heading("EXAMPLES")
        for text in examples:
            page.literal(text)
    return page


# Schemas


class SchemaKeys:
    """Lists the keys that a schema describes, under a heading for each definition that is an object."""

    def __init__(self, page: Page, schema: JSON) -> None:
        self.page = page
        self.definitions = schema.get("$defs", {})

    @staticmethod
    def title(name: str) -> str:
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()

    def resolved(self, schema: JSON) -> JSON:
        """`schema` with the schemas that it refers to; the members beside a reference go first."""
        reference = schema.get("$ref") if isinstance(schema, dict) else None
        return {**self.definitions[reference.split("/")[-1]], **schema} if reference else schema

    def kind(self, schema: JSON) -> str:
        """The kind of a value, in a few words."""
        if not isinstance(schema, dict):
            return "anything"
        if "$ref" in schema:
            name = schema["$ref"].split("/")[-1]
            definition = self.definitions[name]
            return self.title(name) if {"description", "properties"} & set(definition) else self.kind(definition)
        if "enum" in schema:
            return ", ".join(json.dumps(value) for value in schema["enum"])
        if "oneOf" in schema or "anyOf" in schema:
            return " or ".join(self.kind(branch) for branch in schema.get("oneOf") or schema["anyOf"])
        kinds = schema.get("type", "anything")
        if isinstance(kinds, list):
            return " or ".join(kinds)
        if kinds == "array":
            return "list of " + self.kind(schema.get("items") or {})
        if kinds == "object" and isinstance(schema.get("additionalProperties"), dict):
            return "object from name to " + self.kind(schema["additionalProperties"])
        return str(kinds)

    def remark(self, schema: JSON, is_required: bool) -> str:
        whole = self.resolved(schema)
        parts = [self.kind(schema)]
        if "minimum" in whole:
            parts[0] += f" from {whole['minimum']}" + (f" to {whole['maximum']}" if "maximum" in whole else "")
        if is_required:
            parts.append("required")
        if "default" in whole:
            parts.append(f"default {json.dumps(whole['default'])}")
        return "; ".join(parts)

    def keys(self, schema: JSON, prefix: str = "") -> None:
        """An item for every property of `schema`, and for the properties inside of it that do not belong to a
        definition."""
        for name, member in schema.get("properties", {}).items():
            path = prefix + name
            remark = self.page.escaped(self.remark(member, name in schema.get("required", [])))
            self.page.item(f"\\fB{self.page.escaped(path)}\\fR ({remark})", self.resolved(member).get("description", ""))
            if "$ref" in member:
                continue
            for inner in [member, *member.get("oneOf", [])]:
                self.keys(inner, path + ".")
            items = member.get("items") or {}
            for inner in [items, *items.get("anyOf", [])]:
                self.keys(inner, path + "[].")

    def sections(self, schema: JSON) -> None:
        self.page.heading("KEYS")
        self.keys(schema)
        values = {}
        for name, definition in self.definitions.items():
            objects = [part for part in [definition, *definition.get("anyOf", [])] if "properties" in part]
            if not objects:
                values[name] = definition
                continue
            self.page.subheading(self.title(name))
            if "description" in definition:
                self.page.fill(definition["description"])
            for part in objects:
                self.keys(part)
        described = {name: value for name, value in values.items() if "description" in value and "not" not in value}
        if described:
            self.page.heading("KINDS OF VALUES")
        for name, definition in described.items():
            examples = definition.get("examples", [])
            text = definition["description"] + (f" Such as {', '.join(examples)}." if examples else "")
            self.page.item(f"\\fB{self.title(name)}\\fR", text)


def schema_page(name: str, purpose: str, synopsis: str, schema: JSON, version: str, share: str) -> Page:
    page = Page(name, 5, purpose, version, share)
    page.heading("SYNOPSIS")
    page.lines.append(f"\\fI{page.escaped(synopsis)}\\fR")
    page.heading("DESCRIPTION")
    page.fill(schema["description"])
    SchemaKeys(page, schema).sections(schema)
    return page


def pages(programs: Path, share: str) -> list[Page]:
    """All manual pages, made from the programs in a folder and the schemas of this repository."""
    said = subprocess.run([programs / "formd", "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]
    version = f"formd {said}"
    schemas = ROOT / "protocol" / "schema"
    config_schema, form_schema, test_schema = (
        json.loads((schemas / f"{name}.schema.json").read_text(encoding="utf-8")) for name in ("config", "form", "test")
    )
    installed = [
        (f"{share}/examples", "Example forms, and a configuration for them."),
        (f"{share}/schema", "The schemas of the configuration, of forms and of their tests, for editors."),
        (f"{share}/README.md", "The protocol."),
        (f"{share}/forms.md", "How to write forms, and everything that they may contain."),
        (f"{share}/operations.md", "How to run, monitor and stop the daemon; its limits, and the access rights of its users."),
    ]
    definition = ("NAME.form.json", "A form's definition; see form.json(5).")
    cases = ("NAME.test.json", "The cases of a form; see test.json(5).")
    formd = program_page(programs, "formd", version, share, [definition, *installed])
    formd.also("formctl(1)", "formd-web(1)", "formd.json(5)", "form.json(5)", "nc(1)")
    studio = (f"{share}/studio.md", "The page of formctl studio, and a first form.")
    formctl = program_page(programs, "formctl", version, share, [definition, cases, *installed, studio])
    formctl.also("formd(1)", "form.json(5)", "test.json(5)", "jq(1)")
    page = (f"{share}/web.md", "How to run formd-web: configuration, refusals, close codes, proxies, security.")
    client = (f"{share}/web", "The client for browsers, which formd-web serves.")
    web = program_page(programs, "formd-web", version, share, [page, client])
    web.also("formd(1)", "formd.json(5)")

    config = schema_page("formd.json", "configuration of formd", "formd serve --config FILE", config_schema, version, share)
    config.heading("EXAMPLES")
    config.literal((ROOT / "protocol" / "examples" / "formd.example.json").read_text(encoding="utf-8"))
    config.also("formd(1)", "formd-web(1)", "form.json(5)")
    form = schema_page("form.json", "definition of a form", "NAME.form.json", form_schema, version, share)
    form.heading("EXAMPLES")
    form.paragraph("One field, one rule, one action:")
    form.literal(SMALLEST_FORM)
    form.paragraph("More are in protocol/examples.")
    form.also("formd(1)", "formctl(1)", "formd.json(5)", "test.json(5)")
    test = schema_page("test.json", "test cases of a form", "NAME.test.json", test_schema, version, share)
    test.heading("EXAMPLES")
    test.paragraph("One case of the form in form.json(5):")
    test.literal(SMALLEST_TEST)
    test.also("formctl(1)", "form.json(5)")
    return [formd, formctl, web, config, form, test]


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes the manual pages of formd.")
    parser.add_argument("--programs", type=Path, required=True, help="the folder of the programs")
    parser.add_argument("--to", type=Path, required=True, help="the folder to which the pages are written")
    parser.add_argument("--share", default="/usr/local/share/formd", help="where examples and schemas are installed")
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    for page in pages(given.programs, given.share):
        page.write(given.to)


if __name__ == "__main__":
    main()
