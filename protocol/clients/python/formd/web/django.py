"""Forms of formd in Django."""

# pyright: reportMissingImports=false
# Django need not be installed where this file is checked.
from __future__ import annotations

import functools
import json
from typing import Any, Callable

from django.http import HttpResponse  # type: ignore[import-untyped]
from django.utils.cache import patch_vary_headers  # type: ignore[import-untyped]

from formd import web


class Form(web.Form):
    """A form that views of Django show and receive."""

    def view(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A view that gets a Result behind its request: an empty one for GET, and what was posted otherwise.

        Requests that need no view are answered here; see `formd.web.Form.receive`.
        """

        @functools.wraps(function)
        def view(request: Any, *arguments: Any, **named: Any) -> Any:
            body = _body(request) if request.method in ("POST", "PUT", "PATCH") else None
            answer = self.respond(
                lambda result: function(request, result, *arguments, **named), request, body, request.headers
            )
            if isinstance(answer, web.Answer):
                answer = HttpResponse(answer.body, status=answer.status, headers=answer.headers)
            patch_vary_headers(answer, ["Precognition"])
            return answer

        return view


def _body(request: Any) -> web.Body:
    """The form data and the files, or the object of a JSON text."""
    if request.content_type == "application/json":
        try:
            body = json.loads(request.body)
        except ValueError:
            body = None
        if isinstance(body, dict):
            return body
    lists = [*request.POST.lists(), *request.FILES.lists()]
    return [(name, value) for name, values in lists for value in values]
