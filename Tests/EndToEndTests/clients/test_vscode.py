"""The folder of the VS Code extension: its files fit together, and its code runs against stand-ins for VS Code and its
client library in Node.js. The server that it starts has tests of its own."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import harness

FOLDER = harness.ROOT / "protocol" / "clients" / "vscode"
NODE = shutil.which("node")

STAND_INS = """
const Module = require('module');
const log = [];
const handlers = {};
const vscode = {
  workspace: { getConfiguration: () => ({ get: (name) => ({ command: '/opt/formctl', locale: 'ko' })[name] }) },
  window: {
    activeTextEditor: undefined,
    showWarningMessage: (text) => log.push(['warning', text]),
    createTerminal: (options) => (log.push(['terminal', options]), { show: () => log.push(['show']) }),
  },
  commands: { registerCommand: (name, body) => (handlers[name] = body) },
  Uri: { parse: (text) => ({ scheme: text.split(':')[0], fsPath: decodeURIComponent(text.replace('file://', '')) }) },
};
class LanguageClient {
  constructor(id, name, server, client) { log.push(['client', server, client]); }
  registerFeature(feature) {
    const capabilities = { experimental: { other: true } };
    feature.fillClientCapabilities(capabilities);
    log.push(['capabilities', capabilities]);
  }
  start() { log.push(['start']); }
  stop() { log.push(['stop']); }
}
const load = Module._load;
Module._load = (name, ...rest) =>
  name === 'vscode' ? vscode : name === 'vscode-languageclient/node' ? { LanguageClient } : load(name, ...rest);
(async () => {
  const extension = require(process.argv[1]);
  const context = { subscriptions: [] };
  await extension.activate(context);
  handlers['formd.openForm']('order', 'file:///forms/an%20order.form.json');
  handlers['formd.openForm']('order', 'https://example.com/order.form.json');
  handlers['formd.openForm']();
  await handlers['formd.restart']();
  await extension.deactivate();
  console.log(JSON.stringify({ log, subscriptions: context.subscriptions.length }));
})();
"""


def package() -> dict:
    return json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
def test_it_starts_the_server_and_opens_forms() -> None:
    done = subprocess.run(
        [str(NODE), "-e", STAND_INS, str(FOLDER / "extension.js")], capture_output=True, text=True, timeout=60, check=True
    )
    heard = json.loads(done.stdout)
    log = heard["log"]
    assert heard["subscriptions"] == 2
    kind, server, client = log[0]
    assert (kind, server) == ("client", {"command": "/opt/formctl", "args": ["lsp"]})
    assert client["synchronize"] == {"configurationSection": "formd"}
    assert client["initializationOptions"] == {"locale": "ko"}
    assert log[1] == ["capabilities", {"experimental": {"other": True, "commands": {"commands": ["formd.openForm"]}}}]
    terminals = [entry[1] for entry in log if entry[0] == "terminal"]
    assert [(t["shellPath"], t["shellArgs"]) for t in terminals] == [
        ("/opt/formctl", ["fill", "/forms/an order.form.json"])
    ]
    assert [entry[0] for entry in log].count("warning") == 2
    assert [entry[0] for entry in log if entry[0] in ("start", "stop")] == ["start", "stop", "start", "stop"]


def test_its_commands_and_settings_are_those_of_its_code_and_its_page() -> None:
    code = (FOLDER / "extension.js").read_text(encoding="utf-8")
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    contributes = package()["contributes"]
    for command in contributes["commands"]:
        assert f"registerCommand('{command['command']}'" in code
        assert f"formd: {command['title']}" in page
    for name in contributes["configuration"]["properties"]:
        assert f"setting('{name.removeprefix('formd.')}')" in code
        assert f"`{name}`" in page
    assert (FOLDER / package()["main"]).is_file()


def test_its_grammar_colours_formulas() -> None:
    (grammar,) = package()["contributes"]["grammars"]
    content = json.loads((FOLDER / grammar["path"]).read_text(encoding="utf-8"))
    assert content["scopeName"] == grammar["scopeName"]
    found: dict[str, list[str]] = {}
    formula = "values.items.all(r, r.sku != '') && fields['/a/b'].isValid == true "
    for pattern in content["repository"]["names"]["patterns"]:
        # Lookbehinds of one character mean the same in Python and in Oniguruma.
        found[pattern["name"]] = [match[0] for match in re.finditer(pattern["match"], formula)]
    assert found == {
        "variable.language.formd": ["values", "fields"],
        "support.function.formd": ["all"],
        "constant.language.formd": ["true"],
        "keyword.operator.formd": ["!=", "&&", "=="],
    }
