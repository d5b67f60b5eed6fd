"""One attack on a fresh daemon, with a bystander beside it."""

from __future__ import annotations

import math
import os
import signal
import tempfile
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Optional

from .attack import Attack, Tally, Target
from .daemon import PROCESSES, AttackedDaemon, MemoryWatch, service
from .probe import Waited, watch

# The promises.
LATENCY_MAX = 0.1
P99_MAX = 0.02
KEPT_BYTES_MAX = 64 * 1024 * 1024
"""How much more memory than before the attack the daemon may have, two seconds after the attackers are gone."""
END_SECONDS_MAX = 6.0
"""From SIGTERM to the end: `drainMs` (5 s by default) and one second."""

END_PATIENCE_SECONDS = 20.0
"""A daemon that has not ended after this time is killed."""

SETTLED_SECONDS = 2.0
BASE_SECONDS = 0.3
HELD_SECONDS_MAX = 60.0
"""An attacker that was not ended ends by itself after this time."""

PATIENCE_SECONDS = 10.0
"""If the daemon does not answer the bystander for this time after the attack, it counts as frozen and is killed."""


@dataclass
class Outcome:
    """The result of one attack. Times are in seconds."""

    attack: Attack
    waited: Waited
    base: int
    """Anonymous memory before the attack, in bytes."""
    peak: int
    """The highest anonymous memory during the attack."""
    after: Optional[int]
    """The anonymous memory when the attackers had been gone for two seconds."""
    peak_resident: int
    ended: Optional[float]
    """How long the daemon took to end at SIGTERM; None if it had to be killed."""
    is_dead: bool
    """The daemon, or formd-web, ended by itself."""
    tally: Tally
    unfinished: int
    """Attackers that had not finished their first round."""
    log: str

    @property
    def p50(self) -> float:
        return percentile(self.waited.answers, 0.5)

    @property
    def p99(self) -> float:
        return percentile(self.waited.answers, 0.99)

    @property
    def max(self) -> float:
        return max(self.waited.answers, default=math.inf)

    @property
    def is_frozen(self) -> bool:
        return self.waited.unanswered > 0

    @property
    def is_refused(self) -> bool:
        """The attackers got one of the errors with which the daemon must refuse the attack."""
        return any(code in self.tally.errors for code in self.attack.refusals)

    @property
    def promises(self) -> dict[str, bool]:
        """Each promise, and whether it was kept."""
        return {
            "answers": not self.is_frozen and not self.waited.refused and self.max <= LATENCY_MAX and self.p99 <= P99_MAX,
            "memory": self.peak <= self.attack.peak_bytes_max and self.after is not None
            and self.after <= self.base + KEPT_BYTES_MAX,
            "end": not self.is_dead and self.ended is not None and self.ended <= END_SECONDS_MAX,
            "protocol": not self.tally.faults,
        }

    def json(self) -> dict[str, object]:
        return {
            "attack": self.attack.name, "p50": self.p50, "p99": self.p99, "max": self.max,
            "unanswered": self.waited.unanswered, "refused": self.waited.refused, "asked": len(self.waited.answers),
            "echoP99": percentile(self.waited.echoes, 0.99), "echoMax": max(self.waited.echoes, default=0.0),
            "base": self.base, "peak": self.peak, "after": self.after, "peakResident": self.peak_resident,
            "ended": self.ended, "isDead": self.is_dead, "answers": self.tally.answers,
            "unfinished": self.unfinished, "errors": dict(self.tally.errors), "faults": dict(self.tally.faults), "hangUps": self.tally.hang_ups,
            "promises": self.promises,
        }  # fmt: skip


def percentile(values: list[float], share: float) -> float:
    """The smallest value that `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else math.inf


def measure(
    attack: Attack, formd: Path, seconds: float, cores: Optional[tuple[int, int]] = None, dose: Optional[float] = None
) -> Outcome:
    """Attacks a fresh daemon for the given number of seconds.

    `cores` are the daemon's core and the clients' core; without them the kernel chooses. With a `dose` each attacker
    plays one round, with that share of its numbers, and the attack is over when all have finished; `seconds` are then
    its limit.
    """
    daemon_core, client_core = cores or (None, None)
    # A short path: the address of a Unix socket holds 108 bytes.
    with tempfile.TemporaryDirectory(prefix="formd-bystander-", dir="/tmp") as folder, service() as port:
        daemon = AttackedDaemon(formd, attack, Path(folder), port, daemon_core)
        bystander = attackers = None
        try:
            bystander = Bystander(daemon, attack.bystander, cores, is_browser=attack.has_door)
            if dose is None:
                time.sleep(BASE_SECONDS)
            base = daemon.memory()
            assert base is not None, daemon.log()
            memory = MemoryWatch(daemon)
            bystander.go()
            attackers = Attackers(attack, daemon, seconds, client_core, dose)
            tally, unfinished = attackers.wait()
            if dose is None:
                # All attackers end at once: that is a part of the attack.
                attackers.end()
                time.sleep(SETTLED_SECONDS)
                after = daemon.memory()
                waited = bystander.stop()
            else:
                # Answers count only while the attack goes on.
                waited = bystander.stop()
                after = daemon.memory()
                attackers.end()
            memory.end()
            is_dead = daemon.process.poll() is not None or daemon.is_door_gone
            # A frozen daemon gets no more time.
            ended = daemon.end(0.1 if waited.unanswered else END_PATIENCE_SECONDS)
        finally:
            daemon.kill()
            if attackers is not None:
                attackers.end()
            if bystander is not None:
                bystander.end()
        return Outcome(
            attack, waited, base.anonymous, memory.peak.anonymous, after and after.anonymous, memory.peak.resident,
            ended, is_dead, tally, unfinished, daemon.log(),
        )  # fmt: skip


class Bystander:
    """The process of the bystander."""

    def __init__(
        self, daemon: AttackedDaemon, kind: str, cores: Optional[tuple[int, int]] = None, is_browser: bool = False
    ) -> None:
        """Returns when the bystander is connected."""
        daemon_core, client_core = cores or (None, None)
        self._orders, theirs = PROCESSES.Pipe()
        self._process = PROCESSES.Process(
            target=watch,
            args=(
                daemon.path, daemon.forms, daemon.door if is_browser else None, kind, PATIENCE_SECONDS, theirs,
                client_core, daemon_core,
            ),  # fmt: skip
        )
        self._process.start()
        theirs.close()
        assert self._orders.recv() == "ready"

    def go(self) -> None:
        """Starts its requests."""
        self._orders.send("go")

    def stop(self) -> Waited:
        """Stops the bystander; returns its waiting times."""
        self._orders.send("stop")
        waited: Waited = self._orders.recv()
        return waited

    def end(self) -> None:
        self._process.kill()
        self._process.join()


class AttackerFailed(Exception):
    """The attack itself has a fault, or met a situation that it does not handle. Its process has printed the reason."""


class Attackers:
    """The processes of one attack."""

    def __init__(
        self, attack: Attack, daemon: AttackedDaemon, seconds: float, core: Optional[int], dose: Optional[float]
    ) -> None:
        self._end = time.monotonic() + seconds + 1
        self._processes = []
        for index in range(attack.attackers):
            ours, theirs = PROCESSES.Pipe(duplex=False)
            target = Target(
                daemon.path, daemon.forms, daemon.process.pid, index, 1.0 if dose is None else dose, daemon.door
            )
            process = PROCESSES.Process(target=_play, args=(attack, target, seconds, dose is not None, core, theirs))
            process.start()
            theirs.close()
            self._processes.append((process, ours))

    def wait(self) -> tuple[Tally, int]:
        """Waits until their time is up. Returns their observations, and how many did not finish a round."""
        tally, unfinished = Tally(), 0
        for process, ours in self._processes:
            is_finished = False
            if ours.poll(max(0.0, self._end - time.monotonic())):
                try:
                    seen, is_finished = ours.recv()
                    tally.add(seen)
                except EOFError:
                    raise AttackerFailed from None
            unfinished += not is_finished
        return tally, unfinished

    def end(self) -> None:
        """Ends them, and so closes everything that they hold open."""
        for process, _ in self._processes:
            process.kill()
        for process, _ in self._processes:
            process.join()


class TimeIsUp(BaseException):
    """Ends an attacker at any point."""


def _play(attack: Attack, target: Target, seconds: float, is_once: bool, core: Optional[int], report: Pipe) -> None:
    """An attacker. It reports its observations, and whether it finished a round, when its time is up or its only round
    is over."""
    is_finished = False

    def round_ended() -> None:
        nonlocal is_finished
        is_finished = True
        if is_once:
            # The process holds everything open until it ends: at a signal, or by itself if the measuring process is
            # gone.
            signal.setitimer(signal.ITIMER_REAL, HELD_SECONDS_MAX)
            report.send((target.tally, True))
            while True:
                signal.pause()

    def time_is_up(*_: object) -> None:
        raise TimeIsUp

    # The bystander has priority if both need the core.
    os.nice(10)
    if core is not None:
        os.sched_setaffinity(0, {core})
    target.is_holding = round_ended
    signal.signal(signal.SIGALRM, time_is_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        while True:
            try:
                attack.round(target)
            except OSError:
                target.tally.hang_ups += 1
                time.sleep(0.01)
            round_ended()
    except TimeIsUp:
        report.send((target.tally, is_finished))
        os._exit(0)
