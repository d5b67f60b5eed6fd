"""The attacks of `scripts/bench bystander` in small: every attacker plays one round, beside a bystander on another
connection.

The tests do not assert times. The bystander is answered while the attack goes on, the daemon refuses the requests that
it says it refuses, its memory has a bound, and it ends at SIGTERM. Milliseconds belong to the benchmark.
"""

from __future__ import annotations

import functools
import sys
from typing import NamedTuple, Optional

import pytest

import harness

sys.path.insert(0, str(harness.ROOT / "scripts" / "bench.d"))

from bystander.attack import all_attacks  # noqa: E402
from bystander.measure import Outcome, measure  # noqa: E402

ATTACKS = all_attacks()
MEBIBYTE = 1024 * 1024
ROUND_SECONDS_MAX = 60.0
"""An attacker that is not through after so long hangs; the heaviest round takes some seconds of a debug build."""


class Small(NamedTuple):
    """A round that takes about a second."""

    dose: float = 1.0
    """The share of the attack's numbers."""
    is_refused: bool = False
    """So much is refused with one of the attack's errors."""
    growth_max: Optional[int] = None
    """The most bytes that the round may add to the daemon's memory."""


SMALL = {
    "unfinished-lines": Small(0.3, growth_max=400 * MEBIBYTE),
    "churn": Small(),
    "crowd": Small(0.2, growth_max=64 * MEBIBYTE),
    "descriptors": Small(is_refused=True),
    "reads-nothing": Small(0.03, growth_max=64 * MEBIBYTE),
    "definitions": Small(growth_max=100 * MEBIBYTE),
    "unknown-names": Small(0.1, is_refused=True),
    "kept-definitions": Small(0.2, growth_max=400 * MEBIBYTE),
    "descriptions": Small(0.4, growth_max=100 * MEBIBYTE),
    "mark-names": Small(0.1, is_refused=True),
    "reload": Small(growth_max=100 * MEBIBYTE),
    "fifo": Small(),
    "http-hang": Small(),
    "sql-long": Small(),
    "sql-blob": Small(growth_max=400 * MEBIBYTE),
    "log": Small(0.05),
    "outputs": Small(0.25, growth_max=400 * MEBIBYTE),
    "small-values": Small(0.05),
    "results": Small(0.05),
    "check-cache": Small(0.01),
    "events": Small(0.1),
    "kept-events": Small(0.1, growth_max=32 * MEBIBYTE),
    "kept-idle": Small(0.1),
    "questions": Small(0.1),
    "batch-get": Small(0.4, growth_max=400 * MEBIBYTE),
    "marks": Small(growth_max=16 * MEBIBYTE),
    "marks-many": Small(0.2, growth_max=64 * MEBIBYTE),
    "marks-4m": Small(0.2, growth_max=64 * MEBIBYTE),
    "marks-cel": Small(growth_max=16 * MEBIBYTE),
    "nodes": Small(is_refused=True, growth_max=64 * MEBIBYTE),
    "nodes-body": Small(growth_max=32 * MEBIBYTE),
    "locale": Small(0.002, is_refused=True),
    "ids": Small(0.02, is_refused=True),
    "names": Small(0.02, is_refused=True),
    "doubling": Small(),
    "doubling-200": Small(),
    "pattern": Small(0.1),
    "pipeline": Small(0.1),
    "batch-block": Small(),
    "secrets": Small(),
    "busy-clients": Small(0.1),
    "busy-readers": Small(0.1),
    "closed-members": Small(0.1),
    "closed-items": Small(0.1),
    "contains": Small(0.1),
    "unique": Small(0.1),
    "unevaluated-members": Small(0.1),
    "unevaluated-items": Small(0.1),
    "closed-form": Small(0.05),
    "env-names": Small(0.1),
    "rows-open": Small(0.05),
    "rows-hide": Small(0.05),
    "rows-reset": Small(0.05),
    "rows-locale": Small(0.05),
    "rows-explain": Small(0.05),
    "web-flood": Small(0.2),
    "web-texts": Small(0.02),
    "web-deaf": Small(0.2, growth_max=64 * MEBIBYTE),
    "web-upgrades": Small(),
    "web-slow": Small(0.2),
}


@functools.cache
def attacked(name: str) -> Outcome:
    """The result of the attack; it is made once for all tests."""
    return measure(ATTACKS[name], harness.formd_binary(), ROUND_SECONDS_MAX, dose=SMALL[name].dose)


def test_every_attack_is_tried_in_small() -> None:
    assert set(SMALL) == set(ATTACKS)


@pytest.mark.parametrize("name", ATTACKS)
def test_the_bystander_has_all_its_answers(name: str) -> None:
    outcome = attacked(name)
    assert not outcome.is_dead, outcome.log
    assert outcome.waited.answers and not outcome.waited.unanswered
    assert not outcome.waited.refused
    assert not outcome.unfinished, "an attacker did not come to the end of its round"
    assert not outcome.tally.faults


@pytest.mark.parametrize("name", [name for name, small in SMALL.items() if small.is_refused])
def test_the_attack_is_refused(name: str) -> None:
    outcome = attacked(name)
    assert outcome.is_refused, f"the attackers were told {dict(outcome.tally.errors)} in {outcome.tally.answers} answers"


@pytest.mark.parametrize("name", [name for name, small in SMALL.items() if small.growth_max])
def test_the_memory_has_a_bound(name: str) -> None:
    outcome, growth_max = attacked(name), SMALL[name].growth_max
    assert growth_max is not None and outcome.peak - outcome.base <= growth_max


@pytest.mark.parametrize("name", ATTACKS)
def test_the_daemon_ends_after_the_attack(name: str) -> None:
    outcome = attacked(name)
    assert outcome.ended is not None, "it did not end at SIGTERM"
