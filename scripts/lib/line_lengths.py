"""Checks the lengths of the lines of code: at most 120 columns.

The languages are Swift, Python, shell, C, JavaScript, TypeScript, Go, Lua, Vim and Emacs Lisp.

The rule: a line without its string literals and their quotes has at most 120 columns. So a literal that cannot be
broken may be long, and the lines of a literal that spans several lines may be long, too. The name of a Swift test in
backticks counts as a literal. A comment counts in full, and a Python docstring counts as a comment.

Prints one line for each fault, and a closing line with their number; called by `scripts/test`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[2]
COLUMNS_MAX = 120

DOUBLE = r'"(?:\\.|[^"\\\n])*"'
SINGLE = r"'(?:\\.|[^'\\\n])*'"
HASH_COMMENT = r"(?<!\S)#[^\n]*"

# For each language: its comments, and its string literals. At each position of a file, comments are tried first, then
# the literals in their order.
SWIFT = (
    r"//[^\n]*|/\*.*?\*/",
    # An interpolation may contain literals and one level of parentheses.
    r'(#*)""".*?"""\1|(#+)".*?"\2|"(?:\\\((?:[^()"\n]|' + DOUBLE + r'|\([^()\n]*\))*\)|\\.|[^"\\\n])*"|`[^`\n]*`',
)
PYTHON = (
    # A docstring begins its line.
    r'#[^\n]*|^[ \t]*""".*?"""',
    r'""".*?"""|' + r"'''.*?'''|" + DOUBLE + "|" + SINGLE,
)
# The literals of a shell may span lines. A here-document counts as a literal.
SHELL = (HASH_COMMENT, r"<<-?'?(\w+)'?[^\n]*\n.*?^\s*\1$|\\.|\"(?:\\.|[^\"\\])*\"|'[^']*'")
C = (r"//[^\n]*|/\*.*?\*/", DOUBLE + "|" + SINGLE)
# A regular expression follows a blank, a bracket or an operator; a division has a blank behind its slash. A template
# may contain templates, one level deep.
JAVASCRIPT = (
    C[0],
    C[1] + r"|`(?:\\.|\$\{(?:[^{}`]|\{[^{}]*\}|`[^`]*`)*\}|[^`\\])*`"
    r"|(?<=[\s(,=!:])/(?![/*=\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/",
)
GO = (C[0], DOUBLE + r"|'(?:\\.|[^'\\\n])+'|`[^`]*`")
LUA = (r"--[^\n]*", r"\[(=*)\[.*?\]\1\]|" + DOUBLE + "|" + SINGLE)
VIM9 = (HASH_COMMENT, DOUBLE + r"|'(?:''|[^'\n])*'")
VIM = (r'^\s*"[^\n]*', VIM9[1])
LISP = (r";[^\n]*", r'\?\\?.|"(?:\\.|[^"\\])*"')

LANGUAGES = {
    ".swift": SWIFT, ".py": PYTHON, ".sh": SHELL, ".c": C, ".h": C, ".lua": LUA, ".vim": VIM, ".el": LISP,
    ".js": JAVASCRIPT, ".mjs": JAVASCRIPT, ".ts": JAVASCRIPT, ".go": GO,
}  # fmt: skip


def language(path: Path, text: str) -> tuple[str, str] | None:
    """The language of a file: by the extension of its name, or by its first line if the name has no extension."""
    if not path.suffix and (program := re.match(r"#!.*\b(python|bash|sh)", text)):
        return PYTHON if program[1] == "python" else SHELL
    if path.suffix == ".vim" and text.startswith("vim9script"):
        return VIM9
    return LANGUAGES.get(path.suffix)


def without_literals(text: str, comments: str, literals: str) -> str:
    """The same lines, without string literals."""
    # The literals come first, because their patterns number their groups from 1. The lookahead lets comments win.
    tokens = re.compile(f"(?!{comments})(?:{literals})|(?P<comment>{comments})", re.DOTALL | re.MULTILINE)
    return tokens.sub(lambda token: token[0] if token["comment"] else "\n" * token[0].count("\n"), text)


def faults(path: Path) -> Iterator[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        # An input of the fuzzer.
        return
    if not (found := language(path, text)):
        return
    lines = text.split("\n")
    for number, bare in enumerate(without_literals(text, *found).split("\n"), 1):
        if len(bare) > COLUMNS_MAX:
            yield f"{number}: {len(lines[number - 1])} columns, at most {COLUMNS_MAX}"


def main() -> int:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = [ROOT / name for name in listed.stdout.split("\0") if name]
    found = [f"{file.relative_to(ROOT)}:{fault}" for file in files if file.is_file() for fault in faults(file)]
    print(*found, f"{len(files)} files, {len(found)} lines are too long", sep="\n")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
