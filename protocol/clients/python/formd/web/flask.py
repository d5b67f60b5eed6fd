"""Forms of formd in Flask."""

# pyright: reportMissingImports=false
# Flask need not be installed where this file is checked.
from __future__ import annotations

import functools
from typing import Any, Callable

from flask import Response, request
from flask.typing import ResponseReturnValue

from formd import web


class Form(web.Form):
    """A form that views of Flask show and receive."""

    def view(self, function: Callable[..., ResponseReturnValue]) -> Callable[..., ResponseReturnValue]:
        """A view that gets a Result as its first argument: an empty one for GET, and what was posted otherwise.

        Requests that need no view are answered here; see `formd.web.Form.receive`.
        """

        @functools.wraps(function)
        def view(*arguments: Any, **named: Any) -> ResponseReturnValue:
            result: web.Result | web.Answer = web.Result()
            if request.method in ("POST", "PUT", "PATCH"):
                body = request.get_json(silent=True) if request.is_json else None
                form = request.form.to_dict(flat=False) | request.files.to_dict(flat=False)
                pairs = [(name, value) for name, values in form.items() for value in values]
                result = self.receive(body if isinstance(body, dict) else pairs, request.headers)
            if isinstance(result, web.Answer):
                return Response(result.body, result.status, result.headers)
            return function(result, *arguments, **named)

        return view
