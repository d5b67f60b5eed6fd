"""`python -m formd METHOD [PARAMS]`: makes one call, and prints its result as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Optional, Sequence

from formd.blocking import Client
from formd.errors import FormdError
from formd.socket_path import default_socket_path


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """`python -m formd METHOD [PARAMS]`: makes one call, and prints its result as JSON."""
    parser = argparse.ArgumentParser(prog="python -m formd", description="Calls one method of the daemon.")
    parser.add_argument("--socket", metavar="PATH", help=f"the daemon's socket (default: {default_socket_path()})")
    parser.add_argument("--timeout", type=float, default=30, metavar="SECONDS", help="default: 30")
    parser.add_argument("method", help="such as server/ping, form/list, form/describe")
    parser.add_argument("params", nargs="?", help='a JSON object, such as \'{"form": "login"}\'')
    options = parser.parse_args(arguments)
    try:
        params = json.loads(options.params) if options.params else None
    except ValueError as error:
        parser.error(f"PARAMS is not JSON: {error}")
    if params is not None and not isinstance(params, dict):
        parser.error("PARAMS must be a JSON object")
    try:
        with Client(options.socket) as client:
            print(json.dumps(client.call(options.method, params, options.timeout), ensure_ascii=False, indent=2))
    except (FormdError, TimeoutError) as error:
        print(f"formd: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
