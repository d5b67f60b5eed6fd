#!/usr/bin/env python3
"""Writes what clients need of protocol/openrpc.json: its types for TypeScript, Go and Python, and the members that rows
leave out for Python, Vim and Emacs.

    scripts/lib/client_types.py            writes the files
    scripts/lib/client_types.py --check    says which files are not what it would write, and exits with 1

Each schema under `components.schemas` becomes a type of that name. The params of a method become a type that is named
after the method: SessionOpenParams. A new language is a subclass of Writer and an entry of FILES. The members that rows
leave out are a constant in a file that people write: an entry of USUAL.
"""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

JSON = Any

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "protocol" / "openrpc.json"
WIDTH = 118
OPTIONAL = {"Document": {"step", "canUndo", "canRedo", "steps", "lookups"}}
"""Members that a whole value may lack. The schema of the document requires no member, because a session that is opened
with `watch` has only parts of it; the types are those of the whole document."""
ORIGIN = "Written by scripts/lib/client_types.py from protocol/openrpc.json."


def camel(name: str) -> str:
    """A name of the protocol as the name of a type: `session/setLocale` becomes `SessionSetLocale`."""
    return "".join(part[0].upper() + part[1:] for part in re.findall(r"[A-Za-z0-9]+", name))


@dataclass(frozen=True)
class Member:
    """A member of an object."""

    name: str
    schema: JSON
    is_required: bool

    @property
    def description(self) -> str:
        return self.schema.get("description", "")


@dataclass(frozen=True)
class Kind:
    """A type that gets a name."""

    name: str
    schema: JSON

    @property
    def description(self) -> str:
        """What it is; empty if its name says so."""
        return self.schema.get("description", "")

    @property
    def members(self) -> Optional[list[Member]]:
        """The members of an object; None for any other type."""
        if "properties" not in self.schema:
            return None
        required = self.schema.get("required", [])
        return [Member(name, schema, name in required) for name, schema in self.schema["properties"].items()]


class Document:
    """The OpenRPC document, as types."""

    def __init__(self, text: str) -> None:
        self.json = json.loads(text)
        self.schemas: dict[str, JSON] = self.json["components"]["schemas"]
        for name, optional in OPTIONAL.items():
            members = self.schemas[name]["properties"]
            self.schemas[name]["required"] = [member for member in members if member not in optional]
        self.kinds = [Kind(name, {"description": self.purpose(name), **schema}) for name, schema in sorted(self.schemas.items())]
        self.params = [Kind(camel(method["name"]) + "Params", self.params_schema(method))
                       for method in self.json["methods"] if method["params"]]  # fmt: skip

    def purpose(self, name: str) -> str:
        """What a schema is for, if it does not say so itself: where the document refers to it."""
        reference = {"$ref": f"#/components/schemas/{name}"}
        results = [method["name"] for method in self.json["methods"] if method.get("result", {}).get("schema") == reference]
        if results:
            return "The result of " + ", ".join(f"`{result}`" for result in results) + "."
        pushes = [push["name"] for push in self.json["x-notifications"] + self.json["x-requests"] if push["params"] == reference]
        if pushes:
            return f"The params of `{pushes[0]}`."
        errors = [error for error in self.json["components"]["errors"].values() if error.get("data") == reference]
        return f"The data of the error {errors[0]['code']}: {errors[0]['message']}." if errors else ""

    @staticmethod
    def params_schema(method: JSON) -> JSON:
        """The params of a method as the schema of one object."""
        described = {param["name"]: {**param["schema"], "description": param.get("description", "")}
                     for param in method["params"]}  # fmt: skip
        required = [param["name"] for param in method["params"] if param["required"]]
        return {"description": f"The params of `{method['name']}`.", "properties": described, "required": required}

    def params_name(self, method: JSON) -> Optional[str]:
        """The name of the type of a method's params; None if it takes none."""
        return camel(method["name"]) + "Params" if method["params"] else None


class Writer:
    """Writes the document in one language. Subclasses name the types and lay the text out."""

    string = integer = number = boolean = null = anything = ""

    def __init__(self, document: Document) -> None:
        self.document = document

    def text(self) -> str:
        """The whole file."""
        raise NotImplementedError

    def type(self, schema: JSON) -> str:
        """The type of the values that a schema describes."""
        if "$ref" in schema:
            return self.reference(schema["$ref"].rpartition("/")[2])
        if "enum" in schema:
            return self.names(schema["enum"])
        if "anyOf" in schema:
            return self.union([self.type(part) for part in schema["anyOf"]])
        kind = schema.get("type")
        if isinstance(kind, list):
            return self.union([self.type({"type": one}) for one in kind])
        if kind == "array":
            return self.array(self.type(schema["items"]))
        if kind == "object":
            return self.map(self.type(schema.get("additionalProperties", {})))
        simple = {"string": self.string, "integer": self.integer, "number": self.number, "boolean": self.boolean, "null": self.null}
        return simple[kind] if kind else self.anything

    def reference(self, name: str) -> str:
        return name

    def names(self, names: list[str]) -> str:
        return " | ".join(f'"{name}"' for name in names)

    def union(self, types: list[str]) -> str:
        return " | ".join(types)

    def array(self, element: str) -> str:
        raise NotImplementedError

    def map(self, value: str) -> str:
        raise NotImplementedError


class TypeScript(Writer):
    """Interfaces, and one table of all methods."""

    string, integer, number, boolean, null, anything = "string", "number", "number", "boolean", "null", "Json"

    def array(self, element: str) -> str:
        return f"{element}[]" if re.fullmatch(r"\w+", element) else f"Array<{element}>"

    def map(self, value: str) -> str:
        return f"{{ [name: string]: {value} }}"

    def comment(self, text: str, indent: str = "") -> str:
        if not text:
            return ""
        if len(indent + text) + 7 <= WIDTH:
            return f"{indent}/** {text} */\n"
        lines = textwrap.wrap(text, WIDTH - len(indent) - 3)
        return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"

    def kind(self, kind: Kind) -> str:
        if kind.members is None:
            names = kind.schema.get("enum", [])
            written = self.type(kind.schema)
            if len(written) > 80:
                written = "".join(f'\n  | "{name}"' for name in names)
            return f"{self.comment(kind.description)}export type {kind.name} = {written.lstrip(' ')};\n"
        lines = [f"{self.comment(kind.description)}export interface {kind.name} {{\n"]
        for member in kind.members:
            optional = "" if member.is_required else "?"
            lines.append(f"{self.comment(member.description, '  ')}  {member.name}{optional}: {self.type(member.schema)};\n")
        return "".join(lines) + "}\n"

    def table(self, name: str, description: str, rows: list[tuple[str, str]]) -> str:
        body = "".join(f'  "{key}": {value};\n' for key, value in rows)
        return f"{self.comment(description)}export interface {name} {{\n{body}}}\n"

    def text(self) -> str:
        document = self.document.json
        methods, notices = [], []
        for method in document["methods"]:
            params = self.document.params_name(method) or "NoParams"
            if "result" in method:
                methods.append((method["name"], f"{{ params: {params}; result: {self.type(method['result']['schema'])} }}"))
            else:
                notices.append((method["name"], params))
        parts = [
            f"// The types of the protocol of formd. {ORIGIN}\n",
            self.comment("Any JSON value. A member that is undefined is left out.")
            + "export type Json = null | boolean | number | string | Json[] | { [name: string]: Json | undefined };\n",
            "/** The params of a method that takes none. */\nexport type NoParams = { [name: string]: never };\n",
            *map(self.kind, self.document.kinds + self.document.params),
            self.table("Methods", "The requests of clients, by method.", methods),
            self.table("ClientNotifications", "Methods that are notifications of clients and nothing else: their params.", notices),
            self.table("Notifications", "The notifications of the daemon: their params.",
                       [(push["name"], self.type(push["params"])) for push in document["x-notifications"]]),
            self.table("Requests", "The requests of the daemon.",
                       [(push["name"], f"{{ params: {self.type(push['params'])}; result: {self.type(push['result'])} }}")
                        for push in document["x-requests"]]),
            self.table("Errors", "The data of errors, by code.",
                       [(str(error["code"]), self.type(error["data"]) if "data" in error else "undefined")
                        for error in document["components"]["errors"].values()]),
        ]  # fmt: skip
        return "\n".join(parts)


class Go(Writer):
    """Structures. Numbers, Booleans and structures that may be absent are pointers, unless they have a default other
    than true: without a pointer, an absent Boolean is false. Values of any type that may be absent are raw texts."""

    string, integer, number, boolean, null, anything = "string", "int64", "float64", "bool", "any", "any"

    def exported(self, name: str) -> str:
        return re.sub(r"Id(?![a-z])", "ID", {"pid": "PID", "uid": "UID"}.get(name, camel(name))).replace("Rpc", "RPC")

    def reference(self, name: str) -> str:
        return self.exported(name)

    def names(self, names: list[str]) -> str:
        return self.string

    def union(self, types: list[str]) -> str:
        return self.anything

    def array(self, element: str) -> str:
        return f"[]{element}"

    def map(self, value: str) -> str:
        return f"map[string]{value}"

    def comment(self, text: str, indent: str = "") -> str:
        return "".join(f"{indent}// {line}\n" for line in textwrap.wrap(text, WIDTH - len(indent) - 3))

    def is_structure(self, schema: JSON) -> bool:
        name = schema.get("$ref", "").rpartition("/")[2]
        return "properties" in self.document.schemas.get(name, {})

    def member(self, member: Member) -> str:
        written = self.type(member.schema)
        if not member.is_required and member.schema.get("default", True) is True:
            if written in ("bool", "int64", "float64") or self.is_structure(member.schema):
                written = "*" + written
            elif written == self.anything:
                written = "json.RawMessage"  # An absent member differs from null.
        tag = member.name if member.is_required else member.name + ",omitempty"
        comment = self.comment(member.description, "\t")
        return f'{comment}\t{self.exported(member.name)} {written} `json:"{tag}"`\n'

    def kind(self, kind: Kind) -> str:
        name = self.exported(kind.name)
        described = kind.description or "One of the names below."
        comment = self.comment(f"{name}: {described[0].lower() + described[1:]}")
        if kind.members is not None:
            body = "\n".join(map(self.member, kind.members))
            return f"{comment}type {name} struct {{\n{body}}}\n"
        text = f"{comment}type {name} {self.type(kind.schema)}\n"
        values = kind.schema.get("enum", [])
        if values:
            text += f"\n// The values of {name}.\n" + self.constants([(name + camel(value), name, value) for value in values])
        return text

    def constants(self, rows: list[tuple[str, str, str]]) -> str:
        width = max(len(name) for name, _, _ in rows)
        typed = "".join(f'\t{name:{width}} {type_} = "{value}"\n' for name, type_, value in rows)
        return f"const (\n{typed if rows[0][1] else typed.replace('  =', ' =')})\n"

    def text(self) -> str:
        errors = self.document.json["components"]["errors"]
        width = max(map(len, errors))
        codes = "".join(f"\tCode{name:{width}} = {error['code']}\n" for name, error in errors.items())
        pushes = [*self.document.json["x-notifications"], *self.document.json["x-requests"]]
        known = self.document.schemas["MethodName"]["enum"]
        names = [(f"Push{camel(push['name'])}", "", push["name"]) for push in pushes if push["name"] not in known]
        width_of_names = max(len(name) for name, _, _ in names)
        told = "".join(f'\t{name:{width_of_names}} = "{value}"\n' for name, _, value in names)
        parts = [
            "// Code generated from protocol/openrpc.json by scripts/lib/client_types.py. DO NOT EDIT.\n\npackage formd\n\nimport \"encoding/json\"\n",
            f"// The codes of errors.\nconst (\n{codes})\n",
            f"// The methods of the daemon's own messages.\nconst (\n{told})\n",
            *map(self.kind, self.document.kinds + self.document.params),
        ]
        return "\n".join(parts)


class Python(Writer):
    """Typed dictionaries, for Python 3.9. A class has the optional members, and its bases the required ones and those
    whose names are words of Python."""

    string, integer, number, boolean, null, anything = "str", "int", "float", "bool", "None", "Any"

    def names(self, names: list[str]) -> str:
        return "Literal[" + ", ".join(f'"{name}"' for name in names) + "]"

    def union(self, types: list[str]) -> str:
        return "Union[" + ", ".join(dict.fromkeys(types)) + "]"

    def array(self, element: str) -> str:
        return f"Sequence[{element}]"

    def map(self, value: str) -> str:
        return f"Mapping[str, {value}]"

    def fields(self, members: list[Member]) -> str:
        lines = []
        for member in members:
            comment = textwrap.wrap(member.description, WIDTH - 6)
            lines.append("".join(f"    # {line}\n" for line in comment) + f"    {member.name}: {self.type(member.schema)}\n")
        return "".join(lines)

    def functional(self, name: str, members: list[Member], total: str = "") -> str:
        body = ", ".join(f'"{member.name}": "{self.type(member.schema)}"' for member in members)
        return f'{name} = TypedDict("{name}", {{{body}}}{total})\n\n\n'

    def kind(self, kind: Kind) -> str:
        if kind.members is None:
            written = self.type(kind.schema)
            if len(written) > 80:
                values = textwrap.wrap(", ".join(f'"{value}"' for value in kind.schema["enum"]), WIDTH - 6)
                written = "Literal[\n" + "".join(f"    {line}\n" for line in values) + "]"
            described = "\n".join(textwrap.wrap(kind.description, WIDTH - 6))
            return f"{kind.name} = {written}\n" + (f'"""{described}"""\n' if described else "")
        required = [member for member in kind.members if member.is_required]
        optional = [member for member in kind.members if not member.is_required]
        text, bases = "", []
        for words, total in (([one for one in required if keyword.iskeyword(one.name)], ""),
                             ([one for one in optional if keyword.iskeyword(one.name)], ", total=False")):  # fmt: skip
            if words:
                bases.append(f"_{kind.name}{'Words' if total == '' else 'Options'}")
                text += self.functional(bases[-1], words, total)
        required = [one for one in required if not keyword.iskeyword(one.name)]
        optional = [one for one in optional if not keyword.iskeyword(one.name)]
        if required and (optional or bases):
            text += f"class _{kind.name}(TypedDict):\n{self.fields(required)}\n\n"
            bases.insert(0, f"_{kind.name}")
            required = []
        head = [*(bases or ["TypedDict"]), *([] if required else ["total=False"])]
        described = textwrap.wrap(kind.description, WIDTH - 10)
        joined = "\n    ".join(described)
        text += f'class {kind.name}({", ".join(head)}):\n    """{joined}"""\n'
        fields = self.fields(required + optional)
        return text + (f"\n{fields}" if fields else "")

    def text(self) -> str:
        kinds = self.document.kinds + self.document.params
        values = [kind for kind in kinds if kind.members is None]
        objects = [kind for kind in kinds if kind.members is not None]
        names = textwrap.wrap(", ".join(f'"{kind.name}"' for kind in sorted(kinds, key=lambda kind: kind.name)), WIDTH - 6)
        listed = "".join(f"    {line}\n" for line in names)
        head = (
            f'"""The types of the protocol, for type checkers. At run time each is a plain dict, as the daemon sent it.\n\n'
            f'A member that is not required may be missing.\n\n{ORIGIN}\n"""\n\n'
            "from __future__ import annotations\n\n"
            "from typing import Any, Literal, Mapping, Sequence, TypedDict, Union\n\n"
            f"__all__ = [\n{listed}]  # fmt: skip\n\n"
        )
        return head + "\n".join(map(self.kind, values)) + "\n\n" + "\n\n".join(map(self.kind, objects))


FILES: dict[str, type[Writer]] = {
    "protocol/clients/typescript/types.d.ts": TypeScript,
    "protocol/clients/go/types.go": Go,
    "protocol/clients/python/formd/types.py": Python,
}


@dataclass(frozen=True)
class Usual:
    """A constant in a file that people write: the members that rows and the fields inside them leave out, and their
    values."""

    pattern: str
    """Finds the constant's members."""
    member: str
    """How the language writes a member."""
    words: tuple[str, str]
    """How it writes true and false."""
    separator: str
    indent: int
    width: int

    def text(self, document: Document, text: str) -> str:
        """The text of the file, with the members that the document says."""
        members = document.schemas["FieldState"]["properties"]
        written = []
        for name, schema in members.items():
            if "default" in schema:
                value = schema["default"]
                word = self.words[0 if value else 1] if isinstance(value, bool) else json.dumps(value)
                written.append(self.member.format(name, word))
        # A member stays on one line.
        joined = self.separator.join(one.replace(" ", "\0") for one in written)
        lines = textwrap.wrap(joined, self.width - self.indent, break_on_hyphens=False)
        constant = f"\n{' ' * self.indent}".join(lines).replace("\0", " ")
        text, count = re.subn(self.pattern, lambda _: constant, text, flags=re.S)
        if count != 1:
            raise ValueError(f"{count} texts match {self.pattern}, not one")
        return text


USUAL: dict[str, Usual] = {
    "protocol/clients/python/formd/results.py": Usual(
        r"(?<=\n_USUAL: Mapping\[str, JSON\] = \{\n    ).*?(?=,\n\})", '"{}": {}', ("True", "False"), ", ", 4, WIDTH
    ),
    "protocol/clients/vim/autoload/formd/document.vim": Usual(
        r"(?<=\nconst usual = \{).*?(?=\})", "{}: {}", ("true", "false"), ", ", 2, WIDTH - 1
    ),
    "protocol/clients/emacs/formd-document.el": Usual(
        r"(?<=\n\(defconst formd-document--usual\n  '\().*?(?=\)\n  \")", '("{}" . {})', ("t", ":false"), " ", 4, 78
    ),
}  # fmt: skip


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    document, stale = Document(DOCUMENT.read_text(encoding="utf-8")), []
    texts = {path: writer(document).text() for path, writer in FILES.items()}
    texts |= {path: usual.text(document, (ROOT / path).read_text(encoding="utf-8")) for path, usual in USUAL.items()}
    for path, text in texts.items():
        file = ROOT / path
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        stale.append(path)
        if not arguments:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{path} does not match protocol/openrpc.json; run scripts/lib/client_types.py" if arguments else f"wrote {path}")
    return 1 if arguments and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
