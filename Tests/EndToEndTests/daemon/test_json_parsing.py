"""The JSON parsing vectors, over the socket with header framing.

A text that is to be rejected gets -32700, or -32600 where it is JSON too deep or too large for us; one that is to be
accepted never gets -32700. Each has exactly one answer, and the connection is usable afterwards.
"""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path
from typing import Any, Iterator

import pytest

from harness import ROOT, Connection, Daemon

found = subprocess.run([ROOT / "scripts" / "lib" / "conformance-folder"], capture_output=True, text=True, check=False)
if found.returncode:
    pytest.skip(found.stderr.strip(), allow_module_level=True)
CASES = json.loads(Path(found.stdout.strip(), "json-parsing", "json_test_suite.json").read_text(encoding="utf-8"))["cases"]

EXCEPTIONS = {
    # name: (codes that are right here, reason)
    "y_object_escaped_null_in_key": (
        {-32700, -32600},
        "no flag makes jansson accept U+0000 in a member's name; no form's name can hold one",
    ),
    "n_structure_100000_opening_arrays": ({-32700, -32600}, "malformed and too deep: whichever is seen first"),
    "n_structure_open_array_object": ({-32700, -32600}, "malformed and too deep: whichever is seen first"),
}


def text_of(case: Any) -> bytes:
    if "repeat" in case:
        repeat = case["repeat"]
        return (repeat["text"] * repeat["times"] + repeat.get("suffix", "")).encode()
    return base64.b64decode(case["base64"])


@pytest.fixture(scope="module")
def connection(daemon: Daemon) -> Iterator[Connection]:
    """One connection for all the vectors: it has to survive each of them."""
    with daemon.connect("headers") as connection:
        yield connection


def test_the_vectors_are_there() -> None:
    assert len(CASES) > 200


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_vector_over_the_socket(connection: Connection, case: Any) -> None:
    connection.send_text(text_of(case))
    answer = connection.read()
    codes = {one["error"]["code"] for one in (answer if isinstance(answer, list) else [answer])}
    if case["name"] in EXCEPTIONS:
        assert codes <= EXCEPTIONS[case["name"]][0], EXCEPTIONS[case["name"]][1]
    elif case["expect"] == "reject":
        assert codes == {-32700}
    elif case["expect"] == "accept":
        assert codes == {-32600}, "accepted as JSON; refused only because it is no request"
    else:
        assert codes <= {-32700, -32600}
    pong, before = connection.exchange("server/ping")
    assert "result" in pong and before == []
