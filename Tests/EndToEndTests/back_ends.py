"""The example programs for Flask, Django and Starlette, and the views of the last one in FastAPI, as programs under
test."""

from __future__ import annotations

import http.client
import json
import re
import socket
import sys
import urllib.parse
from pathlib import Path
from typing import Any, NamedTuple, Optional

from harness import ROOT, Process

JSON = Any
PROGRAMS = ROOT / "protocol" / "clients" / "python" / "examples"
COMMANDS = {
    "flask": [sys.executable, "-m", "flask", "--app", "flask_app", "run", "--port"],
    "django": [sys.executable, "-c", """
import sys, wsgiref.simple_server, django_app
server = wsgiref.simple_server.make_server("127.0.0.1", int(sys.argv[1]), django_app.application)
print(f"running on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
"""],
    "starlette": [sys.executable, "-m", "uvicorn", "starlette_app:app", "--port"],
    "fastapi": [sys.executable, "-c", """
import sys, fastapi, starlette_app, uvicorn
app = fastapi.FastAPI()
app.api_route("/", methods=["GET", "POST"])(starlette_app.sign_up)
app.add_route("/welcome", starlette_app.welcome)
uvicorn.run(app, port=int(sys.argv[1]))
"""],
}


def free_port() -> int:
    """A port that is free now: the door has to know the origin of the page before the program begins."""
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: str


class Program(Process):
    """An example program, at a port of its own."""

    def __init__(self, name: str, daemon: Path, port: int = 0, door: str = "") -> None:
        super().__init__([*COMMANDS[name], str(port)], {
            "PYTHONPATH": f"{PROGRAMS}:{PROGRAMS.parent}", "FORMD_SOCKET": str(daemon), "DOOR": door, "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        })  # fmt: skip
        line = self.line_with("running on http://127.0.0.1:")
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found
        self.port = int(found.group(1))
        self.cookie = ""

    def ask(self, method: str = "GET", path: str = "/", body: Optional[str] = None, **headers: str) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookie:
            sent["Cookie"] = self.cookie
        connection.request(method, path, body.encode() if body is not None else None, sent)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read().decode())
        connection.close()
        self.cookie = answer.headers.get("Set-Cookie", self.cookie).partition(";")[0]
        return answer

    def token(self) -> dict[str, str]:
        """What Django wants to have in each post."""
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.ask().body)
        return {"csrfmiddlewaretoken": found.group(1)} if found else {}

    def post(self, fields: Any, **headers: str) -> Answer:
        """A post of a page without scripts."""
        pairs = [*self.token().items(), *(fields.items() if isinstance(fields, dict) else fields)]
        return self.ask("POST", body=urllib.parse.urlencode(pairs), Content_Type="application/x-www-form-urlencoded", **headers)

    def early(self, values: JSON, **headers: str) -> Answer:
        """A post of a program: JSON, with the token in a header."""
        token = self.token().get("csrfmiddlewaretoken", "")
        return self.ask("POST", body=json.dumps(values), Content_Type="application/json", Accept="application/json", X_CSRFToken=token, **headers)
