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
            body: web.Body | bytes | None = None
            if request.method in ("POST", "PUT", "PATCH"):
                if request.mimetype == "application/json":
                    body = request.get_data()
                else:
                    body = [*request.form.items(multi=True), *request.files.items(multi=True)]
            answer = self.respond(lambda result: function(result, *arguments, **named), request, body, request.headers)
            if isinstance(answer, web.Answer):
                answer = Response(answer.body, answer.status, answer.headers)
            response = make_response(answer)
            response.vary.add("Precognition")
            return response

        return view
