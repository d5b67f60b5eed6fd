#!/usr/bin/env python3
"""Writes the calls of the blocking Python client, protocol/clients/python/formd/blocking_calls.py.

    scripts/lib/blocking_client.py            writes the file
    scripts/lib/blocking_client.py --check    exits with 1 if the file is not what it would write

Each public method and attribute of AsyncClient and AsyncSession becomes one of CallsOfClient or CallsOfSession, which
does the same and waits for it. The classes Client and Session (blocking.py) inherit them. What they define themselves
is left out.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from pathlib import Path
from typing import Iterable, Iterator, Optional, Union

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "protocol" / "clients" / "python" / "formd"
SOURCES = [PACKAGE / name for name in ("async_client.py", "async_session.py", "blocking.py")]
FILE = PACKAGE / "blocking_calls.py"
WIDTH = 118

HIDDEN = {"connect", "sessions"}
"""What the blocking client does not have: it connects when it is made, and its sessions are objects of their own."""

Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]

HEAD = '''"""The calls of the blocking client, each like the call of the asynchronous client, without `await`.

Written by scripts/lib/blocking_client.py from formd/async_client.py and formd/async_session.py.
"""

from __future__ import annotations

from typing import Any, Callable, Coroutine, Mapping, Optional, Sequence, TypeVar, Union

{imports}
T = TypeVar("T")
'''

CLASSES = [
    ("CallsOfClient", "AsyncClient", "Client", "_client", "What AsyncClient does, for blocking code."),
    ("CallsOfSession", "AsyncSession", "Session", "_session", "What AsyncSession does, for blocking code."),
]


def documented(text: Optional[str]) -> str:
    """A docstring, laid out for the body of a method."""
    if not text:
        return ""
    text = re.sub(r"\bAsync(Client|Session)\b", r"\1", text)
    body = textwrap.indent(text, " " * 8).strip()
    end = "\n        " if "\n" in text or len(body) > WIDTH - 15 else ""
    return f'        """{body}{end}"""\n'


def forwarded(function: Function) -> list[str]:
    """The arguments of a call with the parameters of a method."""
    return [one.arg for one in function.args.args[1:]] + [f"{one.arg}={one.arg}" for one in function.args.kwonlyargs]


def parameters(arguments: ast.arguments) -> list[str]:
    """The parameters of a method, as they are written."""

    def written(one: ast.arg, default: Optional[ast.expr]) -> str:
        kind = f"{one.arg}: {ast.unparse(one.annotation)}" if one.annotation else one.arg
        return kind if default is None else f"{kind} = {ast.unparse(default)}"

    places = [None] * (len(arguments.args) - len(arguments.defaults)) + list(arguments.defaults)
    names = [written(one, default) for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return list(map(written, arguments.args, places)) + (["*", *names] if names else [])


def fitting(begin: str, parts: list[str], end: str, indent: str) -> str:
    """Something with a list in brackets: on one line, else with a line for each part."""
    line = f"{begin}({', '.join(parts)}){end}"
    if len(line) <= WIDTH:
        return line
    return f"{begin}(\n" + "".join(f"{indent}    {part},\n" for part in parts) + f"{indent}){end}"


def method(function: Function, inner: str) -> str:
    """A method that calls the method of the same name, and waits for its end if it is a coroutine function."""
    is_property = any(isinstance(one, ast.Name) and one.id == "property" for one in function.decorator_list)
    returns = ast.unparse(function.returns) if function.returns else "None"
    head = fitting(f"    def {function.name}", parameters(function.args), f" -> {returns}:", " " * 4)
    begin, end = "" if returns == "None" else "return ", ""
    if isinstance(function, ast.AsyncFunctionDef):
        begin, end = f"{begin}self._run(", ")"
    begin = f"        {begin}self.{inner}.{function.name}"
    call = begin + end if is_property else fitting(begin, forwarded(function), end, " " * 8)
    marker = "    @property\n" if is_property else ""
    return f"{marker}{head}\n{documented(ast.get_docstring(function))}{call}\n"


def attributes(function: ast.FunctionDef, inner: str) -> Iterator[tuple[str, str]]:
    """The public attributes that a constructor sets with a type, as properties."""
    for index, statement in enumerate(function.body):
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Attribute):
            continue
        name = statement.target.attr
        behind = function.body[index + 1] if index + 1 < len(function.body) else None
        text = behind.value.value if isinstance(behind, ast.Expr) and isinstance(behind.value, ast.Constant) else None
        described = documented(" ".join(text.split()) if isinstance(text, str) else None)
        if len(described) > WIDTH:
            described = documented("\n".join(textwrap.wrap(" ".join(str(text).split()), WIDTH - 12)))
        yield name, (
            f"    @property\n    def {name}(self) -> {ast.unparse(statement.annotation)}:\n{described}"
            f"        return self.{inner}.{name}\n"
        )


def members(source: ast.ClassDef, own: set[str], inner: str) -> Iterator[str]:
    """The members of one class, in the order of the source."""
    for statement in source.body:
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if statement.name == "__init__" and isinstance(statement, ast.FunctionDef):
            yield from (text for name, text in attributes(statement, inner) if name not in own and name[0] != "_")
        elif statement.name[0] != "_" and statement.name not in own:
            yield method(statement, inner)


def blocking(texts: Iterable[str]) -> str:
    """The calls of the blocking client, from the texts of SOURCES."""
    statements = [one for text in texts for one in ast.parse(text).body]
    classes = {one.name: one for one in statements if isinstance(one, ast.ClassDef)}
    parts = []
    for name, source, target, inner, purpose in CLASSES:
        own = HIDDEN | {one.name for one in classes[target].body if isinstance(one, ast.FunctionDef)}
        head = (
            f'class {name}:\n    """{purpose}"""\n\n    {inner}: {source}\n\n'
            "    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:\n"
            '        """The result of a coroutine of the asynchronous client."""\n'
            "        raise NotImplementedError\n"
        )
        parts.append("\n".join([head, *members(classes[source], own, inner)]))
    body = "\n\n".join(parts)
    used = set(re.findall(r"\w+", re.sub(r'"""(.|\n)*?"""', "", body)))
    return HEAD.replace("{imports}", imports(statements, used)) + "\n\n" + body


def imports(statements: Iterable[ast.stmt], used: set[str]) -> str:
    """The statements that import the used names from the modules of the package, as the sources import them."""
    own = {name for name, *_ in CLASSES}
    modules: dict[str, set[str]] = {"formd.async_client": {"AsyncClient"}}
    for one in statements:
        if isinstance(one, ast.ImportFrom) and one.module and one.module.startswith("formd."):
            names = {name.name for name in one.names if name.name in used and name.name not in own}
            if names:
                modules.setdefault(one.module, set()).update(names)
    return "".join(f"from {module} import {wrapped(names)}\n" for module, names in sorted(modules.items()))


def wrapped(names: set[str]) -> str:
    """Imported names: on one line, else in brackets. Constants come first, then classes, as isort sorts them."""
    text = ", ".join(sorted(names, key=lambda name: (not name.isupper(), name.lower())))
    lines = textwrap.wrap(text + ",", WIDTH - 6)
    return "(\n" + "".join(f"    {line}\n" for line in lines) + ")  # fmt: skip" if len(text) > 80 else text


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    text = blocking(source.read_text(encoding="utf-8") for source in SOURCES)
    if FILE.exists() and FILE.read_text(encoding="utf-8") == text:
        return 0
    if arguments:
        print(f"{FILE.relative_to(ROOT)} does not match the asyncio client; run scripts/lib/blocking_client.py")
        return 1
    FILE.write_text(text, encoding="utf-8")
    print(f"wrote {FILE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
