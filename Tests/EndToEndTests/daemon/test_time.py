"""The date, the time and the zone: by the daemon's clock, and by the clock that is given to `formctl`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness import Daemon, formctl

BOOKING = {
    "form": "until",
    "clock": "1s",
    "schema": {"type": "object", "properties": {"until": {"type": "string", "maxLength": 10}}},
    "rules": [{"id": "past", "field": "until", "check": "days(today, self) >= 0", "message": "That is past."}],
    "outputs": {"today": "today", "zone": "form.zone", "now": "string(now)"},
}


@pytest.mark.parametrize(
    ("zone", "today"), [("UTC", "2026-11-22"), ("Asia/Seoul", "2026-11-23"), ("-10:00", "2026-11-22")]
)
def test_an_expression_is_evaluated_at_the_time_and_in_the_zone_that_are_given(zone: str, today: str) -> None:
    done = formctl("expr", "today + ' ' + form.zone", "--now", "2026-11-22T23:30:00Z", f"--zone={zone}")
    assert (done.returncode, done.stdout) == (0, f'"{today} {zone}"\n'), done


@pytest.mark.parametrize(
    ("option", "value", "said"), [("--zone", "Europe/Zurch", "Europe/Zurich"), ("--now", "noon", "2026-11-22T17:00:00Z")]
)
def test_a_zone_that_is_not_known_and_a_time_that_is_none_are_refused(option: str, value: str, said: str) -> None:
    done = formctl("expr", "today", option, value)
    assert done.returncode == 2 and said in done.stderr, done


def test_values_are_judged_at_the_time_that_is_given(tmp_path: Path) -> None:
    form = tmp_path / "until.form.json"
    form.write_text(json.dumps(BOOKING))
    values = '{"until": "2026-11-22"}'
    for zone, returncode in [("UTC", 0), ("Asia/Seoul", 1)]:
        done = formctl("validate", form, "--now", "2026-11-22T23:30:00Z", "--zone", zone, standard_input=values)
        assert done.returncode == returncode, done


def test_a_daemon_goes_by_its_own_clock(daemon: Daemon) -> None:
    done = formctl("validate", "login", "--socket", daemon.path, "--now", "2026-11-22T23:30:00Z", standard_input="{}")
    assert done.returncode == 2 and "its own clock" in done.stderr, done


def test_a_session_is_in_the_zone_that_its_client_names_and_ticks(daemon: Daemon) -> None:
    with daemon.connect() as connection:
        opened = connection.call("session/open", {"definition": BOOKING, "zone": "Asia/Seoul"})
        outputs = opened["document"]["outputs"]
        assert outputs["zone"] == "Asia/Seoul"
        # UTC+9 has no daylight saving time; the hour says which day it is there.
        day, hour = outputs["now"][:10], int(outputs["now"][11:13])
        assert (outputs["today"] == day) == (hour < 15), outputs
        update = connection.read()["params"]
        assert update["cause"] == "timer" and update["patch"]["outputs"]["now"] > outputs["now"]


def test_run_takes_a_zone(daemon: Daemon) -> None:
    assert formctl("run", "--socket", daemon.path, "login", "--zone", "Asia/Seoul").returncode == 0
    done = formctl("run", "--socket", daemon.path, "login", "--zone", "Asia/Soul")
    assert done.returncode == 2 and "/zone" in done.stderr, done
