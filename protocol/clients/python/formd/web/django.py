"""Forms of formd in Django."""

# pyright: reportMissingImports=false
# Django need not be installed where this file is checked.
from __future__ import annotations

import functools
from typing import Any, Callable

from django.http import HttpResponse, QueryDict  # type: ignore[import-untyped]
from django.utils.cache import patch_vary_headers  # type: ignore[import-untyped]
from django.utils.datastructures import MultiValueDict  # type: ignore[import-untyped]

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


def _body(request: Any) -> web.Body | bytes:
    """The form data and the files, or a JSON text."""
    if request.content_type == "application/json":
        return bytes(request.body)
    # Django itself reads only the form data of POST.
    if request.method == "POST":
        form, files = request.POST, request.FILES
    elif request.content_type == "multipart/form-data":
        form, files = request.parse_file_upload(request.META, request)
    else:
        form, files = QueryDict(request.body, encoding=request.encoding), MultiValueDict()
    lists = [*form.lists(), *files.lists()]
    return [(name, value) for name, values in lists for value in values]
