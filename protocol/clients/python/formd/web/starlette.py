"""Forms of formd in Starlette and FastAPI."""

# pyright: reportMissingImports=false
# Starlette need not be installed where this file is checked.
from __future__ import annotations

from typing import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from formd import web


class Form(web.AsyncForm):
    """A form that endpoints of Starlette and FastAPI show and receive."""

    def view(
        self, function: Callable[[Request, web.Result], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint that gets a Result behind its request: an empty one for GET, and what was posted otherwise.

        Requests that need no endpoint are answered here; see `formd.web.Form.receive`.
        """

        # FastAPI reads the parameters of the function, so it must not see the parameters of the endpoint.
        async def endpoint(request: Request) -> Response:
            body = await _body(request) if request.method in ("POST", "PUT", "PATCH") else None
            answer = await self.respond(lambda result: function(request, result), request, body, request.headers)
            if isinstance(answer, web.Answer):
                answer = Response(answer.body, answer.status, answer.headers)
            answer.headers.add_vary_header("Precognition")
            return answer

        endpoint.__name__, endpoint.__doc__ = function.__name__, function.__doc__
        return endpoint


async def _body(request: Request) -> web.Body | bytes:
    """The form data and the files, or a JSON text."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json":
        return await request.body()
    return (await request.form()).multi_items()
