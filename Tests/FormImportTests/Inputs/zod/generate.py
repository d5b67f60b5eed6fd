"""Writes the schemas beside it.

Made with zod 4.6.7, which the package playwright 1.65.2 of PyPI carries. Without a registry of npm:
pip install playwright==1.65.2, then python generate.py. It runs the node of that package.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import playwright

DRIVER = Path(playwright.__file__).parent / "driver"
SCRIPT = """
const { z } = require(process.argv[1] + "/package/lib/utilsBundle.js");
const fs = require("fs"), folder = process.argv[2];
const write = (name, schema) => fs.writeFileSync(`${folder}/${name}.json`, JSON.stringify(z.toJSONSchema(schema), null, 2) + "\\n");
const card = z.object({ type: z.literal("card"), number: z.string().regex(/^[0-9]{12,19}$/) });
const cash = z.object({ type: z.literal("cash"), change: z.boolean() });
const guest = z.object({ fullName: z.string().min(1).max(80), age: z.int().min(0).max(130).optional() });
write("Booking", z.object({
  email: z.email(), arrival: z.iso.date(), nights: z.int().positive().max(30),
  guests: z.array(guest).min(1).max(6), payment: z.discriminatedUnion("type", [card, cash]),
  room: z.enum(["single", "double"]).default("double"), remark: z.string().max(500).nullish(),
  rating: z.literal([1, 2, 3]).optional(), homepage: z.url().optional(),
}).meta({ title: "Book a room" }));
write("Odds", z.object({
  labels: z.record(z.string(), z.string()), pair: z.tuple([z.string(), z.number()]), any: z.any(),
  mixed: z.union([z.string(), z.number()]), key: z.cuid2(), nothing: z.string().nullable(),
  file: z.file().optional(), either: z.union([guest, z.object({ company: z.string() })]),
}));
"""

subprocess.run([DRIVER / "node", "-e", SCRIPT, DRIVER, Path(__file__).parent], check=True)
