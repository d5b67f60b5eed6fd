"""Sign-up with Flask, on a page of its own HTML: `flask --app flask_app run --port 8000`."""

import os

from flask import Flask, redirect, render_template_string

from formd.web.flask import Form

DOOR = os.environ.get("DOOR", "http://localhost:8480")
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Sign up</title>
<style>.formd-summary a { line-height: 2 }</style>
<script type="module" src="{{ door }}/formd/client.js"></script>
</head>
<body>
<main>
<h1>Sign up</h1>
<form method="post" data-formd-form="account" novalidate>
  <p data-formd-errors>{{ result.errors[""] }}</p>
  {% macro message(name) %}<p data-formd-message="{{ name }}">{{ result.errors[name] }}</p>{% endmacro %}
  {% macro text(name, label, type="text") %}
  <div data-formd-field="{{ name }}">
    <label for="{{ name }}">{{ label }}</label>
    <input id="{{ name }}" name="{{ name }}" type="{{ type }}"
      value="{{ result.text(name) if type != 'password' }}">
    {{ message(name) }}
  </div>
  {% endmacro %}
  {{ text("name", "Name") }}
  {{ text("email", "Email", "email") }}
  {{ text("password", "Password", "password") }}
  <label for="plan">Plan</label>
  <select id="plan" name="plan">
    <option value=""></option>
    {% for value, label in [("free", "For me"), ("team", "For a team")] %}
    <option value="{{ value }}" {{ "selected" if result.text("plan") == value }}>{{ label }}</option>
    {% endfor %}
  </select>
  {{ message("plan") }}
  {{ text("seats", "Number of people") }}
  <label><input type="checkbox" name="news" {{ "checked" if result.text("news") }}> Send me the news</label>
  <button name="action" value="signUp" data-formd-post>Sign up</button>
</form>
</main>
</body>
</html>
"""

app = Flask(__name__)
account = Form("account")
accounts = []


@app.route("/", methods=["GET", "POST"])
@account.view
def sign_up(result):
    if result.is_valid:
        accounts.append(result.values)
        return redirect("/welcome", 303)
    return render_template_string(PAGE, result=result, door=DOOR), result.status


@app.get("/welcome")
def welcome():
    return f"Welcome, {accounts[-1]['name']}. You are number {len(accounts)}."
