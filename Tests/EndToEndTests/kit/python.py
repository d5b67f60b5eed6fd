"""The kit's adapter for the Python client: reads one command a line, and writes one report a line."""

import json
import sys

import formd

events = []
for line in sys.stdin:
    command = json.loads(line)
    error = None
    try:
        if command["do"] == "open":
            client = formd.Client(command["socket"])
            session = client.open(command["form"], keep=command.get("keep"))
            session.on_event(lambda event: events.append(event.seq))
        elif command["do"] == "set":
            session.change(command["field"], command["value"])
        elif command["do"] == "tap":
            session.tap(command["action"])
    except formd.OutcomeUnknown:
        error = "unknown"
    except (formd.SessionClosed, formd.ConnectionLost):
        error = "closed"
    except formd.RpcError as refusal:
        error = refusal.code
    print(json.dumps({"error": error, "document": session.document, "events": events}), flush=True)
