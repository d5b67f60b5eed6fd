"""Sign-up with Django, on a page that formd draws: `python django_app.py runserver 8000`."""

import os
import sys

from django.conf import settings
from django.core.management import execute_from_command_line
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import path
from django.utils.html import format_html

from formd.web import Html
from formd.web.django import Form

DOOR = os.environ.get("DOOR", "http://localhost:8480")
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign up</title>
<style>.formd-summary a {{ line-height: 2 }}</style>
<script type="module" src="{}/formd/client.js"></script></head>
<body><main><h1>Sign up</h1>{}</main></body></html>"""

settings.configure(
    ALLOWED_HOSTS=["localhost", "127.0.0.1"],
    MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
    ROOT_URLCONF=__name__,
    SECRET_KEY=os.environ.get("SECRET_KEY", "only for this example"),
)
account = Form("account")
accounts = []


@account.view
def sign_up(request, result):
    if result.is_valid:
        accounts.append(result.values)
        return redirect("/welcome")
    token = Html(format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', get_token(request)))
    form = account.render(result, extra=token)
    return HttpResponse(format_html(PAGE, DOOR, form), status=result.status)


def welcome(request):
    return HttpResponse(format_html("Welcome, {}. You are number {}.", accounts[-1]["name"], len(accounts)))


urlpatterns = [path("", sign_up), path("welcome", welcome)]
application = get_wsgi_application()

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
