"""Forms of formd in Flask."""

# pyright: reportMissingImports=false
# Flask need not be installed where this file is checked.
from __future__ import annotations

import functools
from typing import Any, Callable

from flask import Response, make_response, request
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
            body: web.Body | None = None
            if request.method in ("POST", "PUT", "PATCH"):
                told = request.get_json(silent=True) if request.is_json else None
                form = request.form.to_dict(flat=False) | request.files.to_dict(flat=False)
                body = told if isinstance(told, dict) else [(name, one) for name, all in form.items() for one in all]
            answer = self.respond(lambda result: function(result, *arguments, **named), request, body, request.headers)
            if isinstance(answer, web.Answer):
                answer = Response(answer.body, answer.status, answer.headers)
            response = make_response(answer)
            response.vary.add("Precognition")
            return response

        return view
