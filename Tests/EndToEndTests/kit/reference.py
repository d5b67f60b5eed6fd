"""A client and its adapter in the fewest lines that pass the kit, without any library.

`reference.py NAME` breaks the rule of one scenario, so that the kit must find it.
"""

import json
import os
import random
import socket
import sys
import time

broken = sys.argv[1] if len(sys.argv) > 1 else ""


class Closed(Exception):
    """The client does not have its session any more."""


class Unknown(Exception):
    """The daemon may have executed a request that may not be sent twice."""


class Refused(Exception):
    """The daemon has refused a request."""


class Lost(Exception):
    """The connection has ended."""


def merged(target, patch):
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None and broken != "merge":
            target.pop(name, None)
        else:
            target[name] = merged(target.get(name), value)
    return target


class Client:
    def __init__(self, path):
        self.path, self.ids, self.events, self.last = path, 0, [], 0
        self.key = self.closed = None
        self.is_outdated = False
        self.pause = 0
        self.connect()

    def connect(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(self.path)
        self.buffer = b""

    # Messages

    def exchange(self, method, params):
        """Sends a request and returns its result; handles what comes before the answer."""
        self.ids += 1
        mine = self.ids
        message = {"jsonrpc": "2.0", "id": mine, "method": method, "params": params}
        try:
            self.socket.sendall(json.dumps(message).encode() + b"\n")
            self.was_sent = True
        except OSError:
            # The daemon may have said why it ended the connection.
            self.was_sent = False
        while True:
            message = self.read()
            if "method" in message:
                self.push(message["method"], message["params"])
            elif message["id"] is None and broken == "room":
                pass
            elif message["id"] in (mine, None) and "error" in message:
                raise Refused(message["error"], message["id"])
            elif message["id"] == mine:
                return message["result"]

    def read(self):
        while b"\n" not in self.buffer:
            try:
                piece = self.socket.recv(65536)
            except OSError:
                piece = b""
            if not piece:
                raise Lost
            if broken == "split":
                piece = piece.decode("utf-8", "replace").encode()
            self.buffer += piece
            if broken == "large" and len(self.buffer) > 500_000:
                raise Lost
        line, _, self.buffer = self.buffer.partition(b"\n")
        return json.loads(line)

    def push(self, method, params):
        if method == "session/update":
            if broken == "later" and params["cause"] not in ("field/change", "action/tap", "timer", "effect"):
                return
            if params["session"] == self.number and not self.is_outdated:
                self.document = merged(self.document, params["patch"])
            self.happened(params.get("events", []))
        elif method == "session/desync" and broken != "desync":
            self.is_outdated = True
        elif method == "session/closed":
            self.closed = params["reason"]

    def happened(self, events):
        for event in events:
            if event["seq"] > self.last or broken == "twice":
                self.events.append(event["seq"])
            self.last = max(self.last, event["seq"])

    # The session

    def open(self, form, keep):
        params = {"form": form, **({"keep": keep} if keep else {})}
        result = self.exchange("session/open", params)
        self.form = form
        if broken == "joined":
            self.buffer = b""
        self.key, self.number, self.document = result.get("key"), result["session"], result["document"]

    def come_back(self):
        """Connects again and attaches, with growing pauses until a request is answered."""
        while True:
            if broken != ("again" if self.closed else "unanswered"):
                time.sleep(self.pause * random.uniform(0.5, 1.5))
            self.pause = min(max(2 * self.pause, 0.03), 2)
            try:
                if not self.closed:
                    self.connect()
                self.attach()
                return
            except Refused as refusal:
                error = refusal.args[0]
                if error["code"] == 1014 and broken == "elsewhere":
                    self.attach(take=True)
                    return
                if error["code"] == 1001 and broken == "gone":
                    self.open(self.form, "10m")
                    return
                if error["code"] != 1011:
                    self.closed = "gone"
                    raise Closed from None
                # Without an id, the connection was refused.
                if broken != "full" or refusal.args[1] is None:
                    time.sleep(error["data"]["retryAfterMs"] / 1000)
            except (OSError, Lost) as problem:
                if broken == "restart" and isinstance(problem, OSError):
                    self.closed = "no daemon"
                    raise Closed from None

    def attach(self, **more):
        seq = 0 if broken == "missed" else self.last
        result = self.exchange("session/attach", {"key": self.key, "seq": seq, **more})
        if broken != "number":
            self.number = result["session"]
        self.document = merged(self.document if broken == "reconnect" else {}, result["document"])
        self.closed = None
        self.happened(result["events"])

    def call(self, method, params, may_be_repeated):
        while True:
            if self.closed:
                raise Closed
            try:
                result = self.exchange(method, {"session": self.number, **params})
                self.pause = 0
                break
            except Lost:
                was_sent = self.was_sent
                if not self.key and broken != "unkept":
                    self.closed = "lost"
                    raise Closed from None
                if self.key:
                    self.come_back()
                else:
                    self.connect()
                    self.open(self.form, None)
                if broken == "repeat" and was_sent and may_be_repeated:
                    return None
                if not may_be_repeated and broken != "tap":
                    raise Unknown from None
            except Refused as refusal:
                error = refusal.args[0]
                if error["code"] == 1011 and broken == "busy":
                    continue
                if error["code"] != -32800:
                    if broken == "refused" and error["code"] != 1011:
                        return None
                    raise
                # The reason follows.
                while not self.closed:
                    message = self.read()
                    self.push(message["method"], message["params"])
                if self.closed == broken:
                    self.closed = None if broken in ("store", "lost") else self.closed
                    if broken in ("moved", "closed"):
                        self.come_back()
                        continue
                    raise Closed from None
                if self.closed not in ("store", "lost"):
                    raise Closed from None
                self.come_back()
        if self.is_outdated:
            self.document = self.exchange("session/get", {"session": self.number})["document"]
            self.is_outdated = False
        return result


def main():
    for line in sys.stdin:
        command = json.loads(line)
        error = None
        try:
            if command["do"] == "open":
                client = Client(command["socket"])
                client.open(command["form"], command.get("keep"))
            elif command["do"] == "set":
                client.call("field/change", {"field": command["field"], "value": command["value"]}, True)
            elif command["do"] == "tap":
                client.call("action/tap", {"action": command["action"]}, False)
        except Refused as refusal:
            error = refusal.args[0]["code"]
        except Closed:
            error = "closed"
        except Unknown:
            error = "unknown"
        print(json.dumps({"error": error, "document": client.document, "events": client.events}), flush=True)


main()
os._exit(0)
