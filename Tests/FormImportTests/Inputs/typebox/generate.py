"""Writes the schema beside it. Made with @sinclair/typebox 0.24.44 of Debian 12: apt install node-sinclair-typebox."""

from __future__ import annotations

import subprocess
from pathlib import Path

SCRIPT = """
const { Type: T } = require("/usr/share/nodejs/@sinclair/typebox/typebox.js");
const home = T.Object({ street: T.String({ maxLength: 100 }), city: T.String() }, { additionalProperties: false });
const schema = T.Object({
  name: T.String({ minLength: 1, title: "Your name" }), size: T.Union([T.Literal("S"), T.Literal("M"), T.Literal("L")]),
  quantity: T.Integer({ minimum: 1, default: 1 }), gift: T.Optional(T.Boolean()),
  remark: T.Optional(T.Union([T.String(), T.Null()])), home,
  delivery: T.Union([
    T.Object({ by: T.Literal("post"), address: home }), T.Object({ by: T.Literal("pickup"), shop: T.String() }),
  ]),
});
require("fs").writeFileSync(process.argv[1] + "/Shirt.json", JSON.stringify(schema, null, 2) + "\\n");
"""

subprocess.run(["node", "-e", SCRIPT, Path(__file__).parent], check=True)
