"""Sign-up with Starlette, on a page that formd draws: `uvicorn starlette_app:app --port 8000`."""

import os

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Route

from formd.web.starlette import Form

DOOR = os.environ.get("DOOR", "http://localhost:8480")
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign up</title>
<style>.formd-summary a {{ line-height: 2 }}</style>
<script type="module" src="{door}/formd/client.js"></script></head>
<body><main><h1>Sign up</h1>{form}</main></body></html>"""

account = Form("account")
accounts = []


@account.view
async def sign_up(request, result):
    if result.is_valid:
        accounts.append(result.values)
        return RedirectResponse("/welcome", 303)
    return HTMLResponse(PAGE.format(door=DOOR, form=await account.render(result)), result.status)


async def welcome(request):
    return PlainTextResponse(f"Welcome, {accounts[-1]['name']}. You are number {len(accounts)}.")


app = Starlette(routes=[Route("/", sign_up, methods=["GET", "POST"]), Route("/welcome", welcome)])
